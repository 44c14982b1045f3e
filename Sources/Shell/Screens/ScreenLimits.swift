@_spi(Host) internal import AppCore

/// The limits of a screen: a huge one must not exhaust the shell's memory or hide the prompt.
///
/// A list or table counts as one element with at most 20 lines, whatever its length: only a page of
/// its rows is created. The cells of all rows that are shown have limits of their own.
public enum ScreenLimits {
  /// The maximum number of elements, including sections and the elements in them.
  public static let elements = 20_000
  /// The maximum number of lines of all texts together, before wrapping.
  public static let lines = 20_000
  /// The maximum number of bytes of all texts and labels together.
  public static let bytes = 256 << 10
  /// The maximum number of bytes of the cells of one row.
  static let rowBytes = 4 << 10
  /// The number of lines that a list or table takes, if it has so many rows.
  static let rows = 20
}

extension ScreenContent {
  /// The screen within the limits, with a note where it is cut.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the part within the limits.
  func bounded() -> ScreenContent {
    var bounded = self
    if title.utf8.count > 1024 { bounded.title = title.cut(toBytes: 1024) + "…" }
    bounded.elements = ScreenBudget.cut(elements)
    return bounded
  }
}

private struct ScreenBudget {
  private var elements = ScreenLimits.elements
  private var lines = ScreenLimits.lines
  private var bytes = ScreenLimits.bytes

  /// The elements within the limits, with the note.
  static func cut(_ all: [ScreenElement]) -> [ScreenElement] {
    var budget = ScreenBudget()
    // The open groups, the innermost last; not recursive, since a feature decides how deep.
    var open: [(group: ElementGroup?, elements: [ScreenElement], columns: [[ScreenElement]])] =
      [(nil, [], [])]
    func append(_ element: ScreenElement) {
      // The note may come where a column would begin.
      if case .columns = open[open.count - 1].group {
        open[open.count - 1].columns.append([element])
      } else {
        open[open.count - 1].elements.append(element)
      }
    }
    func close() {
      guard let closed = open.popLast() else { return }
      switch closed.group {
      case .section(let title): append(.section(title: title, elements: closed.elements))
      case .columns: append(.columns(closed.columns))
      case .column: open[open.count - 1].columns.append(closed.elements)
      case nil: break
      }
    }
    var isCut = false
    /// Whether the next element fits, if necessary within the reserve for controls.
    func hasRoom(_ consume: (inout ScreenBudget) -> Bool) -> Bool {
      if budget.consumeIfItFits(consume) { return true }
      guard !isCut else { return false }
      isCut = true
      budget = .controls
      append(.text(note, .warning))
      return budget.consumeIfItFits(consume)
    }
    walk: for step in ElementWalk(all) {
      switch step {
      case .element(let element, _) where element.isText:
        if isCut { continue }
        let before = budget
        if budget.consume(element) {
          append(element)
          continue
        }
        if let head = before.head(of: element) { append(head) }
        isCut = true
        budget = .controls
        append(.text(note, .warning))
      case .element(let element, _):
        guard hasRoom({ $0.consume(element) }) else {
          // An element that exceeds the whole reserve is left out; later ones may fit.
          var all = ScreenBudget.controls
          if all.consume(element) { break walk } else { continue }
        }
        append(element)
      case .begin(let group, _):
        let title = if case .section(let title) = group { title } else { "" }
        guard hasRoom({ $0.consume(title) }) else { break walk }
        open.append((group, [], []))
      case .end: close()
      }
    }
    while open.count > 1 { close() }
    return open[0].elements
  }

  private static let note =
    "The screen is longer, and is cut here: at most \(ScreenLimits.elements) elements, "
    + "\(ScreenLimits.lines) lines and \(ScreenLimits.bytes >> 10) KiB of text are shown. "
    + "What follows are its controls."

  /// The reserve for controls after texts that use up the budget: without controls a user could not
  /// leave the screen.
  private static let controls = ScreenBudget(elements: 1000, lines: 1000, bytes: 64 << 10)

  /// Takes something if there is room for it; otherwise the budget stays as it is.
  private mutating func consumeIfItFits(_ consume: (inout ScreenBudget) -> Bool) -> Bool {
    var rest = self
    guard consume(&rest) else { return false }
    self = rest
    return true
  }

  private mutating func consume(_ text: String) -> Bool {
    elements -= 1
    lines -= 1
    bytes -= text.utf8.count
    return elements >= 0 && lines >= 0 && bytes >= 0
  }

