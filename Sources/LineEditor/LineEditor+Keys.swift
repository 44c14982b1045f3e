package import Support

// The effect of each key on the line.
extension LineEditor {
  mutating func press(_ key: KeyPress, after last: Command) -> Event {
    switch key.code {
    case .scalar(let scalar) where key.modifiers.isEmpty || key.modifiers == .shift:
      return type(scalar, after: last)
    case .scalar(let letter) where key.modifiers == .control: return control(letter, last)
    case .scalar(let letter) where key.modifiers.contains(.alt): return alt(letter, last)
    case .paste(let text): return insert(pasted: text)
    case .enter: return submit()
    case .tab: return complete()
    case .backspace where key.modifiers.isEmpty || key.modifiers == .shift:
      return deleteBackward()
    case .backspace: return kill(buffer.wordStart..<buffer.cursor, isBackward: true, last)
    case .delete where key.modifiers.isEmpty: return deleteForward()
    case .delete: return kill(buffer.cursor..<buffer.wordEnd, isBackward: false, last)
    case .left where key.modifiers.isEmpty: return move(to: buffer.cursor - 1)
    case .left: return move(to: buffer.wordStart)
    case .right where key.modifiers.isEmpty: return goRight()
    case .right: return goWordRight()
    case .home where key.modifiers.isEmpty: return move(to: buffer.lineStart)
    case .home: return move(to: 0)
    case .end where key.modifiers.isEmpty: return goToEnd()
    case .end: return move(to: buffer.characters.count)
    case .up: return walkHistory(older: true)
    case .down: return walkHistory(older: false)
    case .pageUp: return .scrolled(back: true)
    case .pageDown: return .scrolled(back: false)
    case .escape, .insert, .function, .pointer, .unknown, .scalar:
      return .refused
    }
  }

  private mutating func control(_ letter: Unicode.Scalar, _ last: Command) -> Event {
    switch letter {
    case "a": return move(to: buffer.lineStart)
    case "e": return goToEnd()
    case "b": return move(to: buffer.cursor - 1)
    case "f": return goRight()
    case "h": return deleteBackward()
    case "d":
      if buffer.isEmpty { return .ended }
      return deleteForward()
    case "k":
      // At the end of a line of several, its newline.
      let end = buffer.lineEnd == buffer.cursor ? buffer.cursor + 1 : buffer.lineEnd
      let range = (buffer.cursor..<end).clamped(to: 0..<buffer.characters.count)
      return kill(range, isBackward: false, last)
    case "u": return kill(buffer.lineStart..<buffer.cursor, isBackward: true, last)
    case "w": return kill(buffer.spacedWordStart..<buffer.cursor, isBackward: true, last)
    case "y": return yank(killRing.newest(), replacing: 0)
    case "t":
      undo.willChange(buffer)
      return buffer.transpose() ? changed() : .refused
    case "_", "/": return apply(undo.undo(buffer))
    case "p": return walkHistory(older: true)
    case "n": return walkHistory(older: false)
    case "r": return beginSearch()
    case "l": return .cleared
    case "c":
      menu = nil
      forgetSuggestion()
      return .cancelled
    case "z": return .suspended
    case "\\": return .quit
    case "g" where walk != nil: return leaveWalk()
    default: return .refused
    }
  }

  private mutating func alt(_ letter: Unicode.Scalar, _ last: Command) -> Event {
    switch letter {
    case "b", "B": return move(to: buffer.wordStart)
    case "f", "F": return goWordRight()
    case "d", "D": return kill(buffer.cursor..<buffer.wordEnd, isBackward: false, last)
    case "y", "Y":
      guard case .yanking(let count) = last else { return .refused }
      return yank(killRing.next(), replacing: count)
    case "/", "_": return apply(undo.redo(buffer))
    default: return .refused
    }
  }

  private mutating func type(_ scalar: Unicode.Scalar, after last: Command) -> Event {
    undo.willChange(buffer, isTyping: true, continues: last == .typing && scalar != " ")
    lastCommand = .typing
    guard buffer.insert(String(Character(scalar))) else { return tooLong() }
    return changed()
  }

  /// Inserts text at the cursor, with its line breaks.
  @discardableResult
  package mutating func insert(_ text: String) -> Event {
    undo.willChange(buffer)
    let isWhole = buffer.insert(text)
    let event = changed()
    return isWhole ? event : tooLong()
  }

  /// Replaces the whole text, with the cursor at its end.
  package mutating func replace(with text: String) {
    undo.willChange(buffer)
    buffer.replace(text)
    _ = changed()
  }

  private mutating func tooLong() -> Event {
    message = "a line holds at most \(LineBuffer.limit) characters; what is more was left out"
    return .refused
  }

