internal import Support

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
    let labels = visible.map { TextCut.cut(SafeText.line($0.label), to: columns - 3) }
    let widest = labels.map { DisplayWidth.of($0) }.max() ?? 0
    var lines = zip(visible, labels).enumerated().map { offset, entry in
      let (completion, label) = entry
      let isSelected = selected == first + offset
      let padding = String(repeating: " ", count: widest - DisplayWidth.of(label))
      let room = columns - widest - 5
      let detail = room > 3 ? TextCut.cut(SafeText.line(completion.detail), to: room) : ""
      let lead = isSelected ? "› " : "  "
      let name = isSelected ? "\u{1b}[7m\(label)\u{1b}[0m" : label
      guard !detail.isEmpty else { return lead + name }
      return lead + name + padding + "  \u{1b}[2m" + detail + "\u{1b}[0m"
    }
    if shown < all.count {
      lines.append(TextCut.cut("  … \(all.count - shown) more", to: columns - 1))
    }
    return lines
  }
}

/// Truncates text to a number of columns.
enum TextCut {
  /// The text; if it is wider than `columns`, its beginning and `…`.
  static func cut(_ text: String, to columns: Int) -> String {
    guard DisplayWidth.of(text) > columns else { return text }
    var result = ""
    var width = 0
    for character in text {
      let step = DisplayWidth.of(character)
      if width + step > columns - 1 { break }
      result.append(character)
      width += step
    }
    return columns > 0 ? result + "…" : ""
  }
}
