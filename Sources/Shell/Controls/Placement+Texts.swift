@_spi(Host) internal import AppCore
internal import Support

extension Placement {
  /// The texts of the screen that can be searched, as the feature wrote them: not wrapped or
  /// truncated for printing, and without the values of secret fields.
  var texts: [String] {
    [title] + chrome.tabs.map(\.title) + chrome.notices.map(\.text)
      + elements.flatMap { Self.texts(of: $0.element) }
  }

  /// Whether one of the texts contains `text`, ignoring case.
  func contains(_ text: String) -> Bool {
    let wanted = Array(text.lowercased().utf8)
    return texts.contains { $0.holds(folded: wanted) }
  }

  private static func texts(of element: Element) -> [String] {
    switch element {
    case .plain(let element): texts(of: element)
    case .control(let control, _): texts(of: control)
    case .rows(let rows):
      (rows.total == 0 ? [rows.placeholder ?? ""] : []) + (rows.columns ?? []).map(\.title)
        + rows.rows.flatMap { $0.cells + [$0.cells.joined(separator: "  ")] }
    case .beginSection(let title): [title]
    case .endSection: []
    }
  }

  private static func texts(of element: ScreenElement) -> [String] {
    switch element {
    case .heading(let text), .text(let text, _), .preformatted(let text): return [text]
    case .keyValues(let pairs):
      return pairs.flatMap { [$0.key, $0.value, "\($0.key)  \($0.value)"] }
    case .progress(let progress): return [progress.label]
    case .sparkline(let series):
      let latest = series.values.last.map { NumberText.of($0, unit: series.unit) } ?? ""
      return [series.label, latest, "\(series.label): \(latest)"]
    case .bars(let chart):
      return chart.bars.flatMap { bar in
        let number = NumberText.of(bar.value, unit: chart.unit)
        return [bar.label, number, "\(bar.label): \(number)"]
      }
    case .divider, .control, .list, .table, .section: return []
    }
  }

  private static func texts(of control: ControlContent) -> [String] {
    let shown: String? =
      switch control.kind {
      case .button, .toggle: nil
      case .choice(let options, let selected): options.first { $0.id == selected }?.label ?? ""
      case .field(let field) where field.kind == .secret: nil
      case .field(let field): field.text.isEmpty ? field.placeholder ?? "" : field.text
      }
    return [control.label, control.problem ?? ""]
      + (shown.map { [$0, "\(control.label): \($0)"] } ?? [])
  }
}

extension String {
  /// Whether the text contains another one, which is given in lower case.
  package func holds(folded wanted: [UInt8]) -> Bool {
    wanted.isEmpty || UTF8Text.range(of: wanted, in: Array(lowercased().utf8)) != nil
  }
}
