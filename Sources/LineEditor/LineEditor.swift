internal import Support

/// A line that a person types, and everything that helps with typing it.
///
/// A value without a terminal: keys go in by ``press(_:)``, what to show comes out of
/// ``view(size:)``. Its life:
/// 1. ``begin(_:)`` asks for a line.
/// 2. keys change it. History and completions are looked at as it goes; what the session knows it
///    hands over by ``receive(_:)``, for a head that ``wantedCompletions`` names.
/// 3. an ``Event`` says that the line is done, or what else the owner of the terminal has to do.
package struct LineEditor: Sendable {
  /// What is asked for.
  package struct Question: Sendable {
    /// What is before the line; without escape sequences.
    package var prompt: String
    /// Whether what is typed is not shown, and kept nowhere.
    package var isSecret: Bool
    /// Whether earlier lines may be taken again.
    package var usesHistory: Bool

    /// Creates a question; a line for the shell unless told otherwise.
    package init(prompt: String, isSecret: Bool = false, usesHistory: Bool = true) {
      self.prompt = prompt
      self.isSecret = isSecret
      self.usesHistory = usesHistory && !isSecret
    }
  }

  /// What a key came to.
  package enum Event: Hashable, Sendable {
    /// The view may be another one.
    case changed
    /// The key means nothing here.
    case refused
    case submitted(String)
    /// A paste of several lines is to be run.
    case submittedLines([String])
    /// Ctrl-C.
    case cancelled
    /// Ctrl-D on an empty line.
    case ended
    /// Ctrl-Z.
    case suspended
    /// Ctrl-L.
    case cleared
    /// Ctrl-\.
    case quit
  }

  package internal(set) var history = History()
  package private(set) var question = Question(prompt: "> ")
  var buffer = LineBuffer()
  var killRing = KillRing()
  var undo = UndoStack()
  var walk: HistoryWalk?
  package var search: HistorySearch?
  var paste: PastedLines?
  var menu: CompletionMenu?
  /// What the session knows about the line as it is.
  var known: CompletionList?
  /// Whether Tab waits for the session.
  package var isCompleting = false
  /// A word to the person, until the next key.
  package var message: String?
  private var lastCommand = Command.other
  private var cachedSuggestion: (text: String, rest: String?)?

  /// What the key before was, where the next one's meaning depends on it.
  package enum Command: Hashable, Sendable { case other, typing, killing, yanking(Int) }

  /// Creates an editor without a history.
  package init() {}

  /// Asks for a line, which begins empty.
  package mutating func begin(_ question: Question, text: String = "") {
    self.question = question
    buffer = LineBuffer(text)
    undo = UndoStack()
    (walk, search, paste, menu, known, message) = (nil, nil, nil, nil, nil, nil)
    isCompleting = false
    lastCommand = .other
    cachedSuggestion = nil
  }

  /// What has been typed.
  package var text: String { buffer.text }

  /// How many characters are before the cursor.
  package var cursor: Int { buffer.cursor }

  /// Puts the cursor after that many characters, or as near as the line allows.
  package mutating func moveCursor(to position: Int) { buffer.move(to: position) }

  /// Whether nothing has been typed, and nothing else continues.
  package var isIdle: Bool { buffer.isEmpty && search == nil && paste == nil }

  /// Tells the person something below the line, until the next key.
  package mutating func tell(_ message: String) { self.message = message }

  /// Takes on what earlier sessions typed.
  package mutating func remember(_ history: History) {
    self.history = history
    cachedSuggestion = nil
  }

  /// Adds a line as the newest of the history.
  package mutating func remember(_ line: String) {
    history.add(line)
    cachedSuggestion = nil
  }

  /// What a key comes to.
  package mutating func press(_ key: KeyPress) -> Event {
    message = nil
    if let paste { return answer(paste, key) }
    if search != nil { return pressInSearch(key) }
    let last = lastCommand
    lastCommand = .other
    if key.code != .tab { isCompleting = false }
    if menu != nil, let event = pressInMenu(key) { return event }
    return press(key, after: last)
  }

  package mutating func note(_ command: Command) { lastCommand = command }

  /// What would complete the line: shown grey behind it, and taken by → or Ctrl-E.
  var suggestion: String? {
    mutating get {
      guard buffer.isAtEnd, !buffer.isEmpty, menu == nil, search == nil, paste == nil,
        !question.isSecret
      else { return nil }
      let text = buffer.text
      if let cachedSuggestion, cachedSuggestion.text == text { return cachedSuggestion.rest }
      let rest = suggestion(for: text)
      cachedSuggestion = (text, rest)
      return rest
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
