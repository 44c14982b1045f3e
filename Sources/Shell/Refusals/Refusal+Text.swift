internal import Support

extension Refusal: CustomStringConvertible {
  /// What was refused, why, and what to write instead; one sentence or two, without a full stop.
  public var text: String {
    switch self {
    case .badUTF8, .containsNUL, .tooLong, .badString, .textAfterLabel, .identifierMissing,
      .unterminatedText, .badJSON:
      lineText
    case .unknownCommand, .unsupportedCommand, .argumentMissing, .argumentUnexpected,
      .badArgument:
      commandText
    case .noSuchControl, .noSuchIdentifier, .noSuchLabel, .ambiguousLabel, .ambiguousIdentifier,
      .numberIsLabel, .stale, .noSuchScreen, .disabled:
      controlText
    case .valueMissing, .valueUnexpected, .notANumber, .notOnOrOff, .noSuchOption,
      .ambiguousOption, .newlineInValue, .wrongType:
      valueText
    case .nothingToPage: "no list on this screen has more than one page"
    case .noMorePages(let forward): "this is the \(forward ? "last" : "first") page"
    case .noSuchPage(let page, let last): "there is no page \(page); pages run from 1 to \(last)"
    case .notFound(let text): "no row holds '\(text.quoted)'"
    case .notShown(let text): "the screen does not show '\(text.quoted)'"
    case .otherPath(let expected, let actual):
      "expected the path '\(expected.quoted)', and it is '\(actual.quoted)'"
    case .other(_, let text): text
    }
  }

  /// The text and the code, as a person reads it.
  public var description: String { "\(text) [\(code)]" }

  private var lineText: String {
    switch self {
    case .badUTF8(let offset): "the line is not UTF-8: byte \(offset + 1) does not belong there"
    case .containsNUL: "the line holds NUL, which no value may"
    case .tooLong(let limit): "the line is longer than \(limit) bytes"
    case .badString(let reason): "the quoted text can't be read: \(reason)"
    case .textAfterLabel(let label):
      "after the label '\(label.quoted)' only ' = VALUE' may stand"
    case .identifierMissing:
      "an identifier is due after '@'; a label that begins with '@' is written in double quotes"
    case .unterminatedText(let end):
      "the input ended before the line '\(end)' that ends the text"
    case .badJSON(let reason, let offset):
      "the line is not understood as JSON: \(reason)"
        + (offset.map { ", at byte \($0 + 1)" } ?? "")
    default: ""
    }
  }

  private var commandText: String {
    switch self {
    case .unknownCommand(let name, let nearest, let supported):
      "there is no command ':\(name.quoted)'"
        + (nearest.map { "; did you mean ':\($0)'?" }
          ?? "; there are \(Self.list(supported.map { ":\($0)" }))")
    case .unsupportedCommand(let name, let supported):
      "':\(name)' is not available here; there are \(Self.list(supported.map { ":\($0)" }))"
    case .argumentMissing(let command, let usage):
      "':\(command)' needs more: write '\(usage)'"
    case .argumentUnexpected(let command, let usage):
      "':\(command)' takes nothing after it: write '\(usage)'"
    case .badArgument(let command, let argument, let expected):
      "':\(command)' can't take '\(argument.quoted)': expected \(expected)"
    default: ""
    }
  }

  private var controlText: String {
    switch self {
    case .noSuchControl(let number, let highest):
      // Of more digits than a number has, it is the largest.
      (number == .max
        ? "there is no control of so large a number" : "there is no control \(number)")
        + (highest == 0 ? ": this screen has none" : "; they run from 1 to \(highest)")
    case .noSuchIdentifier(let id, let nearest):
      "no control has the identifier '@\(id.quoted)'"
        + (nearest.map { "; did you mean '@\($0.quoted)'?" } ?? "")
    case .noSuchLabel(let label, let nearest):
      (label.map { "no control is called '\($0.quoted)'" } ?? "no control is called that")
        + (nearest.map { "; did you mean '\($0.quoted)'?" } ?? "")
        + "; a value is written 'LABEL = VALUE', a command begins with ':'"
    case .ambiguousLabel(let label, let matches):
      "'\(label.quoted)' is the label of \(Self.list(matches)); write the number or '@ID'"
    case .ambiguousIdentifier(let id, let matches):
      "'@\(id.quoted)' is the identifier of \(Self.list(matches)); write the number"
    case .numberIsLabel(let number, let line, let hasValue, let matches):
      "'\(line.quoted)' begins with a number, and is also the label of \(Self.list(matches)); "
        + (hasValue
          ? "write the value in double quotes for the number, "
          : "write ':press \(number)' for the number, ")
        + "'\(JSONWriter.quote(line).quoted)' for the label"
    case .stale(let control, let screen):
      "\(Self.name(control)) of screen \(screen) is gone or does something else now; "
        + "look at the screen again"
    case .noSuchScreen(let screen, let last):
      "screen \(screen) isn't known any more or not yet; the last one is \(last)"
    case .disabled(let control): "\(Self.name(control)) is disabled"
    default: ""
    }
  }

  private var valueText: String {
    switch self {
    case .valueMissing(let control, let expected):
      "\(Self.name(control)) needs a value: \(expected)"
    case .valueUnexpected(let control):
      "\(Self.name(control)) takes no value; write it without one"
    case .notANumber(let control, let value):
      "\(Self.name(control)) takes a number such as 12 or -0.5, not '\(value.quoted)'"
    case .notOnOrOff(let control, let value):
      "\(Self.name(control)) takes on or off, true or false, yes or no, not '\(value.quoted)'"
    case .noSuchOption(let control, let value, let nearest, let options):
      "\(Self.name(control)) has no option '\(value.quoted)'"
        + (nearest.map { "; did you mean '\($0.quoted)'?" }
          ?? "; there are \(Self.list(options.map { "'\($0.quoted)'" }))")
    case .ambiguousOption(let control, let value, let ids):
      "\(Self.name(control)) has several options '\(value.quoted)'; write one of the ids "
        + Self.list(ids.map { "'\($0.quoted)'" })
    case .newlineInValue(let control):
      "\(Self.name(control)) takes one line; the value has several"
    case .wrongType(let control, let found, let expected):
      "\(Self.name(control)) takes \(expected), not \(found)"
    default: ""
    }
  }

  private static func name(_ control: ControlReference) -> String {
    let label = "'\(control.label.quoted)'"
    return control.number.map { "control \($0), \(label)," } ?? "the control \(label)"
  }

  private static func list(_ controls: [ControlReference]) -> String {
    list(
      controls.map { control in
        if let number = control.number { return String(number) }
        return control.id.map { "@\($0.quoted) on another page" } ?? "a row on another page"
      })
  }

  /// The words with commas; of many the first ones and how many more.
  private static func list(_ words: [String]) -> String {
    let limit = 24
    let shown = words.prefix(limit).joined(separator: ", ")
    return words.count > limit ? "\(shown) and \(words.count - limit) more" : shown
  }
}

extension String {
  /// The text as it may stand in a sentence: safe to print, and of many characters the first ones.
  fileprivate var quoted: String {
    let limit = 80
    let cut = self.prefix(limit + 1)
    return cut.count > limit
      ? SafeText.line(String(cut.prefix(limit))) + "…" : SafeText.line(self)
  }
}
