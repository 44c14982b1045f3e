package import Support

extension LineEditor {
  /// The line up to the cursor, if the editor needs its completions; otherwise `nil`.
  ///
  /// They are needed for Tab, and for a suggestion if the history has none.
  package var wantedCompletions: String? {
    mutating get {
      guard !question.isSecret, search == nil, paste == nil else { return nil }
      let head = buffer.head
      guard known?.head != head else { return nil }
      if isCompleting { return head }
      return buffer.isAtEnd && !buffer.isEmpty && menu == nil && suggestion == nil ? head : nil
    }
  }

  /// Whether Tab was pressed and its completions have not arrived.
  package var awaitsCompletions: Bool { isCompleting }

  /// Stops waiting for completions.
  package mutating func giveUpCompleting() {
    isCompleting = false
    message = "the app is busy; Tab asks again"
  }

  /// Takes completions; a list for a different line than the current one is ignored.
  package mutating func receive(_ list: CompletionList) {
    guard list.head == buffer.head, search == nil, paste == nil, menu == nil else { return }
    known = list
    forgetSuggestion()
    if isCompleting { _ = complete(by: list) }
  }

  mutating func complete(forward: Bool) -> Event {
    guard !question.isSecret else { return .refused }
    guard let known, known.head == buffer.head else {
      isCompleting = true
      return .changed
    }
    return complete(by: known)
  }

  private mutating func complete(by list: CompletionList) -> Event {
    isCompleting = false
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
      menu = CompletionMenu(list)
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
