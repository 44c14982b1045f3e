@_spi(Host) internal import AppCore
package import LineEditor
package import Shell
package import Support

/// An app's screens as a person looks at them full screen: the focus, the scroll positions, and
/// the text that is being typed.
///
/// A value without a terminal, and without the app. Its life:
/// 1. ``show(_:over:size:)`` lays out a screen, whenever it or the terminal's size has changed.
/// 2. ``press(_:)`` takes a key. It returns what the app has to do, if anything.
/// 3. ``picture()`` draws what is to be seen, of which the terminal's driver writes what has changed.
///
/// What is kept of a screen belongs to its instance, and there to the identity of its controls: it
/// survives every change of the screen, and other screens in between.
package struct ScreenView {
  /// What the app has to do about a key.
  package enum Event {
    case none
    /// Send the input to a control.
    case intent(Intent)
    /// Report that a control has not taken what was typed, which would have been this line.
    case refused(Rejection, line: String)
    /// Carry out a line of the shell.
    case line(String)
    /// Do one after the other.
    indirect case both(Event, Event)

    /// What the app has to do, one after the other.
    package var steps: [Event] {
      switch self {
      case .none: []
      case .intent, .refused, .line: [self]
      case .both(let first, let second): first.steps + second.steps
      }
    }
  }

  /// What a key does.
  enum Mode {
    /// Moves the focus, uses controls, or edits a field.
    case browsing
    /// Edits the text that is searched for in a list.
    case finding(Find)
    /// Edits a line of the shell.
    case command(LineEditor)
    /// Scrolls the output of a command.
    case reading(Reader)
  }

  /// A search in a list.
  struct Find {
    let list: ListKey
    var text = ""
    /// The row that had the cursor before.
    let origin: Int
    var isFailed = false
    /// The rows that are still to be searched; `nil` when the search has ended.
    var search: Search?
    /// Whether it was begun by a line, so that it ends with the search.
    var isLine = false
  }

  /// What is kept of an instance's screen.
  struct Place {
    var focus: Focus?
    /// The index of what has the focus; if that goes, the next control has it.
    var ordinal = 0
    /// The first line that is in view.
    var top = 0
    var lists: [ListKey: ListPlace] = [:]
    var editor: FieldEditor?
    /// The text that was being typed in a field that is disabled or gone, and what has had the focus
    /// since.
    var interrupted: (editor: FieldEditor, focus: Focus?)?
  }

  /// What is kept of a list.
  struct ListPlace {
    /// The row with the cursor, and its identifier, by which it is found when rows move.
    var position = 0
    var id: String?
    /// See ``RowsBlock/natural``; they are those of a table with so many columns, or of a list.
    var natural: [Int] = []
    var columnCount: Int?
    var firstColumn = 0
  }

  private(set) var size = GridSize(columns: 80, rows: 24)
  private(set) var screen: ShellScreen?
  private(set) var opener: ShellScreen?
  var page: Page
  /// The places by the owners of their screens.
  var places: [String: Place] = [:]
  /// The places of an earlier process whose screens were not shown yet.
  var restored: [String: SavedPlace] = [:]
  var mode = Mode.browsing
  /// What the person has to be told, until the next action: the last that there is room for.
  package var notices: [Notice] = [] {
    didSet {
      if notices.count > Self.noticeLimit { notices = notices.suffix(Self.noticeLimit) }
      if notices.count != oldValue.count { reveal() }
    }
  }
  /// The most lines that notices have.
  static let noticeLimit = 5
  /// The commands that may be typed, by which keys do the same.
  package var commands = Set(ShellCommand.all)
  private var history = History()
  /// Counts what was shown: equal if only keys have changed the view.
  private var edition = 0
  /// The views of the last pictures, each with the keys that were typed for it since.
  private var former: [(picture: Int, view: ScreenView)] = []

  /// The number of places from which on those of instances that are gone are dropped.
  private static let memory = 256
  /// How far a row is searched for that has moved.
  private static let rowSearch = 200
  /// The number of pictures for which keys may have been typed that are still to be handled.
  private static let formerLimit = 32

  /// Creates a view that shows nothing yet.
  package init() {
    page = Page(ShellScreen(ScreenContent(title: ""), owner: ""), width: 80)
  }

  var place: Place {
    get { places[screen?.owner ?? ""] ?? Place() }
    set { places[screen?.owner ?? ""] = newValue }
  }

  /// Shows a screen, in a box over the one that opened it if it is a dialog.
  ///
  /// `isLiving` tells whether an owner may be shown again, so that its place is worth keeping.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the screen without the rows of its lists.
  package mutating func show(
    _ screen: ShellScreen, over opener: ShellScreen? = nil, size: GridSize,
    isLiving: (String) -> Bool = { _ in true }
  ) {
    let isNew = self.screen?.owner != screen.owner || self.size != size
    let wasInView = isNew || isFocusInView
    if self.screen?.owner != screen.owner {
      if case .finding = mode { mode = .browsing }
      if places.count >= Self.memory {
        places = places.filter { $0.key == screen.owner || isLiving($0.key) }
      }
    }
    (self.screen, self.opener) = (screen, screen.chrome.isModal ? opener : nil)
    resize(to: size)
    edition += 1
    if let saved = restored.removeValue(forKey: screen.owner) {
      page = Page(screen, width: pageWidth)
      resume(saved, of: screen.owner)
    }
    layOut()
    if wasInView { reveal() } else { clampTop() }
  }

  /// Shows the output of a command, until a key closes it.
  package mutating func show(output lines: [String], title: String = "Output") {
    guard !lines.isEmpty else { return }
    edition += 1
    mode = .reading(Reader(title: title, lines, columns: readColumns))
  }

  /// The width of what is read, between margins.
  private var readColumns: Int { max(size.columns - 2, 1) }

  private mutating func resize(to size: GridSize) {
    guard size != self.size else { return }
    self.size = size
    guard case .reading(var reader) = mode else { return }
    reader.fit(columns: readColumns)
    mode = .reading(reader)
  }

  /// Offers the lines that were typed before.
  package mutating func remember(_ history: History) {
    self.history = history
    guard case .command(var editor) = mode else { return }
    editor.remember(history)
    mode = .command(editor)
  }

  /// The beginning of a line whose completions are needed; `nil` if none are.
  package mutating func wantedCompletions() -> String? {
    guard case .command(var editor) = mode else { return nil }
    defer { mode = .command(editor) }
    return editor.wantedCompletions
  }

  package mutating func receive(_ completions: CompletionList) {
    guard case .command(var editor) = mode else { return }
    editor.receive(completions)
    mode = .command(editor)
  }

  /// Begins a line of the shell.
  mutating func beginCommand(_ text: String = ":", cursor: Int = .max) {
    var editor = LineEditor()
    editor.remember(history)
    editor.begin(LineEditor.Question(prompt: ""), text: text)
    editor.moveCursor(to: cursor)
    mode = .command(editor)
  }

  /// Gives a control the focus, and begins to edit it if it is a field.
  package mutating func ask(_ prompt: Prompt) {
    guard let (_, stop) = page.stop(.control(prompt.identity)) else { return }
    setFocus(.control(prompt.identity))
    beginEditing(stop)
  }
}