  private mutating func consume(_ element: ScreenElement) -> Bool {
    elements -= 1
    switch element {
    case .heading(let text), .text(let text, _), .preformatted(let text):
      bytes -= text.utf8.count
      // Don't scan a text that is too large anyway.
      if bytes >= 0 { lines -= 1 + text.utf8.count { $0 == 0x0a } }
    case .keyValues(let pairs):
      lines -= pairs.count
      if lines >= 0 { for pair in pairs { bytes -= pair.key.utf8.count + pair.value.utf8.count } }
    case .control(let control):
      lines -= 1
      bytes -= control.label.utf8.count + (control.problem?.utf8.count ?? 0)
      bytes -= (control.id?.utf8.count ?? 0) + (control.cancels?.utf8.count ?? 0)
      switch control.kind {
      case .choice(let options, let selected):
        bytes -= selected?.utf8.count ?? 0
        for option in options { bytes -= option.id.utf8.count + option.label.utf8.count + 1 }
      case .field(let field):
        bytes -= field.text.utf8.count + (field.placeholder?.utf8.count ?? 0)
        for suggestion in field.suggestions { bytes -= suggestion.utf8.count + 1 }
      case .button, .toggle: break
      }
    case .progress(let progress):
      lines -= 1
      bytes -= progress.label.utf8.count
    case .sparkline(let series):
      lines -= 1
      // About the length of a number as text.
      bytes -= series.label.utf8.count + series.unit.utf8.count + 8 * series.values.count
    case .bars(let chart):
      lines -= chart.bars.count
      // Each number is printed with the unit.
      let number = 8 + chart.unit.utf8.count
      if lines >= 0 { for bar in chart.bars { bytes -= bar.label.utf8.count + number } }
    case .list(let list): consumeRows(list.count, list.id, list.placeholder)
    case .table(let table):
      consumeRows(table.count, table.id, table.placeholder)
      for column in table.columns { bytes -= column.title.utf8.count + 1 }
    case .divider, .section, .columns: lines -= 1
    }
    return elements >= 0 && lines >= 0 && bytes >= 0
  }

  private mutating func consumeRows(_ count: Int, _ id: String?, _ placeholder: String?) {
    lines -= 1 + min(max(count, 0), ScreenLimits.rows)
    bytes -= (id?.utf8.count ?? 0) + (placeholder?.utf8.count ?? 0)
  }

  /// The part of a text that fits; `nil` if nothing fits, or the element can't be cut.
  private func head(of element: ScreenElement) -> ScreenElement? {
    guard elements > 0, lines > 0, bytes > 0 else { return nil }
    return switch element {
    case .text(let text, let style): .text(head(of: text), style)
    case .preformatted(let text): .preformatted(head(of: text))
    default: nil
    }
  }

  private func head(of text: String) -> String {
    var lines = lines
    var end = 0
    for byte in text.utf8.prefix(bytes) {
      if byte == 0x0a {
        lines -= 1
        if lines == 0 { break }
      }
      end += 1
    }
    return text.cut(toBytes: end)
  }
}

/// The remaining budget for the cells of the rows that a screen shows.
package struct RowBudget {
  private var bytes = ScreenLimits.bytes

  package init() {}

  /// The cells within the budget; a cell that does not fit is cut, and those after it are left out.
  package mutating func fit(_ cells: [String]) -> [String] {
    let room = min(bytes, ScreenLimits.rowBytes)
    var rest = room
    defer { bytes -= room - rest }
    var kept: [String] = []
    for cell in cells {
      // An empty cell takes space, too.
      let size = cell.utf8.count + 1
      guard size <= rest else {
        kept.append(cell.cut(toBytes: rest) + "…")
        rest = 0
        return kept
      }
      rest -= size
      kept.append(cell)
    }
    return kept
  }
}

extension ScreenElement {
  /// Whether the element is left out once the screen is cut: texts, charts and dividers.
  fileprivate var isText: Bool {
    switch self {
    case .heading, .text, .preformatted, .keyValues, .divider, .sparkline, .bars: true
    default: false
    }
  }
}

extension String {
  /// The longest prefix of whole scalars with at most `count` bytes.
  fileprivate func cut(toBytes count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(startIndex, offsetBy: count)
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      end = utf8.index(before: end)
    }
    return String(self[..<end])
  }
}
