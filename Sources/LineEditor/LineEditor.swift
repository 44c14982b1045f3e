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
