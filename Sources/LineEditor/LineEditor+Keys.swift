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
    case .tab: return complete(forward: !key.modifiers.contains(.shift))
    case .backspace where key.modifiers.isEmpty || key.modifiers == .shift:
      return deleteBackward()
    case .backspace: return kill(buffer.wordStart..<buffer.cursor, isBackward: true, last)
    case .delete where key.modifiers.isEmpty: return deleteForward()
    case .delete: return kill(buffer.cursor..<buffer.wordEnd, isBackward: false, last)
    case .left where key.modifiers.isEmpty: return move(to: buffer.cursor - 1)
    case .left: return move(to: buffer.wordStart)
    case .right where key.modifiers.isEmpty: return goRight()
    case .right: return goWordRight()
    case .home: return move(to: 0)
    case .end: return goToEnd()
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
    case "a": return move(to: 0)
    case "e": return goToEnd()
    case "b": return move(to: buffer.cursor - 1)
    case "f": return goRight()
    case "h": return deleteBackward()
    case "d":
      if buffer.isEmpty { return .ended }
      return deleteForward()
    case "k": return kill(buffer.cursor..<buffer.characters.count, isBackward: false, last)
    case "u": return kill(0..<buffer.cursor, isBackward: true, last)
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
    return move(to: buffer.characters.count)
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
}

extension LineEditor {
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
}
