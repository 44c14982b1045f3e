@_spi(Host) package import AppCore
package import Support

/// Draws a screen as lines of text, for a terminal of a given width.
package struct TextFrame {
  let placement: Placement
  let width: Int
  let style: Style
  /// The number of digits of the largest number on the screen.
  let digits: Int
  /// The maximum width of text, in columns: longer lines are hard to read.
  package static let maximumTextWidth = 100

  var chrome: Chrome { placement.chrome }

  init(_ placement: Placement, width: Int, style: Style) {
    self.placement = placement
    self.width = max(width, 20)
    self.style = style
    digits = String(max(placement.controls.count, 1)).count
  }

  /// The lines of the screen, and where they show what; only lines of preformatted text may be
  /// wider than ``width``.
  func lines() -> (lines: [String], layout: ScreenLayout) {
    var output = header()
    var layout = ScreenLayout(headerCount: output.count)
    var wasGap = false
    var isTop = true
    func add(_ lines: [StyledLine], gap: Bool) {
      if lines.isEmpty { return }
      if gap || wasGap, !isTop { output.append(StyledLine()) }
      output += lines
      wasGap = false
      isTop = false
    }
    output.append(StyledLine())
    var afterTitle = false
    var previous: (element: Placement.Element, lineCount: Int)?
    var number = 0
    for (element, depth) in placement.elements {
      let lines = self.lines(element, indent: min(depth, 4) * 2)
      switch element {
      case .begin(.columns), .begin(.column):
        // They are below one another, with a blank line between them.
        wasGap = wasGap || !afterTitle
        continue
      case .end: wasGap = true
      case .begin(.section):
        add(lines, gap: true)
        afterTitle = true
        previous = nil
        continue
      default:
        if afterTitle { wasGap = false }
        let gap = Self.isSetApart(element) && !afterTitle
        if let previous, !wasGap, Self.parts(previous, (element, lines.count)) { wasGap = true }
        add(lines, gap: gap)
        let count = Self.controlCount(element)
        if count > 0 {
          let end = output.count
          layout.controls.append((number + 1...number + count, end - lines.count..<end))
          number += count
        }
        previous = (element, lines.count)
        let isHeading = if case .plain(.heading) = element { true } else { false }
        if Self.isSetApart(element), !isHeading, !lines.isEmpty { wasGap = true }
      }
      afterTitle = false
    }
    if isTop { output.append(StyledLine("(nothing here)", .dim)) }
    output += footer()
    return (output.map { $0.text(style) }, layout)
  }

  private static func controlCount(_ element: Placement.Element) -> Int {
    switch element {
    case .control: 1
    case .rows(let rows): rows.rows.count { $0.number != nil }
    case .plain, .begin, .end: 0
    }
  }

  /// Whether blank lines separate the element from its neighbours.
  private static func isSetApart(_ element: Placement.Element) -> Bool {
    switch element {
    case .rows, .plain(.heading), .plain(.keyValues), .plain(.preformatted), .plain(.bars): true
    default: false
    }
  }

  /// Whether a blank line separates a paragraph from the element above it: a control, or another
  /// paragraph if one of the two has several lines.
  private static func parts(
    _ above: (element: Placement.Element, lineCount: Int),
    _ below: (element: Placement.Element, lineCount: Int)
  ) -> Bool {
    guard case .plain(.text) = below.element else { return false }
    switch above.element {
    case .control: return true
    case .plain(.text): return above.lineCount > 1 || below.lineCount > 1
    default: return false
    }
  }

  private func lines(_ element: Placement.Element, indent: Int) -> [StyledLine] {
    let available = max(width - indent, 12)
    let lines: [StyledLine]
    switch element {
    case .plain(let element): lines = Self.plain(element, available, style: style)
    case .control(let control, let number):
      lines = ControlDrawing(control: control, number: number, digits: digits, width: available)
        .lines()
    case .rows(let rows):
      lines = RowsDrawing(rows: rows, digits: digits, width: available).lines()
    case .begin(.section(let title)):
      lines = StyledLine.wrap("▪ " + SafeText.line(title), to: available, .strong)
    case .begin, .end: lines = []
    }
    return StyledLine.hanging(StyledLine(String(repeating: " ", count: indent)), lines)
  }

  /// The lines of an element without controls, in so many columns.
  package static func plain(
    _ element: ScreenElement, _ available: Int, style: Style
  ) -> [StyledLine] {
    let measure = min(available, Self.maximumTextWidth)
    switch element {
    case .heading(let text):
      let lines = TextLayout.wrap(SafeText.line(text), to: measure)
      let rule = String(repeating: "─", count: lines.map(DisplayWidth.of).max() ?? 0)
      return lines.map { StyledLine($0, .strong) } + [StyledLine(rule, .dim)]
    case .text(let text, let textStyle):
      return marked(text, textStyle, width: measure)
    case .preformatted(let text): return SafeText.preformatted(text).map { StyledLine($0) }
    case .keyValues(let pairs): return keyValues(pairs, width: available)
    case .divider: return [StyledLine(String(repeating: "─", count: measure), .dim)]
    case .progress(let progress): return self.progress(progress, width: measure, style: style)
    case .sparkline(let series): return ChartDrawing(width: measure).lines(series)
    case .bars(let chart): return ChartDrawing(width: measure).lines(chart)
    case .control, .list, .table, .section, .columns: return []
    }
  }

  /// A paragraph with the symbol and colour of its style.
  package static func marked(_ text: String, _ style: TextStyle, width: Int) -> [StyledLine] {
    let (mark, role): (String, Role) =
      switch style {
      case .plain: ("", .plain)
      case .secondary: ("", .dim)
      case .success: ("✓ ", .success)
      case .warning: ("! ", .warning)
      case .error: ("✗ ", .error)
      @unknown default: ("", .plain)
      }
    return StyledLine.hanging(
      StyledLine(mark, role),
      StyledLine.wrap(SafeText.paragraph(text), to: width - mark.count, role))
  }

  private static func keyValues(_ pairs: [KeyValue], width: Int) -> [StyledLine] {
    let keys = pairs.map { SafeText.line($0.key) }
    let limit = max(width * 2 / 5, 8)
    let column = min(keys.map(DisplayWidth.of).max() ?? 0, limit)
    let measure = max(min(width, Self.maximumTextWidth + column) - column - 2, 8)
    return zip(keys, pairs).flatMap { key, pair in
      StyledLine.columns(
        TextLayout.wrap(key, to: column), .dim, width: column,
        TextLayout.wrap(SafeText.paragraph(pair.value), to: measure))
    }
  }

  private static func progress(
    _ progress: ProgressContent, width: Int, style: Style
  ) -> [StyledLine] {
    let label = SafeText.line(progress.label)
    guard let share = progress.share else { return StyledLine.wrap(label + " …", to: width) }
    let percent = Int((share * 100).rounded(.down))
    guard style.drawsBars else {
      return StyledLine.wrap("\(label) … \(percent) %", to: width)
    }
    let cells = min(30, max(width / 3, 6))
    let filled = Int((share * Double(cells)).rounded())
    var bar = StyledLine(String(repeating: "█", count: filled))
    bar.append(String(repeating: "░", count: cells - filled), .dim)
    bar.append(" " + TextLayout.pad(String(percent), to: 3, trailing: true) + " %")
    let room = width - bar.width - 2
    if DisplayWidth.of(label) <= room { return [StyledLine(label + "  ") + bar] }
    return StyledLine.wrap(label, to: width) + [bar]
  }
}

