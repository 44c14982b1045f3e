internal import Support

/// A line that a user types, with history, completion and undo.
///
/// A value without a terminal: keys go to ``press(_:)``, and ``view(size:)`` returns what to show.
/// Its life:
/// 1. ``begin(_:)`` asks for a line.
/// 2. Keys change it. If ``wantedCompletions`` is not `nil`, the owner passes completions of that
///    text to ``receive(_:)``.
/// 3. An ``Event`` says that the line is done, or what else the owner of the terminal has to do.
package struct LineEditor: Sendable {
  package struct Question: Sendable {
    /// The text before the line, without escape sequences.
    package var prompt: String
    /// Whether the input is neither shown nor stored.
    package var isSecret: Bool
    package var usesHistory: Bool

    /// Creates a question; the default is a line for the shell.
    package init(prompt: String, isSecret: Bool = false, usesHistory: Bool = true) {
      self.prompt = prompt
      self.isSecret = isSecret
      self.usesHistory = usesHistory && !isSecret
    }
  }

  /// The result of a key.
  package enum Event: Hashable, Sendable {
    /// The view may have changed.
    case changed
    /// The key has no effect here.
    case refused
    case submitted(String)
    /// The lines of a paste are to be run.
    case submittedLines([String])
    /// Ctrl-C.
    case cancelled
    /// Ctrl-D on an empty line.
    case ended
    /// Ctrl-Z.
    case suspended
    /// Ctrl-L.
    case cleared
    /// Page Up or Page Down.
    case scrolled(back: Bool)
    /// Ctrl-\.
    case quit
  }

  package internal(set) var history = History()
  package private(set) var question = Question(prompt: "> ")
  var buffer = LineBuffer()
  var killRing = KillRing()
  var undo = UndoStack()
  var walk: HistoryWalk?
  var search: HistorySearch?
  /// The lines of a paste, which the user has to confirm.
  var paste: [String]?
  var menu: CompletionMenu?
  /// The completions that were received last.
  var known: CompletionList?
  /// Whether Tab was pressed and its completions have not arrived.
  package internal(set) var awaitsCompletions = false
  /// A message below the line, until the next key.
  package var message: String?
  var lastCommand = Command.other
  private var cachedSuggestion: (text: String, rest: String?)?

  /// The kind of the previous command, on which the effect of the next key depends.
  enum Command: Hashable, Sendable { case other, typing, killing, yanking(Int) }

  package init() {}

  package mutating func begin(_ question: Question, text: String = "") {
    self.question = question
    buffer = LineBuffer(text)
    undo = UndoStack()
    (walk, search, paste, menu, known, message) = (nil, nil, nil, nil, nil, nil)
    awaitsCompletions = false
    lastCommand = .other
    cachedSuggestion = nil
  }

  package var text: String { buffer.text }

  /// The number of characters before the cursor.
  package var cursor: Int { buffer.cursor }

  /// Moves the cursor to a position, clamped to the line.
  package mutating func moveCursor(to position: Int) { buffer.move(to: position) }

  /// Whether the line is empty and neither a search nor a paste is in progress.
  package var isIdle: Bool { buffer.isEmpty && search == nil && paste == nil }

  /// Replaces the history, with that of earlier sessions.
  package mutating func remember(_ history: History) {
    self.history = history
    cachedSuggestion = nil
  }

  package mutating func press(_ key: KeyPress) -> Event {
    message = nil
    if let paste { return answer(paste, key) }
    if search != nil { return pressInSearch(key) }
    let last = lastCommand
    lastCommand = .other
    if key.code != .tab { awaitsCompletions = false }
    if menu != nil, let event = pressInMenu(key) { return event }
    return press(key, after: last)
  }

  /// The text that would complete the line, which is shown dimmed and accepted by → or Ctrl-E.
  var suggestion: String? {
    mutating get {
      guard buffer.isAtEnd, !buffer.isEmpty, menu == nil, search == nil, paste == nil,
        !question.isSecret
      else { return nil }
      let text = buffer.text
      if let cachedSuggestion, cachedSuggestion.text == text { return cachedSuggestion.rest }
      cachedSuggestion = (text, suggestion(for: text))
      return cachedSuggestion?.rest
    }
  }

  private func suggestion(for text: String) -> String? {
    if question.usesHistory, walk == nil {
      var position = history.newest(prefix: text)
      while let index = position {
        if let line = history.line(index), line != text, line.hasPrefix(text) {
          return String(line.dropFirst(text.count))
        }
        position = history.newest(before: index, prefix: text)
      }
    }
    guard let known, known.head == text else { return nil }
    let first = known.completions.first { $0.line.hasPrefix(text) && $0.line != text }
    return first.map { String($0.line.dropFirst(text.count)) }
  }

  mutating func forgetSuggestion() { cachedSuggestion = nil }
}

