@_spi(Host) internal import AppCore
package import LineEditor
internal import Shell
internal import Support

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
    case (.enter, _), (.scalar(" "), []): return activate()
    case (.escape, _): return .line(":back")
    case (.function(1), _): return showHelp()
    case (.scalar(":"), []): beginCommand()
    case (.scalar("q"), .control), (.scalar("d"), .control): return .line(":quit")
    case (.scalar("c"), .control):
      if commands.contains(.quit) { notices = [Notice("Ctrl-Q leaves the app.", style: .plain)] }
    case (.scalar(let digit), .alt):
      guard let number = Int(String(digit)), number > 0 else { return .none }
      return selectTab(at: number - 1)
    case (.pointer(let pointer), _): return point(pointer)
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

  private mutating func scroll(by lines: Int) {
    place.top += lines
    clampTop()
  }

  /// Left and right: another option, another tab, or other columns of a wide table.
  private mutating func sideways(_ step: Int) -> Event {
    if areTabsFocused { return selectTab(by: step) }
    if let (list, _) = focusedList {
      guard let columns = list.columns else { return .none }
      var kept = place.lists[list.key] ?? ListPlace()
      kept.firstColumn = min(max(kept.firstColumn + step, 0), max(columns.count - 2, 0))
      place.lists[list.key] = kept
      return .none
    }
    guard let (_, stop) = page.stop(place.focus), let (control, target) = page.control(stop),
      case .choice(let options, let selected) = control.kind, !options.isEmpty
    else { return .none }
    let position = options.firstIndex { $0.id == selected }
    let next = position.map { ($0 + step + options.count) % options.count } ?? 0
    return carryOut(target, giving: options[next].id)
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
      place.editor = FieldEditor(target.identity, field)
    }
    layOut()
    reveal()
    return true
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
    let effect = editor.press(key)
    place.editor = editor
    switch effect {
    case .none:
      if let message = editor.message { notices = [Notice(message)] }
      layOut()
      reveal()
      return .none
    case .abandoned:
      place.editor = nil
      layOut()
      reveal()
      return .none
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

  /// Ends the editing by something that leads elsewhere; a changed text is sent before.
  private mutating func leave(
    _ editor: FieldEditor, _ field: FieldContent, _ target: ControlTarget,
    for next: (inout ScreenView) -> Event
  ) -> Event {
    var event = Event.none
    if editor.text != field.text {
      event = send(editor, to: target)
      guard case .intent = event else { return event }
    } else {
      place.editor = nil
      layOut()
    }
    return .both(event, next(&self))
  }

  // MARK: Finding, and lines of the shell

  /// Gives a list the focus; returns `false` if there is none.
  private mutating func focusList() -> Bool {
    if focusedList != nil { return true }
    guard let stop = page.stops.first(where: { page.list($0) != nil }) else {
      notices = [Notice("There is no list on this screen to search.")]
      return false
    }
    setFocus(stop.focus)
    return true
  }

  private mutating func beginFinding() {
    guard focusList(), let (list, _) = focusedList else { return }
    mode = .finding(Find(list: list.key, origin: rowPosition))
  }

  private mutating func press(_ key: KeyPress, in find: Find) -> Event {
    var find = find
    mode = .browsing
    guard let list = list(of: find) else { return .none }
    var start = find.origin
    var isForward = true
    switch (key.code, key.modifiers) {
    case (.enter, _): return .none
    case (.escape, _), (.scalar("c"), .control), (.scalar("g"), .control):
      moveRow(to: find.origin)
      return .none
    case (.backspace, _):
      guard !find.text.isEmpty else { return .none }
      find.text.removeLast()
    case (.scalar(let scalar), []), (.scalar(let scalar), .shift):
      find.text.unicodeScalars.append(scalar)
    case (.paste(let text), _): find.text += text.prefix { !$0.isNewline }
    case (.down, _), (.tab, []): start = rowPosition + 1
    case (.up, _), (.tab, .shift): (start, isForward) = (rowPosition - 1, false)
    default:
      if case .pointer(let pointer) = key.code { _ = scroll(by: pointer) }
      mode = .finding(find)
      return .none
    }
    find.search = Search(in: list, from: start, forward: isForward)
    mode = .finding(find)
    return .none
  }

  /// The list of a search; `nil` if it is empty or gone.
  private func list(of find: Find) -> RowList? {
    focusedList.flatMap { $0.list.key == find.list ? $0.list : nil }
  }

  /// Whether a search goes on, in steps of ``search()``.
  package var isSearching: Bool {
    if case .finding(let find) = mode { find.search != nil } else { false }
  }

  /// Whether a key waits for the end of the search, since it acts on the row that is found; those
  /// that end the search never do.
  package func waitsForSearch(_ key: KeyPress) -> Bool {
    guard case .finding(let find) = mode, find.search != nil else { return false }
    if key.code == .escape || key == .control("c") { return false }
    return find.isLine || [.enter, .down, .up, .tab].contains(key.code)
  }

  /// Goes on with the search, for a few milliseconds: the app must not stand still because of it.
  package mutating func search() {
    guard case .finding(var find) = mode, var search = find.search else { return }
    let list = list(of: find)
    let found = list.flatMap { search.next(holding: find.text, in: $0) }
    let isDone = list == nil || search.isDone
    find.search = isDone || found != nil ? nil : search
    find.isFailed = found == nil && isDone
    if let found { moveRow(to: found) }
    if find.isLine, find.isFailed {
      notices = [Notice("no row holds '\(SafeText.line(find.text))'")]
    }
    mode = find.isLine && find.search == nil ? .browsing : .finding(find)
  }

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

/// A search in a list, from a row on; after the last row the first one follows.
struct Search {
  private var position: Int
  private var remaining: Int
  private let step: Int
  /// For how long rows are searched at a time.
  private static let time = Duration.milliseconds(8)

  init(in list: RowList, from start: Int, forward: Bool) {
    (position, step) = (start, forward ? 1 : -1)
    remaining = list.count
  }

  var isDone: Bool { remaining <= 0 }

  /// The next row that contains a text, ignoring case; `nil` if none does, or not yet.
  mutating func next(holding text: String, in list: RowList) -> Int? {
    let wanted = Array(text.lowercased().utf8)
    let end = ContinuousClock.now + Self.time
    // Rows may have gone.
    remaining = min(remaining, list.count)
    repeat {
      position = (position % list.count + list.count) % list.count
      let row = position
      (position, remaining) = (position + step, remaining - 1)
      if list.row(row).cells.contains(where: { $0.holds(folded: wanted) }) { return row }
    } while !isDone && ContinuousClock.now < end
    return nil
  }
}
