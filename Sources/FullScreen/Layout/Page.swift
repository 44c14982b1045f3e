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
    let indent: Int
    let lines: Range<Int>
  }

  /// What can have the focus.
  struct Stop {
    let focus: Focus
    /// The index of its block.
    let block: Int
    /// The lines of its block, those of a list's title among them.
    let lines: Range<Int>
  }

  let width: Int
  /// The columns of the labels of fields, so that their texts are below one another.
  let labelWidth: Int
  private(set) var blocks: [Block] = []
  private(set) var stops: [Stop] = []
  private(set) var height = 0
  private let editor: FieldEditor?

  /// The greatest number of rows of a list, so that line numbers can be added.
  private static let longestList = 1 << 40

  /// Lays out a screen, with the text that is being typed in one of its fields.
  init(_ screen: ShellScreen, width: Int, editor: FieldEditor? = nil) {
    self.width = width
    self.editor = editor
    labelWidth = Self.labelWidth(of: screen)
    let index = ControlIndex(screen)
    var (targets, lists) = (index.controls[...], index.lists[...])
    var previous: ScreenElement?
    var isAfterSection = false
    for step in ElementWalk(screen.content.elements) {
      switch step {
      case .beginSection(let title, let depth):
        addGap()
        add(
          .lines(StyledLine.wrap("▪ " + SafeText.line(title), to: room(depth), .strong)), depth)
        previous = .heading(title)
        isAfterSection = false
      case .endSection: isAfterSection = true
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
    guard case .control(let content, let target) = blocks[stop.block].content else { return nil }
    return (content, target)
  }

  /// The list of a stop, with the line of its first row; `nil` for a control.
  func list(_ stop: Stop) -> (list: RowList, firstLine: Int)? {
    guard case .rows(let list) = blocks[stop.block].content else { return nil }
    return (list, stop.lines.lowerBound + RowsBlock.titleCount(list))
  }

  /// The blocks that have lines in a range.
  func blocks(in lines: Range<Int>) -> ArraySlice<Block> {
    var (low, high) = (0, blocks.count)
    while low < high {
      let middle = (low + high) / 2
      if blocks[middle].lines.upperBound <= lines.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let end = blocks[low...].firstIndex { $0.lines.lowerBound >= lines.upperBound } ?? blocks.count
    return blocks[low..<end]
  }

  private static func indent(_ depth: Int) -> Int { min(max(depth - 1, 0), 4) * 2 }

  private func room(_ depth: Int) -> Int { max(width - Self.indent(depth), 8) }

  private mutating func addGap() {
    if !blocks.isEmpty { add(.lines([StyledLine()]), 1) }
  }

  private mutating func add(_ content: Block.Content, _ depth: Int, count: Int? = nil) {
    let count = if case .lines(let lines) = content { lines.count } else { count ?? 1 }
    guard count > 0 else { return }
    blocks.append(
      Block(content: content, indent: Self.indent(depth), lines: height..<height + count))
    height += count
  }

  private mutating func add(_ control: ControlContent, _ target: ControlTarget, _ depth: Int) {
    let editor = editor?.field == target.identity ? editor : nil
    let block = ControlBlock(
      control: control, width: room(depth), labelWidth: labelWidth, editor: editor)
    add(.control(control, target), depth, count: block.lines().lines.count)
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
    stops.append(Stop(focus: focus, block: blocks.count - 1, lines: block.lines))
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

/// What has the focus: the identity of a control or a list, not its place.
enum Focus: Hashable, Sendable {
  /// The tabs at the top.
  case tabs
  case control(ControlIdentity)
  case list(ListKey)
}
