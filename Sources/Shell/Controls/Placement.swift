@_spi(Host) internal import AppCore
internal import Support

/// A screen as it is printed: with the rows of the current pages, and with numbered controls.
struct Placement {
  enum Element {
    /// Anything without controls.
    case plain(ScreenElement)
    case control(ControlContent, number: Int)
    case rows(PlacedRows)
    case begin(ElementGroup)
    case end(ElementGroup)
  }

  /// The elements, each with the number of sections around it.
  private(set) var elements: [(element: Element, depth: Int)] = []
  /// The controls in the order of their numbers, from 1.
  private(set) var controls: [NumberedControl] = []
  let title: String
  /// See ``ShellScreen/name``.
  let name: String
  let chrome: Chrome
  private var budget = RowBudget()

  init(_ screen: ShellScreen, paging: Paging) {
    title = screen.content.title
    name = screen.name
    chrome = screen.chrome
    let index = ControlIndex(screen)
    var targets = index.controls[...]
    var lists = index.lists[...]
    let focus = paging.focus(in: index.lists)
    for step in ElementWalk(screen.content.elements) {
      switch step {
      case .begin(let group, let depth): elements.append((.begin(group), depth))
      case .end(let group): elements.append((.end(group), 0))
      case .element(.control(let control), let depth):
        let number = controls.count + 1
        elements.append((.control(control, number: number), depth))
        if let target = targets.popFirst() {
          controls.append(NumberedControl(target, number: number))
        }
      case .element(.list, let depth), .element(.table, let depth):
        guard let list = lists.popFirst() else { continue }
        let rows = place(list, paging: paging, hasFocus: list.key == focus)
        elements.append((.rows(rows), depth))
      case .element(let element, let depth): elements.append((.plain(element), depth))
      }
    }
  }

  private mutating func place(_ list: RowList, paging: Paging, hasFocus: Bool) -> PlacedRows {
    let page = paging.page(of: list)
    var rows: [PlacedRows.Row] = []
    for position in page {
      let content = list.row(position)
      let number = content.isControl ? controls.count + 1 : nil
      if let number {
        let target = ControlTarget(content, in: list, at: position)
        controls.append(NumberedControl(target, number: number))
      }
      rows.append(
        PlacedRows.Row(
          id: content.id, cells: budget.fit(content.cells), number: number,
          isFound: paging.isFound(list.key, position), isSelected: content.isSelected))
    }
    return PlacedRows(
      list: list, offset: page.lowerBound, total: max(list.count, 0), pageSize: paging.pageSize,
      hasFocus: hasFocus, rows: rows)
  }
}

/// One page of a list or table.
struct PlacedRows {
  struct Row {
    let id: String?
    /// The cells, cut to what may be shown.
    let cells: [String]
    /// The row's number; `nil` if it can't be chosen.
    let number: Int?
    /// Whether `:find` found this row last.
    let isFound: Bool
    /// Whether it is selected; `nil` if it can't be.
    let isSelected: Bool?

    var label: String { cells.first ?? "" }
  }

  let list: RowList
  let offset: Int
  let total: Int
  let pageSize: Int
  /// Whether `:next` and the other paging commands apply to this list.
  let hasFocus: Bool
  let rows: [Row]

  var isPaged: Bool { total > pageSize }
}

/// A control that was printed with a number; its identity tells later whether it still exists.
struct NumberedControl: Hashable, Sendable {
  let number: Int
  let label: String
  let id: String?
  let identity: ControlIdentity
  /// A row's index in its list; `nil` for other controls.
  let position: Int?

  init(_ target: ControlTarget, number: Int) {
    self.number = number
    label = target.label
    id = target.id
    identity = target.identity
    if case .row(let position) = target.kind { self.position = position } else { position = nil }
  }

  var reference: ControlReference { ControlReference(number: number, label: label, id: id) }
}

extension Placement {
  /// The texts of the screen that can be searched, as the feature wrote them: not wrapped or
  /// truncated for printing, and without the values of secret fields.
  var texts: [String] {
    [title] + chrome.tabs.map(\.title) + chrome.notices.map(\.text)
      + elements.flatMap { Self.texts(of: $0.element) }
  }

  private static func texts(of element: Element) -> [String] {
    switch element {
    case .plain(let element): texts(of: element)
    case .control(let control, _): texts(of: control)
    case .rows(let rows):
      (rows.total == 0 ? [rows.list.placeholder ?? ""] : [])
        + (rows.list.columns ?? []).map(\.title)
        + rows.rows.flatMap { $0.cells + [$0.cells.joined(separator: "  ")] }
    case .begin(.section(let title)): [title]
    case .begin, .end: []
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
    case .divider, .control, .list, .table, .section, .columns: return []
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
