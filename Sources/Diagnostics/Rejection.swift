/// A rule that is broken by something without a place in a manifest: a line, a link, a step, a plugin.
///
/// What was asked for did not happen, and nothing has changed. A module declares how its rules are
/// worded next to them, as static members here: `.unknownCommand("opne", nearest: "open")`.
public struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule.
  public let rule: Rule
  /// What is wrong, in one line.
  public let message: String
  /// What belongs to the message and needs lines of its own: both sides, or all the paths tried.
  public let details: [String]
  /// What to do about it, without a full stop.
  public let remedy: String

  /// Creates a rejection.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - message: what is wrong.
  ///   - details: what belongs to the message.
  ///   - remedy: what to do in this case, where the rule's remedy does not say it as well.
  public init(_ rule: Rule, _ message: String, details: [String] = [], remedy: String? = nil) {
    self.rule = rule
    self.message = message
    self.details = details
    self.remedy = remedy ?? rule.help
  }

  /// The rule's code: what programs match on.
  public var code: String { rule.code }

  public var description: String { "\(message) [\(code)]" }
}
