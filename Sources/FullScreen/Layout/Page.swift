@_spi(Host) internal import AppCore
internal import Shell
internal import Support

/// A screen that is laid out for a width: what is on which line.
///
/// Rows of lists are one line each, and are created when they are drawn.
struct Page {
  /// An element, or a blank line and what follows it.
  struct Block {
    enum Content {
      case lines([StyledLine])
      case control(ControlContent, ControlTarget)
      case rows(RowList)
    }

    let content: Content
    /// The cells of the page, from side to side, that are its column's.
    let columns: Range<Int>
    /// How many of them are blank before it.
    let indent: Int
    let lines: Range<Int>

    var width: Int { columns.count - indent }
  }

  /// What can have the focus.
  struct Stop {
    let focus: Focus
    let block: Block

    /// The lines of its block, those of a list's title among them.
    var lines: Range<Int> { block.lines }
  }

  /// The columns of the labels of fields, so that their texts are below one another.
  let labelWidth: Int
  /// The blocks in the order of their first lines.
  private(set) var blocks: [Block] = []
  /// For each block the line after the longest one up to it.
  private var reach: [Int] = []
  private(set) var stops: [Stop] = []
  private(set) var height = 0
  private let editor: FieldEditor?
  /// The column that is being laid out: its cells, its first line, and the sections around it.
  private var column: (cells: Range<Int>, top: Int, depth: Int)
  /// The line with the cursor of a text of several lines that is being typed.
  private(set) var cursorLine: Int?

  /// The greatest number of rows of a list, so that line numbers can be added.
  private static let longestList = 1 << 40

  /// Lays out a screen, with the text that is being typed in one of its fields.
  init(_ screen: ShellScreen, width: Int, editor: FieldEditor? = nil) {
    self.editor = editor
    column = (0..<width, 0, 0)
    labelWidth = Self.labelWidth(of: screen)
    let index = ControlIndex(screen)
    var (targets, lists) = (index.controls[...], index.lists[...])
    var previous: ScreenElement?
    var isAfterSection = false
    var open: [ColumnLayout] = []
    for step in ElementWalk(screen.content.elements) {
      switch step {
      case .begin(.section(let title), let depth):
        addGap()
        add(
          .lines(StyledLine.wrap("▪ " + SafeText.line(title), to: room(depth), .strong)), depth)
        previous = .heading(title)
        isAfterSection = false
      case .begin(.columns(let count), let depth):
        if case .heading = previous, !isAfterSection {} else { addGap() }
        let start = column.cells.lowerBound + indent(depth)
        open.append(
          ColumnLayout(
            count, in: start..<start + room(depth), depth: depth, outer: column, top: height,
            firstBlock: blocks.count))
        (previous, isAfterSection) = (nil, false)
      case .begin(.column, _):
        guard let next = open.last?.next else { continue }
        (column, height) = (next, next.top)
        (previous, isAfterSection) = (nil, false)
      case .end(.column):
        isAfterSection = true
        if !open.isEmpty { open[open.count - 1].end(at: height) }
      case .end(.columns):
        isAfterSection = true
        guard let columns = open.popLast(), columns.areBeside else { continue }
        (column, height) = (columns.outer, columns.bottom)
        blocks[columns.firstBlock...].sort { $0.lines.lowerBound < $1.lines.lowerBound }
        for index in columns.firstBlock..<blocks.count { measureReach(index) }
      case .end(.section): isAfterSection = true
      case .element(let element, let depth):
        if isAfterSection || Self.isSetApart(element, from: previous) { addGap() }
        isAfterSection = false
        switch element {
        case .control(let control):
          if let target = targets.popFirst() { add(control, target, depth) }
        case .list, .table: if let list = lists.popFirst() { add(list, depth) }
        default: add(.lines(TextFrame.plain(element, room(depth), style: .terminal)), depth)
        }
        previous = element
      }
    }
    if blocks.isEmpty { add(.lines([StyledLine("(nothing here)", .dim)]), 1) }
  }

  /// The stop of a control or list, with its index.
  func stop(_ focus: Focus?) -> (index: Int, stop: Stop)? {
    guard let focus, let index = stops.firstIndex(where: { $0.focus == focus }) else { return nil }
    return (index, stops[index])
  }

  /// The control of a stop; `nil` for a list.
  func control(_ stop: Stop) -> (content: ControlContent, target: ControlTarget)? {
    guard case .control(let content, let target) = stop.block.content else { return nil }
    return (content, target)
  }

  /// The list of a stop, with the line of its first row; `nil` for a control.
  func list(_ stop: Stop) -> (list: RowList, firstLine: Int)? {
    guard case .rows(let list) = stop.block.content else { return nil }
    return (list, stop.lines.lowerBound + RowsBlock.titleCount(list))
  }

  /// The blocks that have lines in a range.
  func blocks(in lines: Range<Int>) -> [Block] {
    blocks[reach.partitioningIndex { $0 > lines.lowerBound }...]
      .prefix { $0.lines.lowerBound < lines.upperBound }
      .filter { $0.lines.upperBound > lines.lowerBound }
  }

