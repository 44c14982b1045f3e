@_spi(Host) internal import AppCore
package import LineEditor
internal import Shell

extension ScreenView {
  /// Handles a key.
  package mutating func press(_ key: KeyPress) -> Event {
    // It leaves the app from everywhere.
    if key == .control("q") { mode = .browsing }
    switch mode {
    case .reading(var reader):
      mode = reader.press(key, rows: bodyRows) ? .reading(reader) : .browsing
      return .none
    case .command(let editor): return press(key, in: editor)
    case .finding(let find): return press(key, in: find)
    case .browsing: return place.editor == nil ? browse(key) : edit(key)
    }
  }

  private mutating func browse(_ key: KeyPress) -> Event {
    switch (key.code, key.modifiers) {
    case (.tab, let modifiers): step(forward: !modifiers.contains(.shift), wraps: true)
    case (.pageUp, .control): return selectTab(by: -1)
    case (.pageDown, .control): return selectTab(by: 1)
    case (.up, _), (.down, _), (.pageUp, _), (.pageDown, _), (.home, _), (.end, _):
      move(key.code)
    case (.left, _): return sideways(-1)
    case (.right, _): return sideways(1)
    case (.scalar(" "), []) where focusedList?.list.isSelectable == true: return selectRow()
    case (.enter, _), (.scalar(" "), []): return activate()
    case (.escape, _): return .line(":back")
    case (.function(1), _): return showHelp()
    case (.scalar(":"), []): beginCommand()
    case (.scalar("q"), .control), (.scalar("d"), .control): return .line(":quit")
    case (.scalar("c"), .control):
      if let (_, target) = cancelButton { return carryOut(target, giving: nil) }
      if commands.contains(.quit) { notices = [Notice("Ctrl-Q leaves the app.", style: .plain)] }
    case (.scalar(let digit), .alt):
      guard let number = Int(String(digit)), number > 0 else { return .none }
      return selectTab(at: number - 1)
    case (.pointer(let pointer), _): return point(pointer)
    case (.scalar("1"..."9"), []) where focusedList?.list.isSortable == true:
      return sort(by: key.code)
    case (.scalar, []), (.paste, _):
      // A field takes what is typed without being asked to.
      if let (_, stop) = page.stop(place.focus), beginEditing(stop) { return edit(key) }
      if key.code == .scalar("?") { return showHelp() }
      // The shell says that it is not allowed.
      if key.code == .scalar("/"), !commands.contains(.find) { return .line(":find") }
      if key.code == .scalar("/") { beginFinding() }
    default: break
    }
    return .none
  }

  // MARK: Moving

  /// Gives the next control the focus, or the one before.
  private mutating func step(forward: Bool, wraps: Bool = false) {
    let all = (hasTabs ? [Focus.tabs] : []) + page.stops.map(\.focus)
    guard !all.isEmpty else { return }
    let index = all.firstIndex { $0 == place.focus } ?? 0
    let next = index + (forward ? 1 : -1)
    guard all.indices.contains(next) || wraps else { return }
    setFocus(all[(next + all.count) % all.count])
  }

  private mutating func move(_ code: KeyPress.Code) {
    if let (list, _) = focusedList {
      let (row, last) = (rowPosition, list.count - 1)
      let page = max(pageRows - 1, 1)
      switch code {
      case .up where row > 0: return moveRow(to: row - 1)
      case .down where row < last: return moveRow(to: row + 1)
      case .pageUp where row > 0: return moveRow(to: row - page)
      case .pageDown where row < last: return moveRow(to: row + page)
      case .home: return moveRow(to: 0)
      case .end: return moveRow(to: last)
      default: break
      }
    }
    switch code {
    case .up, .down: stepOrScroll(forward: code == .down)
    case .pageUp: scroll(by: -pageRows)
    case .pageDown: scroll(by: pageRows)
    case .home: scroll(by: -page.height)
    default: scroll(by: page.height)
    }
  }

  /// Moves to the next control if it is in view or follows closely, and otherwise scrolls by a line:
  /// a long text between two controls can be read.
  private mutating func stepOrScroll(forward: Bool) {
    let former = place
    step(forward: forward)
    let distance = abs(place.top - former.top)
    let isStuck = place.focus == former.focus
    guard isStuck || distance > max(pageRows / 2, 1) else { return }
    place = former
    scroll(by: forward ? 1 : -1)
    // Nothing is left to scroll.
    if place.top == former.top, !isStuck { step(forward: forward) }
  }

