@_spi(Host) internal import AppCore
internal import Support

/// Converts the value on a line to the input of a control.
struct ValueParser {
  let target: ControlTarget
  let reference: ControlReference

  /// The input; `nil` if a value is required and there is none.
  func input(_ value: LineValue?) throws(Rejection) -> ControlInput? {
    switch target.kind {
    case .row(let position):
      guard value == nil else { throw .valueUnexpected(reference) }
      return .row(position)
    case .control(.button):
      guard value == nil else { throw .valueUnexpected(reference) }
      return .press
    case .control(.toggle(let isOn)): return .toggle(try toggle(value) ?? !isOn)
    case .control(.choice(let options, _)): return try choice(value, options)
    case .control(.field(let field)): return try text(value, field.kind)
    }
  }

  /// The expected value, for a rejection.
  var expected: String {
    switch target.kind {
    case .row, .control(.button): "none"
    case .control(.toggle): "on or off"
    case .control(.choice(let options, _)):
      "one of "
        + options.prefix(12).map { "'\(SafeText.line($0.label))'" }.joined(separator: ", ")
        + (options.count > 12 ? " and \(options.count - 12) more" : "")
    case .control(.field(let field)):
      switch field.kind {
      case .number(isWhole: false): "write a number after it"
      case .number(isWhole: true): "write a whole number after it"
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
      default: throw .notOnOrOff(reference, value: text)
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
      throw .noSuchOption(
        reference, value: text, nearest: Nearest.of(text, in: labels), options: labels)
    }
    guard matches.count == 1 else {
      throw .ambiguousOption(reference, value: text, ids: matches.map(\.id))
    }
    return .choice(match.id)
  }

  private func text(
    _ value: LineValue?, _ kind: FieldContent.Kind
  ) throws(Rejection) -> ControlInput? {
    guard let value else { return nil }
    switch (value, kind) {
    case (.number(let number), .number(let isWhole)):
      guard !isWhole || FieldContent.isWhole(number) else {
        throw .notAWholeNumber(reference, value: "\(number)")
      }
      return .number(number)
    case (.text(let text), .number(let isWhole)):
      guard let number = DecimalParser.double(Scanner.trim(text[...])) else {
        throw .notANumber(reference, value: text)
      }
      guard !isWhole || FieldContent.isWhole(number) else {
        throw .notAWholeNumber(reference, value: text)
      }
      return .number(number)
    case (.text(let text), .multiline): return .text(text)
    case (.text(let text), _):
      guard !text.unicodeScalars.contains(where: Self.endsLine) else {
        throw .newlineInValue(reference)
      }
      return .text(text)
    case (_, .number): throw wrongType(value, "a number")
    default: throw wrongType(value, "a text")
    }
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
    return .wrongType(reference, found: found, expected: expected)
  }
}
