@_spi(Host) internal import AppCore
internal import Support

/// Draws a screen as linear text, for screen readers, braille displays and logs.
///
/// Each item is one line, in words: there are no escape sequences and no box-drawing characters,
/// and no information is in positions alone. Lines are not wrapped, so that each item is read as a
/// whole.
struct LinearFrame {
  private let placement: Placement
  private var output: [String] = []

  init(_ placement: Placement) { self.placement = placement }

  private var chrome: Chrome { placement.chrome }

  func lines() -> [String] {
    var frame = self
    frame.addHeader()
    frame.addBlank()
    let start = frame.output.count
    for (element, _) in placement.elements { frame.add(element) }
    while frame.output.count > start, frame.output.last == "" { frame.output.removeLast() }
    if frame.output.count == start { frame.output.append("(nothing here)") }
    if !chrome.isSettled {
      frame.output.append("Still working; what is shown may change. ':wait' waits longer.")
    }
    return frame.output
  }

  /// The text, prefixed with a word for its style.
  static func marked(_ text: String, _ style: TextStyle) -> [String] {
    let lead =
      switch style {
      case .plain, .secondary: ""
      case .success: "Done: "
      case .warning: "Warning: "
      case .error: "Error: "
      @unknown default: ""
      }
    return SafeText.lines(lead + SafeText.paragraph(text))
  }

  private mutating func addHeader() {
    output.append("Screen: " + placement.name + (chrome.isModal ? " (dialog)" : ""))
    if chrome.depth > 1 { output.append("Path: " + path) }
    if !chrome.tabs.isEmpty {
      let tabs = chrome.tabs.map { SafeText.line($0.title) + ($0.isSelected ? " (selected)" : "") }
      output.append("Tabs: " + tabs.joined(separator: ", "))
    }
    for notice in chrome.notices { output += Self.marked(notice.text, notice.style) }
  }

  private var path: String {
    var names = chrome.titles.map(SafeText.line)
    let hidden = chrome.depth - names.count
    if hidden > 0, !names.isEmpty { names.insert("\(hidden) more", at: 1) }
    return names.joined(separator: " > ")
  }

  private mutating func addBlank() {
    if !output.isEmpty, output.last != "" { output.append("") }
  }

  private mutating func add(_ element: Placement.Element) {
    switch element {
    case .plain(let element): add(element)
    case .control(let control, let number): add(control, number)
    case .rows(let rows): add(rows)
    case .begin(.section(let title)):
      addBlank()
      output.append("Section: " + SafeText.line(title))
    case .begin, .end: addBlank()
    }
  }

  private mutating func add(_ element: ScreenElement) {
    switch element {
    case .heading(let text):
      addBlank()
      output.append("Heading: " + SafeText.line(text))
    case .text(let text, let style): output += Self.marked(text, style)
    case .preformatted(let text): output += SafeText.preformatted(text)
    case .keyValues(let pairs):
      for pair in pairs { add(SafeText.line(pair.key), SafeText.paragraph(pair.value)) }
    case .divider: addBlank()
    case .progress(let progress):
      let label = SafeText.line(progress.label)
      let percent = progress.share.map { "\(Int(($0 * 100).rounded(.down))) %" }
      output.append(label + ": " + (percent ?? "at work"))
    case .sparkline(let series): output.append(text(of: series))
    case .bars(let chart):
      for bar in chart.bars {
        output.append(
          SafeText.line(bar.label) + ": " + NumberText.of(bar.value, unit: chart.unit))
      }
      if chart.bars.isEmpty { output.append("(no values)") }
    case .control, .list, .table, .section, .columns: break
    }
  }

  private func text(of series: SeriesContent) -> String {
    func number(_ value: Double) -> String { NumberText.of(value, unit: series.unit) }
    let finite = series.values.filter(\.isFinite)
    let label = SafeText.line(series.label)
    guard let latest = series.values.last, let low = finite.min(), let high = finite.max() else {
      return label + ": no values"
    }
    return "\(label): \(number(latest)); from \(number(low)) to \(number(high)) "
      + "in \(series.values.count) values"
  }

  /// `NAME: VALUE`; a value of several lines goes below, indented.
  private mutating func add(_ name: String, _ value: String) {
    let lines = SafeText.lines(value)
    guard lines.count > 1 else { return output.append("\(name): \(value)") }
    output.append(name + ":")
    output += lines.map { "  " + $0 }
  }

  private mutating func add(_ control: ControlContent, _ number: Int) {
    let label = "[\(number)] " + ShellScreen.label(of: control)
    switch control.kind {
    case .button: output.append(label)
    case .toggle(let isOn): output.append(label + (isOn ? ": on" : ": off"))
    case .choice(let options, let selected):
      let labels = Rejection.list(options.lazy.map { SafeText.line($0.label) }, limit: 12)
      let chosen = options.first { $0.id == selected }.map { SafeText.line($0.label) }
      output.append(
        "\(label): \(chosen ?? "none chosen"), "
          + (options.isEmpty ? "no options" : "one of \(labels)"))
    case .field(let field): add(field, label)
    }
    if let problem = control.problem { output += Self.marked(problem, .error) }
  }

  private mutating func add(_ field: FieldContent, _ label: String) {
    switch field.kind {
    case .secret: output.append(label + (field.isSet ? ": secret, set" : ": secret, not set"))
    case _ where field.text.isEmpty:
      let hint = field.placeholder.map { " (\(SafeText.line($0)))" } ?? ""
      output.append(label + ": empty" + hint)
    case .multiline: add(label, SafeText.paragraph(field.text))
    case .text, .number, .date: add(label, SafeText.line(field.text))
    }
  }

  private mutating func add(_ rows: PlacedRows) {
    addBlank()
    guard rows.total > 0 else {
      return output.append("(" + SafeText.line(rows.list.placeholder ?? "none") + ")")
    }
    let last = rows.offset + rows.rows.count
    var lead = rows.list.columns == nil ? "List" : "Table"
    lead +=
      rows.isPaged
      ? ", rows \(rows.offset + 1) to \(last) of \(rows.total)"
      : rows.total == 1 ? ", 1 row" : ", \(rows.total) rows"
    if let sort = rows.list.sort {
      lead += ", sorted by " + SafeText.line(sort.column)
      lead += sort.isDescending ? ", descending" : ""
    }
    if let count = rows.list.selectedCount { lead += ", \(count) selected" }
    if rows.isPaged, rows.hasFocus {
      lead += "; ':next', ':prev', ':page N' and ':find TEXT' show others"
    }
    output.append(lead + ":")
    let titles = (rows.list.columns ?? []).map { SafeText.line($0.title) }
    for row in rows.rows { output.append(text(of: row, titles)) }
    addBlank()
  }

  private func text(of row: PlacedRows.Row, _ titles: [String]) -> String {
    let cells = row.cells.enumerated().compactMap { index, cell -> String? in
      let cell = SafeText.line(cell)
      // The first cell is the row's label.
      guard index > 0, titles.indices.contains(index), !titles[index].isEmpty else { return cell }
      return cell.isEmpty ? nil : titles[index] + ": " + cell
    }
    let lead = row.number.map { "[\($0)] " } ?? "- "
    return lead + (row.isFound ? "found: " : "") + (row.isSelected == true ? "selected: " : "")
      + cells.joined(separator: "; ")
  }
}