  mutating func scroll(by lines: Int) {
    place.top += lines
    clampTop()
  }

  /// Left and right: another option, another tab, other columns of a wide table, or what stands
  /// beside it.
  private mutating func sideways(_ step: Int) -> Event {
    if areTabsFocused { return selectTab(by: step) }
    guard let (_, stop) = page.stop(place.focus) else { return .none }
    if let (list, _) = page.list(stop), let columns = list.columns {
      let former = place.lists[list.key]?.firstColumn ?? 0
      let first = min(max(former + step, 0), max(columns.count - 2, 0))
      if first != former {
        place.lists[list.key, default: ListPlace()].firstColumn = first
        return .none
      }
    }
    guard let (control, target) = page.control(stop),
      case .choice(let options, let selected) = control.kind, !options.isEmpty
    else {
      let line = page.list(stop).map { $0.firstLine + rowPosition } ?? stop.lines.lowerBound
      let other = page.stop(beside: stop, level: line, toTheRight: step > 0)
      if let other { setFocus(other.focus) }
      return .none
    }
    let position = options.firstIndex { $0.id == selected }
    let next = position.map { ($0 + step + options.count) % options.count } ?? 0
    return carryOut(target, giving: options[next].id)
  }

  /// Sorts the table in focus by the column with a number, among those with titles.
  private func sort(by code: KeyPress.Code) -> Event {
    guard case .scalar(let digit) = code, let number = Int(String(digit)),
      let (list, _) = focusedList, number <= list.sortTitles.count
    else { return .none }
    // The shell says that it is not allowed.
    guard commands.contains(.sort) else { return .line(":sort") }
    return .intent(.activate(list.sorting(by: list.sortTitles[number - 1])))
  }

  /// Selects the row with the cursor, or no longer.
  func selectRow() -> Event {
    guard let (list, _) = focusedList,
      let isSelected = list.row(rowPosition).isSelected,
      let activation = list.selecting(rowPosition, !isSelected)
    else { return .none }
    return .intent(.activate(activation))
  }

  private func selectTab(by step: Int) -> Event {
    guard hasTabs, let tabs = screen?.chrome.tabs else { return .none }
    let selected = tabs.firstIndex(where: \.isSelected) ?? 0
    return selectTab(at: (selected + step + tabs.count) % tabs.count)
  }

  func selectTab(at index: Int) -> Event {
    guard hasTabs, let tabs = screen?.chrome.tabs, tabs.indices.contains(index) else {
      return .none
    }
    return .line(":tab \(tabs[index].name)")
  }

  // MARK: Using controls

  /// Uses what has the focus, as Enter does.
  mutating func activate() -> Event {
    if let (list, _) = focusedList {
      let row = list.row(rowPosition)
      guard row.isControl else { return .none }
      return carryOut(ControlTarget(row, in: list, at: rowPosition), giving: nil)
    }
    guard let (_, stop) = page.stop(place.focus), let (control, target) = page.control(stop) else {
      return .none
    }
    switch control.kind {
    case .button, .toggle: return carryOut(target, giving: nil)
    case .choice: return sideways(1)
    case .field:
      beginEditing(stop)
      return .none
    }
  }

  /// The first button that cancels a progress, which Ctrl-C presses.
  var cancelButton: (content: ControlContent, target: ControlTarget)? {
    page.stops.lazy.compactMap { page.control($0) }.first { $0.content.cancels != nil }
  }

  /// Gives a control a value, or presses it.
  private func carryOut(_ target: ControlTarget, giving text: String?) -> Event {
    let intent = target.intent(giving: text.map { .text($0) })
    guard case .refused(let rejection) = intent else { return .intent(intent) }
    return .refused(rejection, line: target.line(giving: text))
  }

  @discardableResult
  mutating func beginEditing(_ stop: Page.Stop) -> Bool {
    guard let (control, target) = page.control(stop), case .field(let field) = control.kind else {
      return false
    }
    if let (editor, _) = place.interrupted, editor.field == target.identity {
      (place.editor, place.interrupted) = (editor, nil)
    } else {
      place.editor = FieldEditor(target, field)
    }
    layOut()
    reveal()
    return true
  }

  /// The size of the part of a text of several lines that is in view.
  func textRoom(in block: Page.Block) -> GridSize {
    GridSize(
      columns: ControlBlock.textColumns(width: block.width), rows: max(pageRows, 2))
  }

