package import Support

// Rules for the syntax of lines.
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
    "unsupported-command", means: "The command is not available here.",
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

  /// The rules for lines and for the controls that they name.
  package static let lineRules: [Rule] =
    controlRules + [
      .badUTF8, .nul, .lineTooLong, .badString, .textAfterLabel, .identifierMissing,
      .textAfterIdentifier, .unterminatedText, .badJSON, .unknownCommand, .unsupportedCommand,
      .argumentMissing,
      .argumentUnexpected, .badArgument, .notShown, .otherPath,
    ]
}

// Rejections of lines by their syntax. No message contains the value of a secret field.
extension Rejection {
  /// The offset counts bytes from 0.
  static func badUTF8(offset: Int) -> Rejection {
    Rejection(.badUTF8, "the line is not UTF-8: byte \(offset + 1) does not belong there")
  }

  static var containsNUL: Rejection {
    Rejection(.nul, "the line holds NUL, which no value may")
  }

  /// The limit is in bytes.
  package static func tooLong(limit: Int) -> Rejection {
    Rejection(.lineTooLong, "the line is longer than \(limit) bytes")
  }

  static func badString(reason: String) -> Rejection {
    Rejection(.badString, "the quoted text can't be read: \(reason)")
  }

  static func textAfterLabel(label: String) -> Rejection {
    Rejection(.textAfterLabel, "after the label '\(label.quoted)' only ' = VALUE' is allowed")
  }

  static var identifierMissing: Rejection {
    Rejection(
      .identifierMissing,
      "an identifier is due after '@'; a label that begins with '@' is written in double quotes")
  }

  static func textAfterIdentifier(_ id: String) -> Rejection {
    Rejection(
      .textAfterIdentifier,
      "after the identifier '\(IdentifierText.line(id).quoted)' a space is due")
  }

  static func unterminatedText(end: String) -> Rejection {
    Rejection(.unterminatedText, "the input ended before the line '\(end)' that ends the text")
  }

  /// The offset counts bytes from 0.
  static func badJSON(reason: String, offset: Int?) -> Rejection {
    Rejection(
      .badJSON,
      "the line is not understood as JSON: \(reason)"
        + (offset.map { ", at byte \($0 + 1)" } ?? ""))
  }

  static func unknownCommand(
    _ name: String, nearest: String?, supported: [String]
  ) -> Rejection {
    Rejection(
      .unknownCommand,
      "there is no command ':\(name.quoted)'"
        + (nearest.map { "; did you mean ':\($0)'?" }
          ?? "; there are \(list(supported.map { ":\($0)" }))"))
  }

  package static func unsupportedCommand(_ name: String, supported: [String]) -> Rejection {
    Rejection(
      .unsupportedCommand,
      "':\(name)' is not available here; there are \(list(supported.map { ":\($0)" }))")
  }

  static func argumentMissing(command: String, usage: String) -> Rejection {
    Rejection(.argumentMissing, "':\(command)' needs more: write '\(usage)'")
  }

  static func argumentUnexpected(command: String, usage: String) -> Rejection {
    Rejection(.argumentUnexpected, "':\(command)' takes nothing after it: write '\(usage)'")
  }

  static func badArgument(command: String, argument: String, expected: String) -> Rejection {
    Rejection(
      .badArgument, "':\(command)' can't take '\(argument.quoted)': expected \(expected)")
  }

  package static func notShown(_ text: String) -> Rejection {
    let words = text.split(whereSeparator: Scanner.isSpace)
    var hint = ""
    if words.count > 2, words[words.count - 2] == "within", let last = words.last,
      DecimalParser.double(last) == nil
    {
      hint = "; '\(String(last).quoted)' is not a number of seconds, so it is part of the text"
    }
    return Rejection(.notShown, "the screen does not show '\(text.quoted)'" + hint)
  }

  package static func otherPath(expected: String, actual: String) -> Rejection {
    Rejection(
      .otherPath, "expected the path '\(expected.quoted)', and it is '\(actual.quoted)'")
  }

  /// Joins words with commas; after 24 words, only the number of the others follows.
  static func list(_ words: [String]) -> String {
    let limit = 24
    let shown = words.prefix(limit).joined(separator: ", ")
    return words.count > limit ? "\(shown) and \(words.count - limit) more" : shown
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
