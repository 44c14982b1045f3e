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

  mutating func complete(forward: Bool) -> Event {
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

/// The list of completions below the line, with the selected one.
struct CompletionMenu: Sendable {
  let list: CompletionList
  private(set) var selected: Int?

  init(_ list: CompletionList) { self.list = list }

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
