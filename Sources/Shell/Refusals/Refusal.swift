/// Why a line changed nothing: data, told in words by ``text`` and to programs by ``code``.
///
/// No case ever holds the value of a secret field.
public enum Refusal: Error, Hashable, Sendable {
  // What was read.
  /// The bytes are not UTF-8; the offset counts bytes from 0.
  case badUTF8(offset: Int)
  /// The line, or a string in it, holds NUL.
  case containsNUL
  /// The line is longer than the reader takes; the limit is in bytes.
  case tooLong(limit: Int)
  /// A quoted text that isn't one, as `"\ud800"`.
  case badString(reason: String)
  /// Something other than ` = VALUE` follows a quoted label.
  case textAfterLabel(label: String)
  /// `@` without an identifier.
  case identifierMissing
  /// The lines ended before the one that ends a text of several lines.
  case unterminatedText(end: String)
  /// A JSON line that isn't JSON, or not one of those that are understood.
  case badJSON(reason: String, offset: Int?)

  // Commands.
  case unknownCommand(String, nearest: String?, supported: [String])
  case unsupportedCommand(String, supported: [String])
  case argumentMissing(command: String, usage: String)
  case argumentUnexpected(command: String, usage: String)
  case badArgument(command: String, argument: String, expected: String)

  // Controls.
  case noSuchControl(number: Int, highest: Int)
  case noSuchIdentifier(String, nearest: String?)
  /// The label is `nil` where quoting it could show a secret.
  case noSuchLabel(String?, nearest: String?)
  case ambiguousLabel(String, matches: [ControlReference])
  case ambiguousIdentifier(String, matches: [ControlReference])
  /// The line is a number, and the label of another control too.
  case numberIsLabel(
    number: Int, line: String, hasValue: Bool, matches: [ControlReference])
  case stale(ControlReference, screen: Int)
  /// A line names a screen that isn't the last one nor one of those before it that are remembered.
  case noSuchScreen(Int, last: Int)
  case disabled(ControlReference)
  case valueMissing(ControlReference, expected: String)
  case valueUnexpected(ControlReference)
  case notANumber(ControlReference, value: String)
  case notOnOrOff(ControlReference, value: String)
  case noSuchOption(ControlReference, value: String, nearest: String?, options: [String])
  case ambiguousOption(ControlReference, value: String, ids: [String])
  case newlineInValue(ControlReference)
  /// A JSON value of a kind that the control doesn't take.
  case wrongType(ControlReference, found: String, expected: String)

  // Pages.
  case nothingToPage
  case noMorePages(forward: Bool)
  case noSuchPage(Int, last: Int)
  case notFound(String)

  // Expectations.
  case notShown(String)
  case otherPath(expected: String, actual: String)

  /// A refusal of the caller's, as those of navigation.
  case other(code: String, text: String)
}

/// A control as a refusal names it.
public struct ControlReference: Hashable, Sendable {
  /// Its number on the screen; `nil` where it isn't printed.
  public let number: Int?
  public let label: String
  public let id: String?

  /// Creates a reference.
  public init(number: Int?, label: String, id: String?) {
    self.number = number
    self.label = label
    self.id = id
  }
}
