@_spi(Host) internal import AppCore
internal import Support

/// Converts the value on a line to the input of a control.
struct ValueParser {
  let target: ControlTarget
  let reference: ControlReference

  /// The control with its input; `nil` if a value is required and there is none.
  func activation(_ value: LineValue?) throws(Rejection) -> Activation? {
    guard target.isEnabled else {
      throw Rejection(.disabled, "\(reference.name) is disabled")
    }
    return try input(value).map { input in
      Activation(
        control: target.index, input: input, label: target.label, isSecret: target.isSecret,
        identity: target.identity)
    }
  }

  /// The input; `nil` if a value is required and there is none.
  private func input(_ value: LineValue?) throws(Rejection) -> ControlInput? {
    switch target.kind {
    case .row(let position):
      try checkIsMissing(value)
      return .row(position)
    case .control(.button):
      try checkIsMissing(value)
      return .press
    case .control(.toggle(let isOn)): return .toggle(try toggle(value) ?? !isOn)
    case .control(.choice(let options, _)): return try choice(value, options)
    case .control(.field(let field)): return try text(value, field.kind)
    }
  }

  private func checkIsMissing(_ value: LineValue?) throws(Rejection) {
    guard value == nil else {
      throw Rejection(
        .valueUnexpected, "\(reference.name) takes no value; write it without one")
    }
  }

  var expected: String {
    switch target.kind {
    case .row, .control(.button): "none"
    case .control(.toggle): "on or off"
    case .control(.choice(let options, _)):
      "one of " + Rejection.list(options.lazy.map { "'\(SafeText.line($0.label))'" }, limit: 12)
    case .control(.field(let field)):
      switch field.kind {
      case .number(isWhole: false): "write a number after it"
      case .number(isWhole: true): "write a whole number after it"
      case .date: "write a date after it, such as 2026-03-01, today or +3d"
      case .text, .multiline, .secret: "write a text after it; \"\" is the empty one"
      }
    }
  }

  /// The options after the label in a prompt; empty for controls other than choices.
  var hint: String {
    guard case .control(.choice(let options, _)) = target.kind else { return "" }
    return " (" + options.prefix(12).map { SafeText.line($0.label) }.joined(separator: ", ")
      + (options.count > 12 ? ", …)" : ")")
  }

  private func toggle(_ value: LineValue?) throws(Rejection) -> Bool? {
    switch value {
    case nil: return nil
    case .bool(let isOn): return isOn
    case .text(let text):
      switch text.lowercased() {
      case "on", "true", "yes": return true
      case "off", "false", "no": return false
      default:
        throw Rejection(
          .notOnOrOff,
          "\(reference.name) takes on or off, true or false, yes or no, not '\(text.quoted)'")
      }
    case .number: throw wrongType(value, "on or off")
    case .lines(let end): throw .unterminatedText(end: end)
    }
  }

  private func choice(
    _ value: LineValue?, _ options: [ChoiceOption]
  ) throws(Rejection) -> ControlInput? {
    guard let value else { return nil }
    guard case .text(let text) = value else { throw wrongType(value, "a label or an id") }
    if options.contains(where: { $0.id == text }) { return .choice(text) }
    let wanted = ControlIndex.folded(text)
    let matches = options.filter { ControlIndex.folded($0.label) == wanted }
    guard let match = matches.first else {
      let labels = options.map(\.label)
      throw Rejection(
        .noSuchOption,
        "\(reference.name) has no option '\(text.quoted)'"
          + (NearestName.meant(by: text, among: labels).map { "; did you mean '\($0.quoted)'?" }
            ?? "; there are \(Rejection.list(labels.map { "'\($0.quoted)'" }))"))
    }
    guard matches.count == 1 else {
      throw Rejection(
        .ambiguousOption,
        "\(reference.name) has several options '\(text.quoted)'; write one of the ids "
          + Rejection.list(matches.map { "'\($0.id.quoted)'" }))
    }
    return .choice(match.id)
  }

  private func text(
    _ value: LineValue?, _ kind: FieldContent.Kind
  ) throws(Rejection) -> ControlInput? {
    guard let value else { return nil }
    switch (value, kind) {
    case (.number(let number), .number(let isWhole)):
      return .number(try checked(number, isWhole, "\(number)"))
    case (.text(let text), .number(let isWhole)):
      guard let number = Scanner.number(Scanner.trim(text[...])) else {
        throw Rejection(
          .notANumber,
          "\(reference.name) takes a number such as 12 or -0.5, not '\(text.quoted)'")
      }
      return .number(try checked(number, isWhole, text))
    case (.text(let text), .date):
      guard let today = target.today, let date = DateText.date(text, today: today) else {
        throw Rejection(
          .notADate,
          "\(reference.name) takes a date such as 2026-03-01, today, +3d or -1w, "
            + "not '\(text.quoted)'" + (DateText.reason(text).map { "; \($0)" } ?? ""))
      }
      return .date(date)
    case (.text(let text), .multiline): return .text(text)
    case (.text(let text), _):
      guard !text.unicodeScalars.contains(where: Self.endsLine) else {
        throw Rejection(
          .newlineInValue, "\(reference.name) takes one line; the value has several")
      }
      return .text(text)
    case (_, .number): throw wrongType(value, "a number")
    case (_, .date): throw wrongType(value, "a date")
    default: throw wrongType(value, "a text")
    }
  }

  private func checked(
    _ number: Double, _ isWhole: Bool, _ written: String
  ) throws(Rejection) -> Double {
    guard !isWhole || FieldContent.isWhole(number) else {
      throw Rejection(
        .notANumber,
        "\(reference.name) takes a whole number up to 9007199254740991, not '\(written.quoted)'")
    }
    return number
  }

  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0a...0x0d, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  private func wrongType(_ value: LineValue?, _ expected: String) -> Rejection {
    let found =
      switch value {
      case .bool: "true or false"
      case .number: "a number"
      default: "a text"
      }
    return Rejection(.wrongType, "\(reference.name) takes \(expected), not \(found)")
  }
}
