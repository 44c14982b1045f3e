public import Diagnostics

/// What the caller has to do about a line.
public enum Intent: Hashable, Sendable {
  /// A blank line or a comment: nothing, not even a new screen.
  case nothing
  /// The line belongs to an unfinished text.
  case needsMoreLines
  /// Send the input to the control.
  case activate(Activation)
  /// Carry out the command. Paging and `:press` never come here.
  case command(Command)
  /// Ask for a value and hand it to ``ShellSession/answer(_:with:on:)``.
  case prompt(Prompt)
  /// Print the screen again: another page shows.
  case redraw
  /// Tell why, and change nothing.
  case refused(Rejection)
}
