@_spi(Host) internal import AppCore
internal import Support

extension TextFrame {
  /// The title with the path, the tabs and the notices.
  func header() -> [StyledLine] {
    var lines = titleLines()
    if !chrome.tabs.isEmpty { lines += tabLines() }
    for notice in chrome.notices {
      lines += Self.marked(notice.text, notice.style, width: min(width, Self.maximumTextWidth))
    }
    return lines
  }

  /// The note below a screen that may still change; empty for others.
  func footer() -> [StyledLine] {
    guard !chrome.isSettled else { return [] }
    let text = "… still working; what is shown may change (:wait waits longer)"
    return [StyledLine()] + StyledLine.wrap(text, to: min(width, Self.maximumTextWidth), .warning)
  }

  private func titleLines() -> [StyledLine] {
    let measure = min(width, Self.maximumTextWidth)
    var line = StyledLine("── ", .dim)
    line.append(TextLayout.truncate(placement.name, to: measure - 4), .strong)
    if chrome.isModal, line.width + 11 <= measure { line.append(" · dialog", .dim) }
    var below: [StyledLine] = []
    if chrome.depth > 1 {
      let room = measure - line.width - 6
      let whole = chrome.breadcrumb(width: .max)
      if DisplayWidth.of(whole) <= room {
        line.append(" ── " + whole, .dim)
      } else {
        below = [StyledLine("   " + chrome.breadcrumb(width: measure - 3), .dim)]
      }
    }
    let rest = measure - line.width - 1
    if rest > 0 { line.append(" " + String(repeating: "─", count: rest), .dim) }
    return [line] + below
  }

  private func tabLines() -> [StyledLine] {
    var lines = [StyledLine("   ")]
    var isFirst = true
    for tab in chrome.tabs {
      let mark = tab.isSelected ? "● " : "○ "
      let text = TextLayout.truncate(SafeText.line(tab.title), to: width - 8)
      let piece = StyledLine(mark + text, tab.isSelected ? .strong : .dim)
      if !isFirst, lines[lines.count - 1].width + 3 + piece.width > width {
        lines.append(StyledLine("   ") + piece)
      } else {
        lines[lines.count - 1].append(StyledLine(isFirst ? "" : "   ") + piece)
      }
      isFirst = false
    }
    return lines
  }
}

extension Chrome {
  /// The path on one line: the first name, as many of the last names as fit, and the number of names
  /// between them.
  package func breadcrumb(width: Int) -> String {
    let arrow = " › "
    let names = titles.map(SafeText.line)
    let depth = max(depth, names.count)
    guard let first = names.first, names.count > 1 else {
      return TextLayout.truncate(names.first ?? "", to: width)
    }
    let rest = names.dropFirst()
    let widths = rest.map { DisplayWidth.of(arrow) + DisplayWidth.of($0) }
    var used = widths.reduce(DisplayWidth.of(first), +)
    if depth == names.count, used <= width { return names.joined(separator: arrow) }
    for (place, own) in widths.enumerated() {
      let kept = rest.count - place
      let hidden = depth - 1 - kept
      let gap = "… \(hidden) …"
      if hidden > 0, used + DisplayWidth.of(arrow + gap) <= width {
        return ([first, gap] + rest.suffix(kept)).joined(separator: arrow)
      }
      used -= own
    }
    return TextLayout.truncate("…" + arrow + (rest.last ?? first), to: width)
  }
}
