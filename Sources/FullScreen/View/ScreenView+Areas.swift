internal import Shell
internal import Support

// Which part of the terminal shows what.
extension ScreenView {
  private static let widestDialog = 76

  /// Whether there is room for the lines between the parts.
  var hasRules: Bool { size.rows >= 10 }

  /// What is between the top line and the last line.
  var bodyArea: Area {
    let edge = hasRules ? 1 : 0
    return Area(
      rows: 1 + edge..<max(1 + edge, size.rows - 1 - edge - noticeLines.count),
      columns: 0..<size.columns)
  }

  var bodyRows: Int { bodyArea.rows.count }

  /// The frame of a dialog; `nil` for other screens.
  var dialogArea: Area? {
    guard screen?.chrome.isModal == true else { return nil }
    let body = bodyArea
    let width = dialogWidth
    let height = min(page.height + 2, body.rows.count)
    let row = body.rows.lowerBound + (body.rows.count - height) / 2
    let column = (size.columns - width) / 2
    return Area(rows: row..<row + height, columns: column..<column + width)
  }

  private var dialogWidth: Int {
    min(size.columns < 40 ? size.columns : size.columns - 6, Self.widestDialog)
  }

  /// The width for which pages are laid out: without a margin, and without the scroll bar.
  var pageWidth: Int {
    let width = screen?.chrome.isModal == true ? dialogWidth - 2 : size.columns
    return max(width - 2, 8)
  }

  /// Where the page is seen, with the columns of the margin and the scroll bar.
  var pageArea: Area { dialogArea?.inset(rows: 1, 1, columns: 1, 1) ?? bodyArea }

  var pageRows: Int { max(pageArea.rows.count, 1) }

  /// The lines that tell a person something, above the last line.
  var noticeLines: [StyledLine] {
    let limit = max(min(size.rows / 4, Self.noticeLimit), 1)
    let lines = notices.flatMap {
      TextFrame.marked($0.text, $0.style, width: max(size.columns - 2, 8))
    }
    return lines.suffix(limit)
  }

  /// The columns of each tab in the top line.
  var tabColumns: [Range<Int>] {
    guard hasTabs, let tabs = screen?.chrome.tabs else { return [] }
    let titles = tabs.map { DisplayWidth.of(SafeText.line($0.title)) + 2 }
    // All of them at the right, or as many as fit from the selected one on.
    let total = titles.reduce(0) { $0 + $1 + 2 } + 1
    let selected = tabs.firstIndex(where: \.isSelected) ?? 0
    let isWhole = total <= size.columns * 2 / 3
    var column = isWhole ? size.columns - total + 2 : max(size.columns / 3, 1)
    return titles.enumerated().map { index, width in
      guard isWhole || index >= selected, column < size.columns - 1 else { return 0..<0 }
      let end = min(column + width, size.columns - 1)
      defer { column = end + 2 }
      return column..<end
    }
  }
}