  private mutating func edit(_ key: KeyPress) -> Event {
    guard var editor = place.editor, let (_, stop) = page.stop(.control(editor.field)),
      let (control, target) = page.control(stop), case .field(let field) = control.kind
    else { return .none }
    if case .pointer(let pointer) = key.code {
      if scroll(by: pointer) { return .none }
      // Elsewhere, and in the field itself, a click does nothing.
      guard let place = place(of: pointer), place.focus != .control(editor.field) else {
        return .none
      }
      return leave(editor, field, target) { $0.click(place) }
    }
    editor.update(from: field)
    editor.room = textRoom(in: stop.block)
    let effect = editor.press(key)
    place.editor = editor
    switch effect {
    case .none:
      editor.update(from: field)
      place.editor = editor
      if let message = editor.message { notices = [Notice(message)] }
      layOut()
      reveal()
      guard editor.isLive, editor.text != editor.sent ?? field.text else { return .none }
      let event = carryOut(target, giving: editor.text)
      if case .intent = event { place.editor?.sent = editor.text }
      return event
    case .abandoned:
      place.editor = nil
      layOut()
      reveal()
      return .none
    case .finished where editor.isLive: return leave(editor, field, target) { _ in .none }
    case .finished: return send(editor, to: target)
    case .left: return leave(editor, field, target) { $0.browse(key) }
    case .general:
      let staysBehind =
        switch key.code {
        case .function: true
        // As with Escape, only a text of several lines is sent.
        case .scalar("q"): !editor.isMultiline
        default: !hasTabs
        }
      return staysBehind ? browse(key) : leave(editor, field, target) { $0.browse(key) }
    }
  }

  /// Ends the editing with a value for the field; one that is rejected stays to be corrected.
  private mutating func send(_ editor: FieldEditor, to target: ControlTarget) -> Event {
    let event = carryOut(target, giving: editor.text)
    guard case .intent = event else { return event }
    place.editor = nil
    layOut()
    reveal()
    return event
  }

  /// The input for a text of several lines that has been typed and not sent.
  package mutating func sendText() -> Event {
    guard let editor = place.editor, editor.isMultiline,
      let (_, stop) = page.stop(.control(editor.field)), let (control, target) = page.control(stop),
      case .field(let field) = control.kind, editor.text != editor.sent ?? field.text
    else { return .none }
    return send(editor, to: target)
  }

  /// Ends the editing by something that leads elsewhere; a changed text is sent before.
  private mutating func leave(
    _ editor: FieldEditor, _ field: FieldContent, _ target: ControlTarget,
    for next: (inout ScreenView) -> Event
  ) -> Event {
    var event = Event.none
    if editor.text != editor.sent ?? field.text {
      event = send(editor, to: target)
      guard case .intent = event else { return event }
    } else {
      place.editor = nil
      layOut()
      reveal()
    }
    return .both(event, next(&self))
  }

  // MARK: Lines of the shell

  private mutating func press(_ key: KeyPress, in editor: LineEditor) -> Event {
    var editor = editor
    let event = editor.press(key)
    mode = .command(editor)
    switch event {
    case .submitted(let line):
      mode = .browsing
      return carryOut(line: line)
    case .submittedLines:
      notices = [Notice("Lines are carried out one at a time; of several none was.")]
      mode = .browsing
    case .cancelled, .ended: mode = .browsing
    case .refused where key.code == .escape || key.code == .backspace && editor.isIdle:
      mode = .browsing
    default: break
    }
    return .none
  }

  /// Carries out a line about the pages of lists, which are the view's own, and passes others on.
  private mutating func carryOut(line: String) -> Event {
    guard case .command(let command) = try? LineParser(supported: commands).parse(line) else {
      return [":", ""].contains(line) ? .none : .line(line)
    }
    switch command {
    case .find(let text):
      guard focusList(), let (list, _) = focusedList else { return .none }
      let search = Search(in: list, from: rowPosition + 1, forward: true)
      mode = .finding(
        Find(list: list.key, text: text, origin: rowPosition, search: search, isLine: true))
    case .next: move(.pageDown)
    case .previous: move(.pageUp)
    case .page(let number):
      guard focusList() else { return .none }
      moveRow(to: (max(number, 1) - 1).multipliedReportingOverflow(by: pageRows).partialValue)
    default: return .line(line)
    }
    return .none
  }
}
