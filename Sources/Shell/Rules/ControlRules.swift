internal import Support

// Rules for lines that name a control or give it a value.
extension Rule {
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

  static let controlRules: [Rule] = [
    .noSuchControl, .ambiguousLabel, .ambiguousID, .ambiguousNumber, .stale, .noSuchScreen,
    .disabled, .valueMissing, .valueUnexpected, .notANumber, .notOnOrOff, .noSuchOption,
    .ambiguousOption, .newlineInValue, .wrongType, .nothingToPage, .noMorePages, .noSuchPage,
    .notFound,
  ]
}

/// The name of a control in a rejection.
public struct ControlReference: Hashable, Sendable {
  /// Its number on the screen; `nil` if it was not printed.
  public let number: Int?
  public let label: String
  public let id: String?

  /// Creates a reference.
  public init(number: Int?, label: String, id: String?) {
    self.number = number
    self.label = label
    self.id = id
  }

  fileprivate var name: String {
    let label = "'\(label.quoted)'"
    return number.map { "control \($0), \(label)," } ?? "the control \(label)"
  }
}

extension Rejection {
  static func noSuchControl(number: Int, highest: Int) -> Rejection {
    Rejection(
      .noSuchControl,
      // The parser turns a number that does not fit in `Int` into the largest one.
      (number == .max
        ? "there is no control of so large a number" : "there is no control \(number)")
        + (highest == 0 ? ": this screen has none" : "; they run from 1 to \(highest)"))
  }

  static func noSuchIdentifier(_ id: String, nearest: String?) -> Rejection {
    Rejection(
      .noSuchControl,
      "no control has the identifier '\(IdentifierText.line(id).quoted)'"
        + (nearest.map { "; did you mean '\(IdentifierText.line($0).quoted)'?" } ?? ""))
  }

  /// The label is `nil` if quoting it could show a secret.
  static func noSuchLabel(_ label: String?, nearest: String?) -> Rejection {
    Rejection(
      .noSuchControl,
      (label.map { "no control is called '\($0.quoted)'" } ?? "no control is called that")
        + (nearest.map { "; did you mean '\($0.quoted)'? A" } ?? "; a")
        + " value is written 'LABEL = VALUE', a command begins with ':'")
  }

  static func ambiguousLabel(_ label: String, matches: [ControlReference]) -> Rejection {
    Rejection(
      .ambiguousLabel,
      "'\(label.quoted)' is the label of \(list(matches)); write the number or '@ID'")
  }

  static func ambiguousIdentifier(_ id: String, matches: [ControlReference]) -> Rejection {
    Rejection(
      .ambiguousID,
      "'\(IdentifierText.line(id).quoted)' is the identifier of \(list(matches)); write the number")
  }

  static func numberIsLabel(
    number: Int, line: String, hasValue: Bool, matches: [ControlReference]
  ) -> Rejection {
    Rejection(
      .ambiguousNumber,
      "'\(line.quoted)' begins with a number, and is also the label of \(list(matches)); "
        + (hasValue
          ? "write the value in double quotes for the number, "
          : "write ':press \(number)' for the number, ")
        + "'\(JSONWriter.quote(line).quoted)' for the label")
  }

  static func stale(_ control: ControlReference, screen: Int) -> Rejection {
    Rejection(
      .stale,
      "\(control.name) of screen \(screen) is gone or does something else now; "
        + "look at the screen again")
  }

  static func noSuchScreen(_ screen: Int, last: Int) -> Rejection {
    Rejection(
      .noSuchScreen, "screen \(screen) isn't known any more or not yet; the last one is \(last)")
  }

  static func disabled(_ control: ControlReference) -> Rejection {
    Rejection(.disabled, "\(control.name) is disabled")
  }

  static func valueMissing(_ control: ControlReference, expected: String) -> Rejection {
    Rejection(.valueMissing, "\(control.name) needs a value: \(expected)")
  }

  static func valueUnexpected(_ control: ControlReference) -> Rejection {
    Rejection(.valueUnexpected, "\(control.name) takes no value; write it without one")
  }

  static func notANumber(_ control: ControlReference, value: String) -> Rejection {
    Rejection(
      .notANumber, "\(control.name) takes a number such as 12 or -0.5, not '\(value.quoted)'")
  }

  static func notAWholeNumber(_ control: ControlReference, value: String) -> Rejection {
    Rejection(
      .notANumber,
      "\(control.name) takes a whole number up to 9007199254740991, not '\(value.quoted)'")
  }

  static func notOnOrOff(_ control: ControlReference, value: String) -> Rejection {
    Rejection(
      .notOnOrOff,
      "\(control.name) takes on or off, true or false, yes or no, not '\(value.quoted)'")
  }

  static func noSuchOption(
    _ control: ControlReference, value: String, nearest: String?, options: [String]
  ) -> Rejection {
    Rejection(
      .noSuchOption,
      "\(control.name) has no option '\(value.quoted)'"
        + (nearest.map { "; did you mean '\($0.quoted)'?" }
          ?? "; there are \(list(options.map { "'\($0.quoted)'" }))"))
  }

  static func ambiguousOption(
    _ control: ControlReference, value: String, ids: [String]
  ) -> Rejection {
    Rejection(
      .ambiguousOption,
      "\(control.name) has several options '\(value.quoted)'; write one of the ids "
        + list(ids.map { "'\($0.quoted)'" }))
  }

  static func newlineInValue(_ control: ControlReference) -> Rejection {
    Rejection(.newlineInValue, "\(control.name) takes one line; the value has several")
  }

  /// A JSON value of a type that the control doesn't accept.
  static func wrongType(
    _ control: ControlReference, found: String, expected: String
  ) -> Rejection {
    Rejection(.wrongType, "\(control.name) takes \(expected), not \(found)")
  }

  static var nothingToPage: Rejection {
    Rejection(.nothingToPage, "no list on this screen has more than one page")
  }

  static var nothingToSearch: Rejection {
    Rejection(.nothingToPage, "there is no list on this screen to search")
  }

  static func noMorePages(forward: Bool) -> Rejection {
    Rejection(.noMorePages, "this is the \(forward ? "last" : "first") page")
  }

  static func noSuchPage(_ page: Int, last: Int) -> Rejection {
    Rejection(.noSuchPage, "there is no page \(page); pages run from 1 to \(last)")
  }

  static func notFound(_ text: String) -> Rejection {
    Rejection(.notFound, "no row holds '\(text.quoted)'")
  }

  private static func list(_ controls: [ControlReference]) -> String {
    list(
      controls.map { control in
        if let number = control.number { return String(number) }
        return control.id.map { "\(IdentifierText.line($0).quoted) on another page" }
          ?? "a row on another page"
      })
  }
}
