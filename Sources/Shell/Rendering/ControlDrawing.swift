@_spi(Host) internal import AppCore
internal import Support

struct ControlDrawing {
  let control: ControlContent
  let number: Int
  /// The number of digits of the largest number on the screen.
  let digits: Int
  let width: Int
  private static let fieldLines = 8
  private static let longestChoice = 12

  /// The number in brackets, padded to the same width on every line of the screen.
  static func tag(_ number: Int, digits: Int) -> String {
    TextLayout.pad("[\(number)]", to: digits + 2, trailing: true) + " "
  }

  func lines() -> [StyledLine] {
    let body =
      switch control.kind {
      case .button: StyledLine.wrap(label, to: room, role)
      case .toggle(let isOn): toggle(isOn)
      case .choice(let options, let selected): choice(options, selected)
      case .field(let field): self.field(field)
      }
    let problem = control.problem.map { TextFrame.marked($0, .error, width: room) } ?? []
    let tag = Self.tag(number, digits: digits)
    return StyledLine.hanging(
      StyledLine(tag, control.isEnabled ? .number : .dim), body + problem)
  }

  private var label: String {
    SafeText.line(control.label) + (control.isEnabled ? "" : " (disabled)")
  }
  private var role: Role { control.isEnabled ? .plain : .dim }
  private var room: Int { max(min(width, TextFrame.maximumTextWidth) - digits - 3, 8) }

  private func toggle(_ isOn: Bool) -> [StyledLine] {
    let lines = TextLayout.wrap((isOn ? "[x] " : "[ ] ") + label, to: room)
    let rest = lines.dropFirst().joined(separator: " ")
    return [StyledLine(lines.first ?? "", role)]
      + (lines.count > 1 ? StyledLine.wrap(rest, to: max(room - 4, 4), role) : [])
      .map { StyledLine("    ") + $0 }
  }

  private func field(_ field: FieldContent) -> [StyledLine] {
    if field.kind == .secret {
      return labelled([field.isSet ? "••• set" : "(not set)"], field.isSet ? role : .dim)
    }
    if field.text.isEmpty {
      return labelled(["(" + SafeText.line(field.placeholder ?? "empty") + ")"], .dim)
    }
    guard field.kind == .multiline else { return labelled([SafeText.line(field.text)], role) }
    let text = TextLayout.wrap(SafeText.paragraph(field.text), to: max(room - 2, 4))
    return StyledLine.wrap(label + ":", to: room, role)
      + limited(text).map { StyledLine("│ ", .dim) + StyledLine($0, role) }
  }

  private func choice(_ options: [ChoiceOption], _ selected: String?) -> [StyledLine] {
    if options.isEmpty { return labelled(["(no options)"], role) }
    guard options.count > Self.longestChoice else {
      return labelled(
        options.map { ($0.id == selected ? "● " : "○ ") + SafeText.line($0.label) }, role)
    }
    let chosen = options.first { $0.id == selected }
    let current = chosen.map { "● " + SafeText.line($0.label) } ?? "(none chosen)"
    return labelled([current, "(one of \(options.count))"], role)
  }

  /// `LABEL: VALUE`; a value that doesn't fit continues below, indented.
  private func labelled(_ words: [String], _ valueRole: Role) -> [StyledLine] {
    let value = words.joined(separator: "   ")
    let lead = label + ": "
    if DisplayWidth.of(lead) + DisplayWidth.of(value) <= room {
      return [StyledLine(lead, role) + StyledLine(value, valueRole)]
    }
    return StyledLine.wrap(label + ":", to: room, role)
      + limited(wrap(words, to: max(room - 2, 4))).map {
        StyledLine("  ") + StyledLine($0, valueRole)
      }
  }

  /// Wraps the words; one that fits on a line is not split.
  private func wrap(_ words: [String], to width: Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, DisplayWidth.of(last) + 3 + DisplayWidth.of(word) <= width {
        lines[lines.count - 1] = last + "   " + word
      } else {
        lines += TextLayout.wrap(word, to: width)
      }
    }
    return lines
  }

  private func limited(_ lines: [String]) -> [String] {
    guard lines.count > Self.fieldLines else { return lines }
    return lines.prefix(Self.fieldLines - 1)
      + ["… \(lines.count - Self.fieldLines + 1) more lines"]
  }
}