  private mutating func submit() -> Event {
    undo.endTyping()
    forgetSuggestion()
    return .submitted(buffer.text)
  }

  /// Ends the history walk and the completion list after the line has changed.
  mutating func changed() -> Event {
    walk = nil
    menu = nil
    return .changed
  }

  mutating func move(to position: Int) -> Event {
    undo.endTyping()
    guard (0...buffer.characters.count).contains(position), position != buffer.cursor else {
      return .refused
    }
    buffer.move(to: position)
    return .changed
  }

  private mutating func goRight() -> Event {
    if buffer.isAtEnd, let suggestion { return insert(suggestion) }
    return move(to: buffer.cursor + 1)
  }

  private mutating func goToEnd() -> Event {
    if buffer.isAtEnd, let suggestion { return insert(suggestion) }
    return move(to: buffer.lineEnd)
  }

  /// Moves to the end of the word; at the end of the line it accepts the suggestion's next word.
  private mutating func goWordRight() -> Event {
    guard buffer.isAtEnd, let suggestion else { return move(to: buffer.wordEnd) }
    var whole = LineBuffer(buffer.text + suggestion)
    whole.move(to: buffer.cursor)
    return insert(String(whole.characters[buffer.cursor..<whole.wordEnd]))
  }

  private mutating func deleteBackward() -> Event {
    guard buffer.cursor > 0 else { return .refused }
    undo.willChange(buffer)
    buffer.removeBackward()
    return changed()
  }

  private mutating func deleteForward() -> Event {
    guard !buffer.isAtEnd else { return .refused }
    undo.willChange(buffer)
    buffer.remove(buffer.cursor..<buffer.cursor + 1)
    return changed()
  }

  private mutating func kill(_ range: Range<Int>, isBackward: Bool, _ last: Command) -> Event {
    guard !range.isEmpty else { return .refused }
    undo.willChange(buffer)
    let text = buffer.remove(range)
    // A secret must not be yanked into a line that is shown.
    if !question.isSecret {
      killRing.cut(text, isBackward: isBackward, continues: last == .killing)
    }
    lastCommand = .killing
    return changed()
  }

  private mutating func yank(_ text: String?, replacing count: Int) -> Event {
    guard let text else { return .refused }
    undo.willChange(buffer)
    if count > 0 { buffer.remove(buffer.cursor - count..<buffer.cursor) }
    let before = buffer.cursor
    let isWhole = buffer.insert(text)
    lastCommand = .yanking(buffer.cursor - before)
    let event = changed()
    return isWhole ? event : tooLong()
  }

  private mutating func apply(_ other: LineBuffer?) -> Event {
    guard let other else { return .refused }
    buffer = other
    return changed()
  }

  /// Inserts a paste; a paste of several lines needs a confirmation first.
  mutating func insert(pasted text: String) -> Event {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // A line that was copied as a whole ends with a newline, which is not a request to run it.
    while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
    if lines.count <= 1 { return lines.first.map { insert($0) } ?? .refused }
    guard !question.isSecret else {
      message = "what was pasted has \(lines.count) lines; a secret has one"
      return .refused
    }
    guard !lines.contains(where: { $0.count > LineBuffer.limit }) else {
      message = "what was pasted has a line of more than \(LineBuffer.limit) characters"
      return .refused
    }
    // The text before the cursor belongs to the first line, the text after it to the last.
    lines[0] = buffer.head + lines[0]
    lines[lines.count - 1] += String(buffer.characters[buffer.cursor...])
    menu = nil
    paste = lines
    return .changed
  }

  /// Handles the user's answer about a paste.
  mutating func answer(_ paste: [String], _ key: KeyPress) -> Event {
    switch (key.code, key.modifiers) {
    case (.scalar("y"), []), (.scalar("Y"), _):
      self.paste = nil
      return .submittedLines(paste)
    case (.scalar("j"), []), (.scalar("J"), _):
      self.paste = nil
      undo.willChange(buffer)
      buffer.replace(paste.joined(separator: " "))
      return .changed
    case (.scalar("n"), []), (.scalar("N"), _), (.escape, _), (.scalar("g"), .control),
      (.scalar("c"), .control):
      self.paste = nil
      return .changed
    case (.scalar("l"), .control): return .cleared
    case (.scalar("z"), .control): return .suspended
    default: return .refused
    }
  }

  /// The line up to the cursor, if the editor needs its completions; otherwise `nil`.
  ///
  /// They are needed for Tab, and for a suggestion if the history has none.
  package var wantedCompletions: String? {
    mutating get {
      guard !question.isSecret, search == nil, paste == nil else { return nil }
      let head = buffer.head
      guard known?.head != head else { return nil }
      if awaitsCompletions { return head }
      return buffer.isAtEnd && !buffer.isEmpty && menu == nil && suggestion == nil ? head : nil
    }
  }