extension ProgressContent {
  /// The part that is done, from 0 to 1; `nil` if it is unknown.
  var share: Double? { fraction.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil } }
}

extension StyledLine {
  /// The lines of a text that is wrapped to a width.
  package static func wrap(_ text: String, to width: Int, _ role: Role = .plain) -> [StyledLine] {
    TextLayout.wrap(text, to: width).map { StyledLine($0, role) }
  }

  /// The lines, with `lead` before the first one and as much space before the others.
  package static func hanging(_ lead: StyledLine, _ lines: [StyledLine]) -> [StyledLine] {
    let margin = StyledLine(String(repeating: " ", count: lead.width))
    return lines.enumerated().map { ($0.offset == 0 ? lead : margin) + $0.element }
  }

  /// Two wrapped texts side by side, the first one in a column of a width.
  package static func columns(
    _ left: [String], _ leftRole: Role, width: Int, _ right: [String], _ rightRole: Role = .plain
  ) -> [StyledLine] {
    (0..<max(left.count, right.count)).map { index in
      let name = TextLayout.pad(index < left.count ? left[index] : "", to: width)
      return StyledLine(name, leftRole)
        + StyledLine(index < right.count ? "  " + right[index] : "", rightRole)
    }
  }
}

/// Where the lines of a screen show what.
package struct ScreenLayout: Sendable {
  /// The number of lines of the title, the tabs and the notices.
  package var headerCount = 0
  /// The controls, from top to bottom: their numbers, and their lines.
  package var controls: [(numbers: ClosedRange<Int>, lines: Range<Int>)] = []
  /// The lines of the control to which the last line has given a value; `nil` if there is none.
  package var focus: Range<Int>?
}

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