// Keys that were typed for another picture than the last one.
extension ScreenView {
  /// Draws what is to be seen, for a person who types the next keys while seeing it.
  package mutating func picture(number: Int) -> Picture {
    var drawn = picture()
    drawn.number = number
    // Without the second, the nearest before it stands for it.
    if former.count >= Self.formerLimit { former.remove(at: 1) }
    former.append((number, withoutFormer))
    return drawn
  }

  /// Handles a key that was typed while a picture was seen; the number is 0 if that does not matter.
  ///
  /// If the screen has changed since, the key acts only where it would have acted on that picture,
  /// after the keys before it: a row that has come to where another one was is not opened.
  package mutating func press(_ key: KeyPress, typedFor picture: Int) -> Event {
    guard picture > 0, let index = former.lastIndex(where: { $0.picture <= picture }) else {
      return press(key)
    }
    former.removeFirst(index)
    if former[0].view.edition == edition {
      let event = press(key)
      former[0].view = withoutFormer
      return event
    }
    let isSame = former[0].view.target(of: key) == target(of: key)
    _ = former[0].view.press(key)
    if isSame { return press(key) }
    notices = [Notice("The screen changed while you typed; what was typed for it is ignored.")]
    return .none
  }

  private var withoutFormer: ScreenView {
    var view = self
    view.former = []
    return view
  }
}

