/// A rule that is broken by something without a place in a manifest: a line, a link, a step, a
/// plugin.
///
/// The request was not carried out, and nothing has changed.
public struct Rejection: Error, Hashable, Sendable, CustomStringConvertible {
  public let rule: Rule
  /// What is wrong, in one line.
  public let message: String
  /// Further lines of the message, such as both sides of a mismatch, or all paths that were tried.
  public let details: [String]
  /// What to do about it, without a full stop.
  public let remedy: String

  /// Creates a rejection, by default with the rule's remedy.
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
