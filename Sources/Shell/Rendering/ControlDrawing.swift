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

  private var label: String { ShellScreen.label(of: control) }
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

/// Draws one page of a list or a table.
struct RowsDrawing {
  let rows: PlacedRows
  let digits: Int
  let width: Int

  func lines() -> [StyledLine] {
    guard rows.total > 0 else {
      return StyledLine.wrap("(\(SafeText.line(rows.list.placeholder ?? "none")))", to: width, .dim)
    }
    let body = rows.list.columns.map(table) ?? list()
    return body + footer()
  }

  /// The width that is left next to the numbers.
  private var room: Int { max(width - margin.width, 8) }

  private func tag(_ row: PlacedRows.Row) -> StyledLine {
    let selection = StyledLine(rows.list.selectedCount == nil ? "" : row.isSelected.selectionMark)
    guard let number = row.number else {
      let mark = row.isFound ? "›" : ""
      return StyledLine(TextLayout.pad(mark, to: digits + 2, trailing: true) + " ") + selection
    }
    return StyledLine(ControlDrawing.tag(number, digits: digits), .number) + selection
  }

  private var margin: StyledLine {
    let selection = rows.list.selectedCount == nil ? 0 : Bool?.none.selectionMark.count
    return StyledLine(String(repeating: " ", count: digits + 3 + selection))
  }

  private func list() -> [StyledLine] {
    let labels = rows.rows.map { SafeText.line($0.label) }
    let details = rows.rows.map { row in
      row.cells.dropFirst().map(SafeText.line).joined(separator: "  ")
    }
    let widest = labels.map(DisplayWidth.of).max() ?? 0
    let hasDetails = details.contains { !$0.isEmpty }
    let column = min(widest, hasDetails ? max(room / 2, 8) : room)
    return zip(rows.rows, zip(labels, details)).flatMap { row, texts in
      let (label, detail) = texts
      let rest = room - column - 2
      return StyledLine.hanging(
        tag(row),
        StyledLine.columns(
          TextLayout.wrap(label, to: max(column, 1)), row.isFound ? .strong : .plain,
          width: column,
          detail.isEmpty || rest < 1
            ? [] : TextLayout.wrap(detail, to: min(rest, TextFrame.maximumTextWidth)), .dim))
    }
  }

  private func table(_ columns: [TableColumn]) -> [StyledLine] {
    let cells = rows.rows.map { $0.cells.map(SafeText.line) }
    let count = max(columns.count, cells.map(\.count).max() ?? 0)
    guard count > 0 else { return [] }
    let own = columns.titles(sort: rows.list.sort)
    let titles = (0..<count).map { $0 < own.count ? own[$0] : "" }
    guard let widths = TextLayout.columnWidths(titles, cells, width: room) else {
      return stacked(titles, cells)
    }
    func line(_ texts: [String], _ role: Role, _ tag: StyledLine) -> StyledLine {
      var line = tag
      for (index, width) in widths.enumerated() {
        let text = TextLayout.truncate(index < texts.count ? texts[index] : "", to: width)
        let isTrailing = index < columns.count && columns[index].alignment == .trailing
        line.append(TextLayout.pad(text, to: width, trailing: isTrailing), role)
        if index + 1 < widths.count { line.append("  ") }
      }
      return line
    }
    var lines: [StyledLine] = []
    if titles.contains(where: { !$0.isEmpty }) {
      lines.append(line(titles, .strong, margin))
      let rules = widths.map { String(repeating: "─", count: $0) }
      lines.append(line(rules, .dim, margin))
    }
    for (row, texts) in zip(rows.rows, cells) {
      lines.append(line(texts, row.isFound ? .strong : .plain, tag(row)))
    }
    return lines
  }

  /// The table for widths that are too small for columns: each cell on a line, after its title.
  private func stacked(_ titles: [String], _ cells: [[String]]) -> [StyledLine] {
    zip(rows.rows, cells).flatMap { row, texts in
      let shown = texts.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }
      let lines = shown.flatMap { index, text in
        let title = index == 0 || titles[index].isEmpty ? "" : titles[index] + ": "
        let role: Role = index > 0 ? .dim : row.isFound ? .strong : .plain
        return StyledLine.wrap(title + text, to: room, role)
      }
      return StyledLine.hanging(tag(row), lines)
    }
  }

  private func footer() -> [StyledLine] {
    let first = rows.offset + 1
    let last = rows.offset + rows.rows.count
    var texts = rows.isPaged ? ["rows \(first)–\(last) of \(rows.total)"] : []
    if rows.isPaged, rows.hasFocus {
      texts[0] += " ·"
      if last < rows.total { texts[0] += " :next" }
      if rows.offset > 0 { texts[0] += " :prev" }
      texts[0] += " :page\u{a0}N :find\u{a0}TEXT"
    }
    if let count = rows.list.selectedCount {
      let name = SafeText.line(Scanner.line(identifier: rows.list.id ?? ""))
      texts.append("\(count) selected · \(name)\u{a0}add\u{a0}ROW \(name)\u{a0}remove\u{a0}ROW")
    }
    return texts.flatMap { TextLayout.wrap($0, to: room) }.map { line in
      margin + StyledLine(line.replacing("\u{a0}", with: " "), .dim)
    }
  }
}

