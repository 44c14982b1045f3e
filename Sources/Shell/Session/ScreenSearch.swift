@_spi(Host) internal import AppCore
internal import Support

/// Searches the texts of a screen as the feature wrote them, not wrapped or truncated for printing.
struct ScreenSearch {
  /// The texts that are searched; values of secret fields are not among them.
  private(set) var texts: [String]

  init(_ placement: Placement) {
    let chrome = placement.chrome
    texts = [placement.title] + chrome.tabs.map(\.title) + chrome.notices.map(\.text)
    for (element, _) in placement.elements { add(element) }
  }

  /// Whether one of the texts contains `text`, ignoring case.
  func contains(_ text: String) -> Bool {
    let wanted = Array(text.lowercased().utf8)
    return texts.contains { $0.holds(folded: wanted) }
  }

  private mutating func add(_ element: Placement.Element) {
    switch element {
    case .plain(let element): add(element)
    case .control(let control, _): add(control)
    case .rows(let rows):
      if rows.total == 0 { texts.append(rows.placeholder ?? "") }
      texts += (rows.columns ?? []).map(\.title)
      for row in rows.rows {
        texts += row.cells
        texts.append(row.cells.joined(separator: "  "))
      }
    case .beginSection(let title): texts.append(title)
    case .endSection: break
    }
  }

  private mutating func add(_ element: ScreenElement) {
    switch element {
    case .heading(let text), .text(let text, _), .preformatted(let text): texts.append(text)
    case .keyValues(let pairs):
      for pair in pairs { texts += [pair.key, pair.value, "\(pair.key)  \(pair.value)"] }
    case .progress(let progress): texts.append(progress.label)
    case .sparkline(let series):
      let latest = series.values.last.map { NumberText.of($0, unit: series.unit) } ?? ""
      texts += [series.label, latest, "\(series.label): \(latest)"]
    case .bars(let chart):
      for bar in chart.bars {
        let number = NumberText.of(bar.value, unit: chart.unit)
        texts += [bar.label, number, "\(bar.label): \(number)"]
      }
    case .divider, .control, .list, .table, .section: break
    }
  }

  private mutating func add(_ control: ControlContent) {
    texts += [control.label, control.problem ?? ""]
    switch control.kind {
    case .button, .toggle: break
    case .choice(let options, let selected):
      let label = options.first { $0.id == selected }?.label ?? ""
      texts += [label, "\(control.label): \(label)"]
    case .field(let field):
      guard field.kind != .secret else { return }
      let text = field.text.isEmpty ? field.placeholder ?? "" : field.text
      texts += [text, "\(control.label): \(text)"]
    }
  }
}

extension String {
  /// Whether the text contains another one, which is given in lower case.
  package func holds(folded wanted: [UInt8]) -> Bool {
    wanted.isEmpty || UTF8Text.range(of: wanted, in: Array(lowercased().utf8)) != nil
  }
}
