@_spi(Host) internal import AppCore
package import Support

// The rules for lines: their syntax, the controls that they name, and the values that they give.
extension Rule {
  static let badUTF8 = Rule(
    "bad-utf8", means: "The line is not UTF-8.", remedy: "Send UTF-8.")

  static let nul = Rule(
    "nul", means: "The line holds NUL, which no value may.", remedy: "Leave it out.")

  static let lineTooLong = Rule(
    "line-too-long", means: "The line is longer than the limit.",
    remedy: "Shorten the line, or send several lines with `<<END`.")

  static let badString = Rule(
    "bad-string", means: "A label or value in double quotes is not a JSON string.",
    remedy: #"Write it as JSON does, such as `"a\nb"`."#)

  static let textAfterLabel = Rule(
    "text-after-label", means: "Something other than ` = VALUE` follows a quoted label.",
    remedy: #"Write `"LABEL"` or `"LABEL" = VALUE`."#)

  static let identifierMissing = Rule(
    "identifier-missing", means: "Nothing follows the `@`.",
    remedy: "Write `@ID`; a label that begins with `@` is written in double quotes.")

  static let textAfterIdentifier = Rule(
    "text-after-identifier",
    means: "A quoted identifier is not followed by a space.",
    remedy: #"Write `@"ID"` or `@"ID" VALUE`."#)

  static let unterminatedText = Rule(
    "unterminated-text",
    means: "The input ended before the line that ends a multi-line value.",
    remedy: "End the text with the line that `<<` names.")

  static let badJSON = Rule(
    "bad-json", means: "The line is not JSON, or not an object that the shell accepts.",
    remedy: "Send one object per line, as docs/shell.md shows.")

  static let unknownCommand = Rule(
    "unknown-command", means: "There is no such command.",
    remedy: "Use the suggested one; `:help` lists all.")

  static let unsupportedCommand = Rule(
    "unsupported-command",
    means: "The command is not available here, or `commands:` of the manifest or of the machine's "
      + "policy does not allow it.",
    remedy: "Use one of those that are listed.")

  static let argumentMissing = Rule(
    "argument-missing", means: "The command needs an argument.",
    remedy: "Write it as the message shows.")

  static let argumentUnexpected = Rule(
    "argument-unexpected", means: "The command takes no argument.",
    remedy: "Write the command alone.")

  static let badArgument = Rule(
    "bad-argument", means: "The command does not take this argument.",
    remedy: "Write what the message says is expected.")

  static let notShown = Rule(
    "not-shown", means: "The screen does not show what `:expect` expects.",
    remedy: "Correct the script, or the app.")

  static let otherPath = Rule(
    "other-path", means: "The path is not the one that `:expect-path` expects.",
    remedy: "Correct the script, or the app; `:path --full` prints the path.")

  static let noSuchControl = Rule(
    "no-such-control", means: "No control has the number, label or identifier.",
    remedy: "Use the suggested one, or a number on the screen; long lists are paged with `:next`.")

  static let ambiguousLabel = Rule(
    "ambiguous-label", means: "Several controls have the label.",
    remedy: "Write the number or `@ID`.")

  static let ambiguousID = Rule(
    "ambiguous-id", means: "Several controls have the identifier; the feature is at fault.",
    remedy: "Write the number.")

  static let ambiguousNumber = Rule(
    "ambiguous-number", means: "The line is the number of one control and the label of another.",
    remedy: "Write `:press N` for the number, or the label in double quotes.")

  static let stale = Rule(
    "stale",
    means:
      "The control with that number on the last screen shown is gone, or now does something else.",
    remedy: "Look at the screen again; `@ID` does not depend on numbers.")

  static let noSuchScreen = Rule(
    "no-such-screen",
    means: "The line names a screen that is no longer kept, or not shown yet.",
    remedy: "Name the last one, or none.")

  static let disabled = Rule(
    "disabled", means: "The control can't be used now.", remedy: "First do what enables it.")

  static let valueMissing = Rule(
    "value-missing", means: "The field needs a value, and a pipe can't be asked for it.",
    remedy: #"Write the value after the number, label or identifier; an empty one is `""`."#)

  static let valueUnexpected = Rule(
    "value-unexpected", means: "A button takes no value.",
    remedy: "Write the number, label or identifier alone.")

  static let notANumber = Rule(
    "not-a-number",
    means: "The field takes a number, or a whole number, and the value is not one.",
    remedy: "Write digits, such as `12` or `1.5`.")

  static let notOnOrOff = Rule(
    "not-on-or-off", means: "The toggle takes `on` or `off`.",
    remedy: "Write one of the two, or nothing, to flip it.")

  static let noSuchOption = Rule(
    "no-such-option", means: "The choice has no such option.",
    remedy: "Write one of the labels or identifiers that are listed.")

  static let ambiguousOption = Rule(
    "ambiguous-option", means: "Several options have the label.",
    remedy: "Write the option's identifier.")

  static let newlineInValue = Rule(
    "newline-in-value", means: "The field has one line, and the value has several.",
    remedy: "Leave the line breaks out.")

  static let wrongType = Rule(
    "wrong-type", means: "The value is of a type that the control, or the link, does not take.",
    remedy: "Give a value of the type that the message names.")

  static let nothingToPage = Rule(
    "nothing-to-page",
    means: "The screen has no list, or no list with more than one page.",
    remedy: "Nothing needs to be done: everything is shown.")

  static let noMorePages = Rule(
    "no-more-pages", means: "This is the first or the last page.",
    remedy: "Go the other way, or to a page with `:page N`.")

  static let noSuchPage = Rule(
    "no-such-page",
    means: "No page has that number.",
    remedy: "Use an existing page.")

  static let notFound = Rule(
    "not-found", means: "No row of the screen's lists holds the text.",
    remedy: "Search for a shorter part of it; case is ignored.")

  package static let lineRules: [Rule] = [
    .noSuchControl, .ambiguousLabel, .ambiguousID, .ambiguousNumber, .stale, .noSuchScreen,
    .disabled, .valueMissing, .valueUnexpected, .notANumber, .notOnOrOff, .noSuchOption,
    .ambiguousOption, .newlineInValue, .wrongType, .nothingToPage, .noMorePages, .noSuchPage,
    .notFound, .badUTF8, .nul, .lineTooLong, .badString, .textAfterLabel, .identifierMissing,
    .textAfterIdentifier, .unterminatedText, .badJSON, .unknownCommand, .unsupportedCommand,
    .argumentMissing, .argumentUnexpected, .badArgument, .notShown, .otherPath,
  ]
}

// Rejections that several places report. No message contains the value of a secret field.
extension Rejection {
  static let containsNUL = Rejection(.nul, "the line holds NUL, which no value may")
  static let nothingToPage = Rejection(
    .nothingToPage, "no list on this screen has more than one page")

  static let identifierMissing = Rejection(
    .identifierMissing,
    "an identifier is due after '@'; a label that begins with '@' is written in double quotes")

  static func tooLong(limit: Int) -> Rejection {
    Rejection(.lineTooLong, "the line is longer than \(limit) bytes")
  }

  static func badString(_ error: JSONReader.Failure) -> Rejection {
    Rejection(.badString, "the quoted text can't be read: \(error.reason)")
  }

  static func textAfterLabel(_ label: String) -> Rejection {
    Rejection(.textAfterLabel, "after the label '\(label.quoted)' only ' = VALUE' is allowed")
  }

  static func unterminatedText(end: String) -> Rejection {
    Rejection(.unterminatedText, "the input ended before the line '\(end)' that ends the text")
  }

  /// The offset counts bytes from 0.
  static func badJSON(_ reason: String, offset: Int? = nil) -> Rejection {
    Rejection(
      .badJSON,
      "the line is not understood as JSON: \(reason)"
        + (offset.map { ", at byte \($0 + 1)" } ?? ""))
  }

  package static func unsupportedCommand(_ name: String, supported: [String]) -> Rejection {
    Rejection(
      .unsupportedCommand,
      "':\(name)' is not available here; there are \(list(supported.map { ":\($0)" }))")
  }

  package static func notShown(_ text: String) -> Rejection {
    let words = text.split(whereSeparator: Scanner.isSpace)
    var hint = ""
    if words.count > 2, words[words.count - 2] == "within", let last = words.last,
      Scanner.number(last) == nil
    {
      hint = "; '\(String(last).quoted)' is not a number of seconds, so it is part of the text"
    }
    return Rejection(.notShown, "the screen does not show '\(text.quoted)'" + hint)
  }

  package static func otherPath(expected: String, actual: String) -> Rejection {
    Rejection(
      .otherPath, "expected the path '\(expected.quoted)', and it is '\(actual.quoted)'")
  }

  static func stale(_ control: ControlReference, screen: Int) -> Rejection {
    Rejection(
      .stale,
      "\(control.name) of screen \(screen) is gone or does something else now; "
        + "look at the screen again")
  }

  /// Joins words with commas; after 24 words, only the number of the others follows.
  static func list(_ words: [String]) -> String {
    let limit = 24
    let shown = words.prefix(limit).joined(separator: ", ")
    return words.count > limit ? "\(shown) and \(words.count - limit) more" : shown
  }
}

/// The name of a control in a rejection.
struct ControlReference: Hashable {
  /// Its number on the screen; `nil` if it was not printed.
  let number: Int?
  let label: String
  let id: String?

  var name: String {
    let label = "'\(label.quoted)'"
    return number.map { "control \($0), \(label)," } ?? "the control \(label)"
  }

  /// Controls as `list` of their numbers; those of other pages by their identifiers.
  static func list(_ controls: [ControlReference]) -> String {
    Rejection.list(
      controls.map { control in
        if let number = control.number { return String(number) }
        return control.id.map { "\(Scanner.line(identifier: $0).quoted) on another page" }
          ?? "a row on another page"
      })
  }
}

extension String {
  /// The text for use in a sentence: safe to print, and truncated.
  var quoted: String {
    let limit = 80
    let cut = self.prefix(limit + 1)
    return cut.count > limit
      ? SafeText.line(String(cut.prefix(limit))) + "…" : SafeText.line(self)
  }
}
