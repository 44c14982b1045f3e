/// A walk through the history with ↑ and ↓, over the lines that begin with the typed text.
struct HistoryWalk: Sendable {
  /// The line as it was typed, with which the lines begin.
  let origin: LineBuffer
  var position: Int?
}

/// An incremental search in the history.
struct HistorySearch: Sendable {
  /// The line as it was before the search.
  let origin: LineBuffer
  var wanted = ""
  var position: Int?
  var isFailed = false
}

extension LineEditor {
  mutating func walkHistory(older: Bool) -> Event {
    guard question.usesHistory else { return .refused }
    undo.endTyping()
    var walk = walk ?? HistoryWalk(origin: buffer)
    let prefix = walk.origin.text
    if older {
      var end = walk.position
      // Skip lines that equal the one that is shown.
      repeat {
        guard let next = history.newest(before: end, prefix: prefix, ignoresCase: true) else {
          return .refused
        }
        end = next
      } while history.line(end ?? 0) == buffer.text
      walk.position = end
    } else {
      guard let position = walk.position else { return .refused }
      walk.position = history.oldest(after: position, prefix: prefix, ignoresCase: true)
    }
    undo.willChange(buffer)
    if let line = walk.position.flatMap(history.line) {
      buffer.replace(line)
      self.walk = walk
    } else {
      buffer = walk.origin
      self.walk = nil
    }
    menu = nil
    return .changed
  }

  mutating func leaveWalk() -> Event {
    if let walk { buffer = walk.origin }
    walk = nil
    return .changed
  }

  mutating func beginSearch() -> Event {
    guard question.usesHistory else { return .refused }
    menu = nil
    search = HistorySearch(origin: buffer)
    return .changed
  }

  /// Handles a key during a search; a key that edits ends the search and applies to the found line.
  mutating func pressInSearch(_ key: KeyPress) -> Event {
    guard var search else { return .refused }
    switch key.code {
    case .scalar(let scalar) where key.modifiers.isEmpty || key.modifiers == .shift:
      search.wanted.unicodeScalars.append(scalar)
      return find(&search, from: search.position.map { $0 + 1 })
    case .paste(let text):
      search.wanted += text.split(separator: "\n").first ?? ""
      return find(&search, from: search.position.map { $0 + 1 })
    case .backspace:
      guard !search.wanted.isEmpty else { return .refused }
      search.wanted.removeLast()
      return find(&search, from: nil)
    case .scalar("r") where key.modifiers == .control:
      return find(&search, from: search.position)
    case .scalar("g") where key.modifiers == .control, .scalar("c") where key.modifiers == .control:
      buffer = search.origin
      self.search = nil
      return .changed
    case .scalar("l") where key.modifiers == .control: return .cleared
    case .scalar("z") where key.modifiers == .control: return .suspended
    case .escape:
      take(search)
      return .changed
    default:
      take(search)
      return press(key, after: .other)
    }
  }

  private mutating func find(_ search: inout HistorySearch, from end: Int?) -> Event {
    defer { self.search = search }
    guard !search.wanted.isEmpty else {
      search.position = nil
      search.isFailed = false
      return .changed
    }
    let found = history.newest(before: end, holding: search.wanted)
    search.isFailed = found == nil
    if let found { search.position = found }
    return found == nil ? .refused : .changed
  }

  private mutating func take(_ search: HistorySearch) {
    self.search = nil
    guard let line = search.position.flatMap(history.line) else { return }
    undo.willChange(buffer)
    buffer.replace(line)
  }
}