  package mutating func giveUpCompleting() {
    awaitsCompletions = false
    message = "the app is busy; Tab asks again"
  }

  /// Takes completions; a list for a different line than the current one is ignored.
  package mutating func receive(_ list: CompletionList) {
    guard list.head == buffer.head, search == nil, paste == nil, menu == nil else { return }
    known = list
    forgetSuggestion()
    if awaitsCompletions { _ = complete(by: list) }
  }

  mutating func complete() -> Event {
    guard !question.isSecret else { return .refused }
    guard let known, known.head == buffer.head else {
      awaitsCompletions = true
      return .changed
    }
    return complete(by: known)
  }

  private mutating func complete(by list: CompletionList) -> Event {
    awaitsCompletions = false
    guard let first = list.completions.first else {
      message = "nothing completes this"
      return .refused
    }
    if list.completions.count == 1 {
      guard first.line != list.head || first.continues else { return .refused }
      setHead(first.line + (first.continues ? " " : ""))
      return .changed
    }
    let common = list.commonBeginning
    // A completion in quotes may have less in common with the others than was typed.
    if common != list.head, common.count >= list.head.count {
      setHead(common)
      // The remaining completions are already known; the next Tab lists them.
      let rest = list.completions.filter { $0.line.lowercased().hasPrefix(common.lowercased()) }
      known = CompletionList(head: common, rest)
      forgetSuggestion()
    } else {
      menu = CompletionMenu(list: list)
    }
    return .changed
  }

  /// Handles a key while completions are listed; `nil` if the key has its usual meaning.
  mutating func pressInMenu(_ key: KeyPress) -> Event? {
    guard var menu else { return nil }
    switch (key.code, key.modifiers) {
    case (.tab, _), (.down, []), (.up, []), (.scalar("n"), .control), (.scalar("p"), .control):
      let isBack =
        key.code == .up || key.code == .scalar("p") || key.modifiers.contains(.shift)
      menu.step(forward: !isBack)
      if let selection = menu.selection { setHead(selection.line) }
      self.menu = menu
      return .changed
    case (.escape, _), (.scalar("g"), .control):
      if menu.selected != nil { setHead(menu.list.head) }
      self.menu = nil
      return .changed
    case (.enter, _) where menu.selected != nil:
      // This Enter only accepts the completion; a second one runs the line.
      if menu.selection?.continues == true { _ = insert(" ") }
      self.menu = nil
      known = nil
      return .changed
    default:
      self.menu = nil
      return nil
    }
  }

  /// Replaces the text before the cursor.
  private mutating func setHead(_ text: String) {
    undo.willChange(buffer)
    walk = nil
    buffer.remove(0..<buffer.cursor)
    buffer.insert(text)
  }
}

/// The list of completions below the line, with the selected one.
struct CompletionMenu: Sendable {
  let list: CompletionList
  private(set) var selected: Int?

  var selection: Completion? { selected.map { list.completions[$0] } }

  /// Selects the next or previous completion; wraps around at the ends.
  mutating func step(forward: Bool) {
    let count = list.completions.count
    guard let selected else { return self.selected = forward ? 0 : count - 1 }
    self.selected = (selected + (forward ? 1 : count - 1)) % count
  }

  /// The rows of the list: none is wider than `columns`, and there are at most `limit`.
  func rows(columns: Int, rows limit: Int) -> [String] {
    let all = list.completions
    guard limit > 0, columns > 4 else { return [] }
    let shown = all.count <= limit ? all.count : max(limit - 1, 1)
    let first = selected.map { min(max($0 - shown + 1, 0), all.count - shown) } ?? 0
    let visible = all[first..<first + shown]
    let labels = visible.map { TextLayout.truncate(SafeText.line($0.label), to: columns - 3) }
    let widest = labels.map { DisplayWidth.of($0) }.max() ?? 0
    var lines = zip(visible, labels).enumerated().map { offset, entry in
      let (completion, label) = entry
      let isSelected = selected == first + offset
      let room = columns - widest - 5
      let detail = room > 3 ? TextLayout.truncate(SafeText.line(completion.detail), to: room) : ""
      let name = isSelected ? "› \u{1b}[7m\(label)\u{1b}[0m" : "  " + label
      guard !detail.isEmpty else { return name }
      let gap = String(repeating: " ", count: widest - DisplayWidth.of(label) + 2)
      return "\(name)\(gap)\u{1b}[2m\(detail)\u{1b}[0m"
    }
    if shown < all.count {
      lines.append(TextLayout.truncate("  … \(all.count - shown) more", to: columns - 1))
    }
    return lines
  }
}
