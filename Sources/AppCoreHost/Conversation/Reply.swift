public import Shell

/// The result of a line, with everything to print.
public struct Reply: Sendable {
  /// The kind of result.
  public enum Outcome: Sendable {
    /// The line was carried out; ``Reply/screen`` is the new screen.
    case accepted
    /// The line was blank or a comment: there is nothing to print.
    case nothing
    /// The line is part of a text of several lines that is not complete.
    case needsMoreLines
    /// The line was rejected; ``Reply/output`` says why. The code is that of the broken rule.
    case refused(code: String)
    /// The line needs a value: ask for it, and pass it to ``App/answer(_:with:within:)``.
    case prompt(Prompt)
    /// The user leaves the app, or the input has ended.
    case quit
  }

  public let outcome: Outcome
  /// The lines that a command printed, or that say why the line was rejected; without newlines.
  public let output: [String]
  /// The lines of the new screen, without newlines; empty if nothing can have changed.
  public private(set) var screen: [String] = []
  /// Why the line was rejected, on one line, without a symbol or the code; `nil` if it was not.
  public let reason: String?

  /// Everything to print for a script.
  public var lines: [String] { output + screen }

  /// How long to wait for the screen to settle before it is shown; `nil` if no screen is shown
  /// because nothing can have changed.
  let settling: Duration?

  init(
    _ outcome: Outcome, output: [String] = [], reason: String? = nil, settling: Duration? = nil
  ) {
    self.outcome = outcome
    self.output = output
    self.reason = reason
    self.settling = settling
  }

  func with(screen: [String]) -> Reply {
    var reply = self
    reply.screen = screen
    return reply
  }

  /// Whether the line was rejected.
  public var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }
}
