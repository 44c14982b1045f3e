/// A button of an alert or of a confirmation dialog, as part of a state.
public struct ButtonState<Action> {
  /// What pressing a button means.
  public enum Role: String, Codable, Hashable, Sendable {
    /// It leaves everything as it is.
    case cancel
    /// It destroys something irrevocably.
    case destructive
  }

  /// What the button is called; unique among the buttons beside it.
  public var label: String
  /// What pressing it means; `nil` for an ordinary button.
  public var role: Role?
  /// What pressing it sends, before the dialog goes; a button without an action only dismisses it.
  public var action: Action?

  /// A button.
  ///
  /// - Parameters:
  ///   - role: what pressing it means.
  ///   - action: what pressing it sends; without one, the dialog is only dismissed.
  ///   - label: what the button is called.
  public init(role: Role? = nil, action: Action? = nil, label: () -> String) {
    self.init(label(), role: role, action: action)
  }

  /// A button.
  public init(_ label: String, role: Role? = nil, action: Action? = nil) {
    self.label = label
    self.role = role
    self.action = action
  }

  /// A button that leaves everything as it is.
  public static func cancel(_ label: String = "Cancel") -> Self { Self(label, role: .cancel) }
}

extension ButtonState: Sendable where Action: Sendable {}
extension ButtonState: Equatable where Action: Equatable {}
extension ButtonState: Hashable where Action: Hashable {}
extension ButtonState: Encodable where Action: Encodable {}
extension ButtonState: Decodable where Action: Decodable {}

/// Collects the buttons of a dialog.
@resultBuilder
public enum ButtonStateBuilder<Action> {
  public static func buildExpression(_ button: ButtonState<Action>) -> [ButtonState<Action>] {
    [button]
  }
  public static func buildBlock(_ parts: [ButtonState<Action>]...) -> [ButtonState<Action>] {
    parts.flatMap { $0 }
  }
  public static func buildArray(_ parts: [[ButtonState<Action>]]) -> [ButtonState<Action>] {
    parts.flatMap { $0 }
  }
  public static func buildOptional(_ part: [ButtonState<Action>]?) -> [ButtonState<Action>] {
    part ?? []
  }
  public static func buildEither(first part: [ButtonState<Action>]) -> [ButtonState<Action>] {
    part
  }
  public static func buildEither(second part: [ButtonState<Action>]) -> [ButtonState<Action>] {
    part
  }
}
