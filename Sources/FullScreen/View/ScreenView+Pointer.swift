internal import LineEditor
internal import Shell
internal import Support

extension ScreenView {
  /// Handles the mouse: a click uses a control or chooses a row, the wheel scrolls.
  mutating func point(_ pointer: KeyPress.Pointer) -> Event {
    switch pointer.action {
    case .wheelUp, .wheelDown:
      place.top += pointer.action == .wheelUp ? -3 : 3
      clampTop()
      return .none
    case .press: break
    }
    if pointer.row == 0, hasTabs {
      guard let tab = tabColumns.firstIndex(where: { $0.contains(pointer.column) }) else {
        return .none
      }
      return selectTab(at: tab)
    }
    let area = pageArea
    guard area.rows.contains(pointer.row), area.columns.contains(pointer.column) else {
      return .none
    }
    let line = place.top + pointer.row - area.rows.lowerBound
    guard let stop = page.stops.first(where: { $0.lines.contains(line) }) else { return .none }
    let hadFocus = place.focus == stop.focus
    setFocus(stop.focus)
    guard let (_, first) = page.list(stop) else { return activate() }
    guard line >= first else { return .none }
    let wasRow = hadFocus && rowPosition == line - first
    moveRow(to: line - first)
    return wasRow ? activate() : .none
  }
}
