public import Shell

/// What a line came to.
public struct Reply: Sendable {
  /// How the conversation continues.
  public enum Outcome: Sendable {
    /// The line was carried out; ``Reply/screen`` shows what there is now.
    case accepted
    /// A blank line or a comment: nothing is printed.
    case nothing
    /// The line belongs to a text that continues.
    case needsMoreLines
    /// Nothing has changed; ``Reply/output`` says why.
    case refused(code: String)
    /// A value is to be asked for and handed to ``App/answer(_:with:)``.
    case prompt(Prompt)
    /// The person leaves.
    case quit
  }

  public let outcome: Outcome
  /// What a command printed, or why the line was refused; without newlines.
  public let output: [String]
  /// The screen as it is now; empty where nothing can have changed.
  public let screen: [String]
  /// Why the line was refused, on one line and without a mark; `nil` where it was not.
  public let reason: String?

  /// Everything that is to be printed for a script.
  public var lines: [String] { output + screen }

  /// Creates a reply.
  public init(
    _ outcome: Outcome, output: [String] = [], screen: [String] = [], reason: String? = nil
  ) {
    self.outcome = outcome
    self.output = output
    self.screen = screen
    self.reason = reason
  }

  init(_ outcome: LineOutcome, screen: [String] = []) {
    self.init(
      outcome.kind, output: outcome.output, screen: screen, reason: outcome.reason)
  }

  /// Whether the line was refused.
  public var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }
}

/// What a line came to, before anything is drawn.
struct LineOutcome: Sendable {
  let kind: Reply.Outcome
  /// What a command printed, or why the line was refused; without newlines.
  let output: [String]
  /// Why the line was refused, on one line and without a mark; `nil` where it was not.
  let reason: String?
  /// How long the screen is waited for that is to be shown; `nil` where nothing can have changed.
  let settling: Duration?

  init(
    _ kind: Reply.Outcome, output: [String] = [], reason: String? = nil,
    settling: Duration? = nil
  ) {
    self.kind = kind
    self.output = output
    self.reason = reason
    self.settling = settling
  }
}
