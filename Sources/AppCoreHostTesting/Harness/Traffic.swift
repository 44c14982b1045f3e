public import AppCore

/// A delegate action that reached the graph.
public struct EmittedDelegate: Hashable, Sendable {
  public let node: String
  /// The action's name.
  public let action: String
  /// The value of `$`.
  public let payload: Value

  /// Creates one, to compare with.
  public init(node: String, action: String, payload: Value = [:]) {
    self.node = node
    self.action = action
    self.payload = payload
  }
}

/// A route that was refused and changed nothing.
public struct RefusedRoute: Hashable, Sendable {
  public let node: String
  /// The delegate action's name.
  public let action: String
  /// The refusal's code, as in `not-current`.
  public let code: String
  /// Why, in words.
  public let reason: String

  /// Creates one, to compare with.
  public init(node: String, action: String, code: String, reason: String) {
    self.node = node
    self.action = action
    self.code = code
    self.reason = reason
  }
}

/// A notification that was dropped because it had no receiver.
public struct LostNotification: Hashable, Sendable {
  public let node: String
  public let action: String
  /// The input action's name.
  public let input: String

  /// Creates one, to compare with.
  public init(node: String, action: String, input: String) {
    self.node = node
    self.action = action
    self.input = input
  }
}