// The layout, and what is kept across its changes.
extension ScreenView {
  /// Lays out the current screen again, and finds what has the focus on it.
  mutating func layOut() {
    guard let screen else { return }
    let width = pageWidth
    page = Page(screen, width: width, editor: place.editor)
    if let editor = place.editor, page.stop(.control(editor.field)) == nil {
      // The field is gone, or may not be changed, perhaps only for a moment.
      place.editor = nil
      page = Page(screen, width: width)
      findFocus()
      let former = place.interrupted?.editor
      place.interrupted = (editor, place.focus)
      if let former, former.field != editor.field, !former.text.isEmpty {
        let field = SafeText.line(former.field.text)
        notices.append(Notice("What was typed in '\(field)' is gone."))
      }
      return
    }
    if place.editor == nil, let (editor, focus) = place.interrupted, place.focus == focus,
      page.stop(.control(editor.field)) != nil
    {
      // Nothing else was done meanwhile.
      (place.editor, place.interrupted) = (editor, nil)
      place.focus = .control(editor.field)
      page = Page(screen, width: width, editor: editor)
    }
    findFocus()
  }

  private mutating func findFocus() {
    if place.focus == .tabs, hasTabs { return }
    if let (index, _) = page.stop(place.focus) {
      place.ordinal = index
    } else if page.stops.isEmpty {
      place.focus = nil
    } else {
      place.focus = page.stops[min(place.ordinal, page.stops.count - 1)].focus
    }
    followRow()
  }

  var hasTabs: Bool { screen?.chrome.tabs.isEmpty == false && screen?.chrome.isModal == false }

  /// Whether the tabs have the focus: by choice, or while the screen has nothing else to give it to.
  var areTabsFocused: Bool {
    place.focus == .tabs || hasTabs && place.focus == nil && page.stops.isEmpty
  }

  /// The list that has the focus, with the line of its first row; `nil` if a control has it.
  var focusedList: (list: RowList, firstLine: Int)? {
    page.stop(place.focus).flatMap { page.list($0.stop) }
  }

  mutating func setFocus(_ focus: Focus?) {
    place.focus = focus
    if let (index, _) = page.stop(focus) { place.ordinal = index }
    followRow()
    reveal()
  }

  /// Keeps the cursor of the list in focus on its row, if rows have moved or gone.
  private mutating func followRow() {
    guard let (list, _) = focusedList else { return }
    var kept = place.lists[list.key] ?? ListPlace()
    kept.position = min(max(kept.position, 0), list.count - 1)
    if let id = kept.id, list.row(kept.position).id != id {
      let near =
        max(kept.position - Self.rowSearch, 0)..<min(kept.position + Self.rowSearch, list.count)
      let found = near.filter { list.row($0).id == id }
      let nearest = found.min { abs($0 - kept.position) < abs($1 - kept.position) }
      kept.position = nearest ?? kept.position
    }
    kept.id = list.row(kept.position).id
    place.lists[list.key] = kept
  }

  /// Moves the cursor of the list in focus.
  mutating func moveRow(to position: Int) {
    guard let (list, _) = focusedList else { return }
    let position = min(max(position, 0), list.count - 1)
    place.lists[list.key, default: ListPlace()].position = position
    place.lists[list.key]?.id = list.row(position).id
    reveal()
  }

  /// The row with the cursor in the list in focus.
  var rowPosition: Int { focusedList.flatMap { place.lists[$0.list.key]?.position } ?? 0 }

  /// The lines of what has the focus; `nil` if that is not on the page.
  private var focusedLines: Range<Int>? {
    guard let (index, stop) = page.stop(place.focus) else { return nil }
    var lines = stop.lines
    if let line = page.cursorLine, page.control(stop)?.target.identity == place.editor?.field {
      // The label is in view with the first line.
      lines = (line - 1 <= lines.lowerBound ? lines.lowerBound : line)..<line + 1
    }
    if let (_, first) = page.list(stop) {
      let row = first + rowPosition
      // The titles of a table are in view with its first row.
      lines = (rowPosition == 0 ? lines.lowerBound : row)..<row + 1
    }
    // So is what is above the first control.
    return index == 0 && lines.upperBound <= pageRows ? 0..<lines.upperBound : lines
  }

  private var isFocusInView: Bool {
    guard let lines = focusedLines else { return place.top == 0 }
    return lines.overlaps(place.top..<place.top + pageRows)
  }

  /// Scrolls so that what has the focus is in view.
  mutating func reveal() {
    if let lines = focusedLines {
      place.top = max(place.top, lines.upperBound - pageRows)
      place.top = min(place.top, lines.lowerBound)
    }
    clampTop()
  }

  mutating func clampTop() { place.top = min(max(place.top, 0), max(page.height - pageRows, 0)) }
}
