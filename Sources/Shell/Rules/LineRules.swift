@_spi(Host) internal import AppCore
package import Support

/// The rules of this module; what they mean, and what helps, is in `LineRules.md`.
extension Rule {
  private static let catalogue = RuleCatalogue(PackageResources.LineRules_md)

  static let noSuchControl = catalogue["no-such-control"]
  static let ambiguousLabel = catalogue["ambiguous-label"]
  static let ambiguousID = catalogue["ambiguous-id"]
  static let ambiguousNumber = catalogue["ambiguous-number"]
  static let stale = catalogue["stale"]
  static let noSuchScreen = catalogue["no-such-screen"]
  static let disabled = catalogue["disabled"]
  static let valueMissing = catalogue["value-missing"]
  static let valueUnexpected = catalogue["value-unexpected"]
  static let notANumber = catalogue["not-a-number"]
  static let notADate = catalogue["not-a-date"]
  static let notOnOrOff = catalogue["not-on-or-off"]
  static let noSuchOption = catalogue["no-such-option"]
  static let ambiguousOption = catalogue["ambiguous-option"]
  static let newlineInValue = catalogue["newline-in-value"]
  static let wrongType = catalogue["wrong-type"]
  static let nothingToPage = catalogue["nothing-to-page"]
  static let noMorePages = catalogue["no-more-pages"]
  static let noSuchPage = catalogue["no-such-page"]
  static let notFound = catalogue["not-found"]
  static let noSuchColumn = catalogue["no-such-column"]
  static let badUTF8 = catalogue["bad-utf8"]
  static let nul = catalogue["nul"]
  static let lineTooLong = catalogue["line-too-long"]
  static let badString = catalogue["bad-string"]
  static let textAfterLabel = catalogue["text-after-label"]
  static let identifierMissing = catalogue["identifier-missing"]
  static let textAfterIdentifier = catalogue["text-after-identifier"]
  static let unterminatedText = catalogue["unterminated-text"]
  package static let badJSON = catalogue["bad-json"]
  static let unknownCommand = catalogue["unknown-command"]
  static let unsupportedCommand = catalogue["unsupported-command"]
  static let argumentMissing = catalogue["argument-missing"]
  static let argumentUnexpected = catalogue["argument-unexpected"]
  static let badArgument = catalogue["bad-argument"]
  static let notShown = catalogue["not-shown"]
  static let otherPath = catalogue["other-path"]

  package static let lineRules = catalogue.rules(of: "Lines")
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

  package static func unterminatedText(end: String) -> Rejection {
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

  /// Joins words with commas; after so many words, only the number of the others follows.
  static func list(_ words: some Collection<String>, limit: Int = 24) -> String {
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
