public import Shell

/// What a line came to.
public struct Reply: Sendable {
  /// How the conversation goes on.
  public enum Outcome: Sendable {
    /// The line was carried out; ``Reply/lines`` shows what there is now.
    case accepted
    /// A blank line or a comment: nothing is printed.
    case nothing
    /// The line belongs to a text that goes on.
    case needsMoreLines
    /// Nothing has changed; ``Reply/lines`` says why.
    case refused(code: String)
    /// A value is to be asked for and handed to ``App/answer(_:with:)``.
    case prompt(Prompt)
    /// The person leaves.
    case quit
  }

  public let outcome: Outcome
  /// What is to be printed, without newlines.
  public let lines: [String]
  /// Why the line was refused, on one line and without a mark; `nil` where it was not.
  public let reason: String?

  /// Creates a reply.
  public init(_ outcome: Outcome, lines: [String] = [], reason: String? = nil) {
    self.outcome = outcome
    self.lines = lines
    self.reason = reason
  }

  /// Whether the line was refused.
  public var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }
}
