/// A button of an alert or of a confirmation dialog, as part of a state.
public struct ButtonState<Action> {
  /// The meaning of a button.
  public enum Role: String, Codable, Hashable, Sendable {
    /// It leaves everything unchanged.
    case cancel
    /// It destroys something irrevocably.
    case destructive
  }

  /// The button's label; unique in its dialog.
  public var label: String
  /// The button's meaning; `nil` for an ordinary button.
  public var role: Role?
  /// The action that it sends before the dialog is dismissed; `nil` if it only dismisses it.
  public var action: Action?

  public init(role: Role? = nil, action: Action? = nil, label: () -> String) {
    self.init(label(), role: role, action: action)
  }

  public init(_ label: String, role: Role? = nil, action: Action? = nil) {
    self.label = label
    self.role = role
    self.action = action
  }

  /// A button that leaves everything unchanged.
  public static func cancel(_ label: String = "Cancel") -> Self { Self(label, role: .cancel) }
}

extension ButtonState: Sendable where Action: Sendable {}
extension ButtonState: Equatable where Action: Equatable {}
extension ButtonState: Hashable where Action: Hashable {}
extension ButtonState: Encodable where Action: Encodable {}
extension ButtonState: Decodable where Action: Decodable {}

/// The actions of a dialog without buttons of its own: an empty enum, which is `Codable` by it.
///
/// ```swift
/// enum Alert: NoButtons {}
///
/// struct State: Codable { var alert: AlertState<Alert>? }
/// ```
public protocol NoButtons: Codable, Hashable, Sendable {}

extension NoButtons {
  /// Always fails: there is no value.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "\(Self.self) has no values"))
  }

  public func encode(to encoder: any Encoder) throws {}
}

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
