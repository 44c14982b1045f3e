@_spi(Host) internal import AppCore

/// The kind of a feature's action, which determines who may send it.
enum ActionKind: String {
  case view, `internal`, delegate, input

  /// The kind of `action` or, if it wraps a child's action, the kind of the innermost one.
  ///
  /// - Returns: `nil` for an action of a component, which has no kinds.
  static func innermost(of action: Any) -> ActionKind? {
    var next: Any? = action
    while let value = next {
      if value is any FeatureAction, let kind = EnumCase.name(of: value).flatMap(ActionKind.init) {
        return kind
      }
      next = wrapped(in: value)
    }
    return nil
  }

  /// The action that is the payload of `value`, directly or beside an identifier.
  private static func wrapped(in value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let payload = mirror.children.first?.value else {
      return nil
    }
    let parts = Mirror(reflecting: payload)
    return parts.displayStyle == .tuple
      ? parts.children.first { $0.label == "action" }?.value : payload
  }
}

extension ActionKind: CustomStringConvertible {
  var description: String {
    switch self {
    case .view: "a view"
    case .internal: "an internal"
    case .delegate: "a delegate"
    case .input: "an input"
    }
  }
}