/// Draws sparklines and bar charts, with their numbers.
struct ChartDrawing {
  let width: Int
  private static let levels = Array("▁▂▃▄▅▆▇█")
  /// Partially filled cells, from 1/8 to 7/8.
  private static let parts = Array("▏▎▍▌▋▊▉")
  private static let longestCurve = 60
  private static let longestBar = 40

  /// A sparkline: `LABEL  ▁▂▅█  42 %`, with the latest number; a label that leaves too little room
  /// goes above.
  func lines(_ series: SeriesContent) -> [StyledLine] {
    let label = SafeText.line(series.label)
    let latest = series.values.last.map { NumberText.of($0, unit: series.unit) } ?? "(no values)"
    let needed = min(series.values.count, Self.longestCurve)
    let beside = width - DisplayWidth.of(label) - DisplayWidth.of(latest) - 4
    if beside >= min(needed, 8) {
      var line = StyledLine(label + "  ")
      line.append(curve(series, cells: min(needed, beside)), .success)
      line.append((series.values.isEmpty ? "" : "  ") + latest)
      return [line]
    }
    let below = max(width - DisplayWidth.of(latest) - 4, 1)
    var line = StyledLine("  ")
    line.append(curve(series, cells: min(needed, below)), .success)
    line.append("  " + latest)
    return StyledLine.wrap(label, to: width) + [line]
  }

  /// The curve of the latest values, one value per cell.
  private func curve(_ series: SeriesContent, cells: Int) -> String {
    let finite = series.values.filter(\.isFinite)
    // Nothing can be drawn up to an infinite bound: the scale ends with the values.
    let bounds = [series.bounds?.lowerBound, series.bounds?.upperBound].map { bound in
      bound.flatMap { $0.isFinite ? $0 : nil }
    }
    let low = bounds[0] ?? finite.min() ?? 0
    let high = bounds[1] ?? finite.max() ?? 0
    let top = Double(Self.levels.count - 1)
    return String(
      series.values.suffix(max(cells, 0)).map { value -> Character in
        guard value.isFinite else { return " " }
        // Halved, so that the range does not overflow to infinity.
        let range = high / 2 - low / 2
        let share = range > 0 ? (value / 2 - low / 2) / range : 0.5
        return Self.levels[Int((min(max(share, 0), 1) * top).rounded())]
      })
  }

  /// One line for each bar: the label, the bar and the number.
  func lines(_ chart: BarsContent) -> [StyledLine] {
    guard !chart.bars.isEmpty else { return [StyledLine("(no values)", .dim)] }
    let labels = chart.bars.map { SafeText.line($0.label) }
    let numbers = chart.bars.map { NumberText.of($0.value, unit: chart.unit) }
    let numberWidth = numbers.map(DisplayWidth.of).max() ?? 0
    let labelWidth = min(labels.map(DisplayWidth.of).max() ?? 0, max(width * 2 / 5, 6))
    let cells = min(width - labelWidth - numberWidth - 4, Self.longestBar)
    let finite = chart.bars.map(\.value).filter(\.isFinite)
    let full = chart.maximum ?? finite.max() ?? 0
    return zip(chart.bars, zip(labels, numbers)).map { bar, texts in
      var line = StyledLine(
        TextLayout.pad(TextLayout.truncate(texts.0, to: labelWidth), to: labelWidth))
      if cells >= 4 {
        let drawn = Self.bar(bar.value, of: full, cells: cells)
        line.append("  ")
        line.append(TextLayout.pad(drawn, to: cells), .success)
      }
      line.append("  " + TextLayout.pad(texts.1, to: numberWidth, trailing: true))
      return line
    }
  }

  private static func bar(_ value: Double, of full: Double, cells: Int) -> String {
    guard value.isFinite, full.isFinite, full > 0, value > 0 else { return "" }
    let eighths = Int((min(value / full, 1) * Double(cells * 8)).rounded())
    // A positive value always has a visible bar.
    guard eighths > 0 else { return String(parts[0]) }
    let part = eighths % 8
    return String(repeating: "█", count: eighths / 8)
      + (part > 0 ? String(parts[part - 1]) : "")
  }
}

/// Formats numbers with their units for users.
enum NumberText {
  /// The number with at most two decimals, a space and its unit.
  static func of(_ number: Double, unit: String = "") -> String {
    guard number.isFinite else { return "–" }
    let suffix = unit.isEmpty ? "" : " " + SafeText.line(unit)
    let hundredths = (number * 100).rounded()
    // Above this a `Double` can't represent hundredths exactly.
    guard abs(hundredths) < 1e15 else { return "\(number)" + suffix }
    let rounded = hundredths / 100
    return (Int(exactly: rounded).map(String.init) ?? String(rounded)) + suffix
  }

  /// A duration: in whole microseconds, or from 1 ms on in milliseconds.
  static func time(microseconds: Double) -> String {
    microseconds.rounded() < 1000
      ? "\(Int(microseconds.rounded())) µs" : of(microseconds / 1000, unit: "ms")
  }
}
