@_spi(Host) internal import AppCore
internal import Support

/// Draws one control that is not a row.
struct ControlDrawing {
  /// The number of digits of the largest number on the screen.
  let digits: Int
  let width: Int

  private static let fieldLines = 8

  /// The number in brackets, padded to the same width on every line of the screen.
  static func tag(_ number: Int, digits: Int) -> String {
    TextLayout.pad("[\(number)]", to: digits + 2, trailing: true) + " "
  }

  func lines(_ control: ControlContent, number: Int) -> [StyledLine] {
    let label = SafeText.line(control.label)
    var body: [StyledLine]
    switch control.kind {
    case .button: body = wrapped(label, control)
    case .toggle(let isOn): body = wrapped((isOn ? "[x] " : "[ ] ") + label, control, hang: 4)
    case .choice(let options, let selected):
      body = choice(label, options, selected, control)
    case .field(let field): body = self.field(label, field, control)
    }
    if let problem = control.problem {
      body += TextFrame.marked(problem, .error, width: room)
    }
    let tag = Self.tag(number, digits: digits)
    let margin = String(repeating: " ", count: tag.count)
    for index in body.indices {
      let lead = StyledLine(
        index == 0 ? tag : margin, control.isEnabled ? .number : .dim)
      body[index] = lead + body[index]
    }
    return body
  }

  private var room: Int { max(min(width, TextFrame.maximumTextWidth) - digits - 3, 8) }

  private func wrapped(_ text: String, _ control: ControlContent, hang: Int = 0) -> [StyledLine] {
    let text = control.isEnabled ? text : text + " (disabled)"
    let lines = TextLayout.wrap(text, to: room)
    let role: Role = control.isEnabled ? .plain : .dim
    guard lines.count > 1, hang > 0 else { return lines.map { StyledLine($0, role) } }
    let rest = TextLayout.wrap(
      lines.dropFirst().joined(separator: " "), to: max(room - hang, 4))
    return [StyledLine(lines[0], role)]
      + rest.map { StyledLine(String(repeating: " ", count: hang) + $0, role) }
  }

  private func field(
    _ label: String, _ field: FieldContent, _ control: ControlContent
  ) -> [StyledLine] {
    let role: Role = control.isEnabled ? .plain : .dim
    var lines: [StyledLine]
    let suffix = control.isEnabled ? "" : " (disabled)"
    if field.kind == .secret {
      let text = field.isSet ? "••• set" : "(not set)"
      lines = labelled(label + suffix, [text], field.isSet ? role : .dim, role)
    } else if field.text.isEmpty {
      let text = "(" + SafeText.line(field.placeholder ?? "empty") + ")"
      lines = labelled(label + suffix, [text], .dim, role)
    } else if field.kind == .multiline {
      let text = SafeText.paragraph(field.text)
      let content = limited(TextLayout.wrap(text, to: max(room - 2, 4)))
      lines = TextLayout.wrap(label + suffix + ":", to: room).map { StyledLine($0, role) }
      lines += content.map { StyledLine("│ ", .dim) + StyledLine($0, role) }
    } else {
      lines = labelled(label + suffix, [SafeText.line(field.text)], role, role)
    }
    return lines
  }

  /// `LABEL: VALUE`; a value that doesn't fit continues below, indented.
  private func labelled(
    _ label: String, _ words: [String], _ role: Role, _ labelRole: Role
  ) -> [StyledLine] {
    let value = words.joined(separator: "   ")
    let lead = label + ": "
    if DisplayWidth.of(lead) + DisplayWidth.of(value) <= room {
      return [StyledLine(lead, labelRole) + StyledLine(value, role)]
    }
    let content = limited(wrap(words, to: max(room - 2, 4)))
    return TextLayout.wrap(label + ":", to: room).map { StyledLine($0, labelRole) }
      + content.map { StyledLine("  ") + StyledLine($0, role) }
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

  private func choice(
    _ label: String, _ options: [ChoiceOption], _ selected: String?, _ control: ControlContent
  ) -> [StyledLine] {
    let role: Role = control.isEnabled ? .plain : .dim
    let label = control.isEnabled ? label : label + " (disabled)"
    let many = 12
    let chosen = options.first { $0.id == selected }
    var words = options.prefix(many).map { option in
      (option.id == selected ? "● " : "○ ") + SafeText.line(option.label)
    }
    if options.isEmpty { words = ["(no options)"] }
    if options.count > many {
      let current = chosen.map { "● " + SafeText.line($0.label) } ?? "(none chosen)"
      words = [current, "(one of \(options.count))"]
    }
    return labelled(label, words, role, role)
  }
}