/// The editor's output: rows, and the position of the cursor in them.
package struct EditorView: Sendable {
  /// The prompt and the line, and below them the completions, the question or the message.
  package let rows: [String]
  /// The row and column, counted from 0.
  package let cursor: (row: Int, column: Int)
  package static let empty = EditorView(rows: [""], cursor: (0, 0))
}

extension LineEditor {
  package mutating func view(size: TerminalSize) -> EditorView {
    var layout = LineLayout(columns: size.columns)
    if let search { return view(of: search, &layout, size) }
    layout.add(question.prompt)
    addLine(&layout)
    if let suggestion { addSuggestion(suggestion, &layout) }
    let cursor = layout.cursor
    var rows = layout.finish()
    let room = min(max(size.rows - rows.count - 1, 1), 12)
    if let menu {
      rows += menu.rows(columns: size.columns, rows: room)
    } else if let paste {
      rows += question(about: paste, columns: size.columns, rows: room)
    } else if let message {
      rows += TerminalRows.of([SafeText.line(message)], columns: size.columns)
    }
    return EditorView(rows: rows, cursor: cursor)
  }

  /// The line as it stays on the terminal once it is done, without suggestion, list or question.
  package func finalRows(size: TerminalSize, mark: String = "") -> [String] {
    var layout = LineLayout(columns: size.columns)
    layout.add(question.prompt)
    if !question.isSecret { layout.add(buffer.characters) }
    layout.add(mark)
    return layout.finish()
  }

  private func addLine(_ layout: inout LineLayout) {
    guard !question.isSecret else { return layout.markCursor() }
    layout.add(buffer.characters[..<buffer.cursor])
    if buffer.isAtEnd {
      layout.markCursor()
    } else {
      // If a wide grapheme does not fit in the row, the cursor moves to the next row with it.
      layout.markCursor(before: buffer.characters[buffer.cursor])
      layout.add(buffer.characters[buffer.cursor...])
    }
  }

  /// Adds as much of a suggestion as fits in the row.
  private func addSuggestion(_ text: String, _ layout: inout LineLayout) {
    guard layout.room > 1 else { return }
    layout.add(TextLayout.truncate(SafeText.line(text), to: layout.room - 1), style: "2")
  }

  private func view(
    of search: HistorySearch, _ layout: inout LineLayout, _ size: TerminalSize
  ) -> EditorView {
    layout.add("search: ")
    layout.add(search.wanted)
    layout.markCursor()
    let cursor = layout.cursor
    var rows = layout.finish()
    if search.isFailed {
      rows += TerminalRows.of(["  no earlier line holds it"], columns: size.columns)
    }
    if let found = search.position.flatMap(history.line) {
      var below = LineLayout(columns: size.columns)
      below.add("  ")
      let line = Array(found)
      let range = Self.range(of: search.wanted, in: line)
      below.add(line[..<range.lowerBound])
      below.add(line[range], style: "4")
      below.add(line[range.upperBound...])
      rows += below.finish()
    }
    return EditorView(rows: rows, cursor: cursor)
  }

  /// The range of a text in a line, ignoring case; empty if the line does not contain it.
  private static func range(of text: String, in line: [Character]) -> Range<Int> {
    let wanted = text.lowercased()
    let count = text.count
    guard count > 0, line.count >= count else { return 0..<0 }
    let ranges = (0...line.count - count).lazy.map { $0..<$0 + count }
    return ranges.first { String(line[$0]).lowercased() == wanted } ?? 0..<0
  }

  private func question(about lines: [String], columns: Int, rows limit: Int) -> [String] {
    let shown = min(lines.count, max(limit - 2, 1))
    var rows = lines.prefix(shown).map {
      "│ " + TextLayout.truncate(SafeText.line($0), to: columns - 3)
    }
    let hidden = lines.count - shown
    if hidden > 0 { rows.append(TextLayout.truncate("│ … \(hidden) more", to: columns - 1)) }
    let text = "Run these \(lines.count) lines? y: run  n: drop  j: join into one line"
    return rows + TerminalRows.of([text], columns: columns)
  }
}

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
      walk.position = history.oldest(after: position, prefix: prefix)
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
