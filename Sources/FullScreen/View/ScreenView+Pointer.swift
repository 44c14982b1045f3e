internal import LineEditor
internal import Shell
internal import Support

extension ScreenView {
  /// What a click meets.
  enum ClickPlace {
    case tab(Int)
    case control(Focus)
    /// A row of a list, `nil` for its titles; and whether it is its mark that is clicked.
    case row(Int?, Focus, isMark: Bool)

    var focus: Focus {
      switch self {
      case .tab: .tabs
      case .control(let focus), .row(_, let focus, _): focus
      }
    }
  }

  /// Handles the mouse: a click uses a control or chooses a row, the wheel scrolls.
  mutating func point(_ pointer: KeyPress.Pointer) -> Event {
    if scroll(by: pointer) { return .none }
    return place(of: pointer).map { click($0) } ?? .none
  }

  /// Scrolls if the wheel was turned; returns whether it was.
  mutating func scroll(by pointer: KeyPress.Pointer) -> Bool {
    guard let lines = pointer.scrolledLines else { return false }
    scroll(by: lines)
    return true
  }

  /// What is where the pointer is; `nil` if nothing can be clicked there.
  func place(of pointer: KeyPress.Pointer) -> ClickPlace? {
    if pointer.row == 0, hasTabs {
      return tabColumns.firstIndex { $0.contains(pointer.column) }.map { .tab($0) }
    }
    let area = pageArea
    guard area.rows.contains(pointer.row), area.columns.contains(pointer.column) else {
      return nil
    }
    let line = place.top + pointer.row - area.rows.lowerBound
    // The margin belongs to the page.
    let column = min(max(pointer.column - area.columns.lowerBound - 1, 0), pageWidth - 1)
    guard
      let stop = page.stops.first(where: {
        $0.lines.contains(line) && $0.block.columns.contains(column)
      })
    else { return nil }
    guard let (list, first) = page.list(stop) else { return .control(stop.focus) }
    let start = stop.block.columns.lowerBound + stop.block.indent + ControlBlock.gutter
    let isMark = list.isSelectable && (0..<3).contains(column - start)
    return .row(line >= first ? line - first : nil, stop.focus, isMark: isMark)
  }

  /// Selects a tab, uses a control, or chooses a row and then uses it.
  mutating func click(_ clicked: ClickPlace) -> Event {
    if case .tab(let index) = clicked { return selectTab(at: index) }
    let hadFocus = place.focus == clicked.focus
    setFocus(clicked.focus)
    guard case .row(let row, _, let isMark) = clicked else { return activate() }
    guard let row else { return .none }
    let wasRow = hadFocus && rowPosition == row
    moveRow(to: row)
    if isMark { return selectRow() }
    return wasRow ? activate() : .none
  }
}

extension KeyPress.Pointer {
  /// By how many lines the wheel was turned down; `nil` if it was not turned.
  var scrolledLines: Int? {
    switch action {
    case .wheelUp: -3
    case .wheelDown: 3
    case .press: nil
    }
  }
}
