@_spi(Host) internal import AppCore
package import LineEditor
internal import Shell
internal import Support

// Finding a row of a list while one types.
extension ScreenView {
  /// Gives a list the focus; returns `false` if there is none.
  mutating func focusList() -> Bool {
    if focusedList != nil { return true }
    guard let stop = page.stops.first(where: { page.list($0) != nil }) else {
      notices = [Notice("There is no list on this screen to search.")]
      return false
    }
    setFocus(stop.focus)
    return true
  }

  mutating func beginFinding() {
    guard focusList(), let (list, _) = focusedList else { return }
    mode = .finding(Find(list: list.key, origin: rowPosition))
  }

  mutating func press(_ key: KeyPress, in find: Find) -> Event {
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