  /// The nearest stop in a column to the left or the right of one, level with a line of it if there
  /// is one; `nil` if there is none.
  func stop(beside stop: Stop, level line: Int, toTheRight: Bool) -> Stop? {
    func distance(_ other: Stop) -> (lines: Int, columns: Int)? {
      let (own, columns) = (stop.block.columns, other.block.columns)
      let distance =
        toTheRight
        ? columns.lowerBound - own.upperBound : own.lowerBound - columns.upperBound
      guard distance >= 0 else { return nil }
      return (max(other.lines.lowerBound - line, line - other.lines.upperBound + 1, 0), distance)
    }
    let others = stops.compactMap { stop in distance(stop).map { (stop, $0) } }
    return others.min { $0.1 < $1.1 }?.0
  }

  private func indent(_ depth: Int) -> Int { min(max(depth - column.depth - 1, 0), 4) * 2 }

  private func room(_ depth: Int) -> Int { max(column.cells.count - indent(depth), 8) }

  private mutating func addGap() {
    if height > column.top { add(.lines([StyledLine()]), 1) }
  }

  private mutating func measureReach(_ index: Int) {
    let own = blocks[index].lines.upperBound
    let end = index > 0 ? max(reach[index - 1], own) : own
    if index < reach.count { reach[index] = end } else { reach.append(end) }
  }

  private mutating func add(_ content: Block.Content, _ depth: Int, count: Int? = nil) {
    let count = if case .lines(let lines) = content { lines.count } else { count ?? 1 }
    guard count > 0 else { return }
    let start = column.cells.lowerBound
    blocks.append(
      Block(
        content: content, columns: start..<max(column.cells.upperBound, start + indent(depth) + 8),
        indent: indent(depth), lines: height..<height + count))
    measureReach(blocks.count - 1)
    height += count
  }

  private mutating func add(_ control: ControlContent, _ target: ControlTarget, _ depth: Int) {
    let editor = editor?.field == target.identity ? editor : nil
    let block = ControlBlock(
      control: control, width: room(depth), labelWidth: labelWidth, editor: editor)
    let (lines, text) = block.lines()
    if editor?.isMultiline == true, let text, let cursor = text.cursor {
      cursorLine = height + text.row + cursor.row
    }
    add(.control(control, target), depth, count: lines.count)
    if control.isEnabled { addStop(.control(target.identity)) }
  }

  private mutating func add(_ list: RowList, _ depth: Int) {
    var list = list
    list.count = min(list.count, Self.longestList)
    guard list.count > 0 else {
      let text = "(\(SafeText.line(list.placeholder ?? "none")))"
      return add(.lines(StyledLine.wrap(text, to: room(depth), .dim)), depth)
    }
    add(.rows(list), depth, count: RowsBlock.titleCount(list) + list.count)
    addStop(.list(list.key))
  }

  private mutating func addStop(_ focus: Focus) {
    guard let block = blocks.last else { return }
    stops.append(Stop(focus: focus, block: block))
  }

  private static func labelWidth(of screen: ShellScreen) -> Int {
    var width = 0
    for case .element(.control(let control), _) in ElementWalk(screen.content.elements) {
      guard case .field(let field) = control.kind, field.kind != .multiline else { continue }
      let own = DisplayWidth.of(ControlBlock.lead(control))
      if own <= ControlBlock.widestLabel { width = max(width, own) }
    }
    return width
  }

  /// Whether a blank line separates an element from the one above it.
  private static func isSetApart(_ element: ScreenElement, from above: ScreenElement?) -> Bool {
    guard let above else { return false }
    switch (above, element) {
    case (.heading, _), (_, .divider): return false
    case (.list, _), (.table, _), (.keyValues, _), (.preformatted, _), (.bars, _): return true
    case (_, .list), (_, .table), (_, .keyValues), (_, .preformatted), (_, .bars), (_, .heading):
      return true
    case (.control, .text): return true
    default: return false
    }
  }
}

/// Columns of a screen while they are laid out in a part of the page.
private struct ColumnLayout {
  typealias Column = (cells: Range<Int>, top: Int, depth: Int)

  /// What is around them.
  let outer: Column
  /// Whether they are side by side, because each has room for 30 cells.
  let areBeside: Bool
  let firstBlock: Int
  /// The line after the longest of them.
  private(set) var bottom: Int
  private let cells: Range<Int>
  private let width: Int
  private let top: Int
  private let depth: Int
  private var index = 0

  private static let narrowest = 30
  private static let gap = 2

  init(
    _ count: Int, in cells: Range<Int>, depth: Int, outer: Column, top: Int, firstBlock: Int
  ) {
    (self.cells, self.depth, self.outer) = (cells, depth, outer)
    (self.top, bottom, self.firstBlock) = (top, top, firstBlock)
    width = (cells.count + Self.gap) / max(count, 1) - Self.gap
    areBeside = width >= Self.narrowest
  }

  /// The next column; `nil` if it is below the last one.
  var next: Column? {
    guard areBeside else { return nil }
    let start = cells.lowerBound + index * (width + Self.gap)
    return (start..<start + width, top, depth)
  }

  mutating func end(at line: Int) {
    bottom = max(bottom, line)
    index += 1
  }
}

/// What has the focus: the identity of a control or a list, not its place.
enum Focus: Hashable, Sendable {
  /// The tabs at the top.
  case tabs
  case control(ControlIdentity)
  case list(ListKey)
}
