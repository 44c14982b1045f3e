/// Places blocks in columns, from left to right, so that what leads to one another is close.
///
/// The method is that of layered drawings (Sugiyama, Tagawa and Toda, 1981): each block gets a
/// column, the blocks of a column an order in which few lines cross, and then their heights on the
/// page. A block's column is its distance from the roots, so only lines that lead back span
/// several columns; those pass through gaps that are kept free for them. All lengths are in pixels.
struct LayeredLayout {
  /// What is placed.
  struct Block {
    let width: Int
    let height: Int
  }

  /// A line from one block to another.
  struct Line {
    let from: Int
    let to: Int
    /// How far below the top of its block it begins and ends.
    let start: Int
    let end: Int
  }

  /// A place on the page.
  struct Point: Hashable {
    var x: Int
    var y: Int
  }

  /// A level part of a line, through a column.
  struct Passage: Hashable {
    let left: Int
    let right: Int
    let y: Int
  }

  /// How a line is drawn.
  enum Way: Hashable {
    /// To a column on the right, the next one.
    case forward
    /// To a column on the left, through gaps in the columns between, from right to left.
    case back([Passage])
    /// Within a column: around it on the right.
    case around
    /// Over so many columns that it is not drawn.
    case far
  }

  /// The distance between two columns.
  static let columnGap = 88
  /// The distance between two blocks in a column.
  static let blockGap = 24
  /// The height of the gap that is kept for a line.
  static let lineHeight = 10
  /// A line over more columns than this is not drawn.
  static let longestLine = 6
  /// How often the blocks of each column are put in another order.
  private static let sweeps = 8

  /// The upper left corner of each block.
  private(set) var corners: [Point]
  /// The way of each line.
  private(set) var ways: [Way]
  /// The size of the page.
  private(set) var width = 0
  private(set) var height = 0

  private let blocks: [Block]
  private let lines: [Line]
  private var columnOfBlock: [Int]
  /// What is in the columns, from top to bottom.
  private var columns: [[Int]] = []
  /// The blocks and then the gaps.
  private var items: [Item]

  /// A block, or a gap that is kept for a line.
  private struct Item {
    let height: Int
    var y = 0
    /// What it is connected with in the column on the left, and in the one on the right.
    var left: [Neighbour] = []
    var right: [Neighbour] = []
  }

  private struct Neighbour {
    let item: Int
    /// Where the line between the two meets that item, and where this one.
    let there: Int
    let here: Int
  }

  /// Places blocks.
  ///
  /// - Parameters:
  ///   - blocks: what is placed.
  ///   - lines: the lines between them.
  ///   - roots: the blocks to begin with; any that can't be reached from these are added.
  /// - Complexity: O((b + l) log b) for b blocks and l lines.
  init(_ blocks: [Block], _ lines: [Line], roots: [Int]) {
    self.blocks = blocks
    self.lines = lines
    corners = Array(repeating: Point(x: 0, y: 0), count: blocks.count)
    ways = Array(repeating: .forward, count: lines.count)
    columnOfBlock = Self.distances(blocks.count, lines, roots)
    items = blocks.map { Item(height: $0.height) }
    columns = Array(repeating: [], count: (columnOfBlock.max() ?? -1) + 1)
    for (block, column) in columnOfBlock.enumerated() { columns[column].append(block) }
    let gaps = connect()
    stack()
    order()
    settle()
    place(gaps)
  }

  /// The distance of each block from the nearest root, in lines.
  private static func distances(_ count: Int, _ lines: [Line], _ roots: [Int]) -> [Int] {
    var outgoing: [[Int]] = Array(repeating: [], count: count)
    for line in lines { outgoing[line.from].append(line.to) }
    var distance = Array(repeating: -1, count: count)
    for root in roots + Array(0..<count) where distance[root] < 0 {
      distance[root] = 0
      var queue = [root]
      var next = 0
      while next < queue.count {
        let block = queue[next]
        next += 1
        for target in outgoing[block] where distance[target] < 0 {
          distance[target] = distance[block] + 1
          queue.append(target)
        }
      }
    }
    return distance
  }

  /// Connects the items; lines that lead back over several columns get gaps.
  ///
  /// - Returns: the gaps of each line, from right to left.
  private mutating func connect() -> [[Int]] {
    var gaps: [[Int]] = Array(repeating: [], count: lines.count)
    for (index, line) in lines.enumerated() {
      let from = columnOfBlock[line.from]
      let to = columnOfBlock[line.to]
      if from == to {
        ways[index] = .around
      } else if from - to > Self.longestLine {
        ways[index] = .far
      } else if to > from + 1 {
        // A later root may lead over several columns to what an earlier one has reached.
        ways[index] = to - from > Self.longestLine ? .far : .forward
      } else if to > from {
        connect(line.from, line.start, line.to, line.end)
      } else {
        var (right, port) = (line.from, line.start)
        for column in stride(from: from - 1, to: to, by: -1) {
          let gap = items.count
          items.append(Item(height: Self.lineHeight))
          columns[column].append(gap)
          gaps[index].append(gap)
          connect(gap, Self.lineHeight / 2, right, port)
          (right, port) = (gap, Self.lineHeight / 2)
        }
        connect(line.to, line.end, right, port)
      }
    }
    return gaps
  }

  private mutating func connect(_ left: Int, _ leftPort: Int, _ right: Int, _ rightPort: Int) {
    items[left].right.append(Neighbour(item: right, there: rightPort, here: leftPort))
    items[right].left.append(Neighbour(item: left, there: leftPort, here: rightPort))
  }

  /// Stacks the items of each column from the top, in their order.
  private mutating func stack() {
    for column in columns {
      var y = 0
      for item in column {
        items[item].y = y
        y += items[item].height + Self.blockGap
      }
    }
  }

  /// Puts the items of each column in the order of what they are connected with, from left to right
  /// and back; the best order that was found stays.
  private mutating func order() {
    var best = columns
    var least = length
    for sweep in 0..<Self.sweeps where least > 0 {
      let rightward = sweep.isMultiple(of: 2)
      for column in rightward ? Array(columns.indices) : columns.indices.reversed() {
        let wanted = columns[column].map { (item: $0, y: wish(of: $0, rightward) ?? items[$0].y) }
        columns[column] = wanted.enumerated()
          .sorted { ($0.element.y, $0.offset) < ($1.element.y, $1.offset) }.map(\.element.item)
        var y = 0
        for item in columns[column] {
          items[item].y = y
          y += items[item].height + Self.blockGap
        }
      }
      let length = length
      if length < least { (best, least) = (columns, length) }
    }
    columns = best
    stack()
  }

  /// How far all lines lead up and down.
  private var length: Int {
    items.reduce(0) { sum, item in
      item.right.reduce(sum) { $0 + abs(item.y + $1.here - items[$1.item].y - $1.there) }
    }
  }

  /// The height at which the lines of an item would be level on average.
  private func wish(of index: Int, _ leftOnly: Bool?) -> Int? {
    let item = items[index]
    let neighbours =
      switch leftOnly {
      case true?: item.left
      case false?: item.right
      case nil: item.left + item.right
      }
    guard !neighbours.isEmpty else { return nil }
    return neighbours.reduce(0) { $0 + items[$1.item].y + $1.there - $1.here } / neighbours.count
  }

  /// Moves the items of each column to where their lines are level, as far as there is room.
  private mutating func settle() {
    for round in 0..<Self.sweeps {
      for column in round.isMultiple(of: 2) ? columns : columns.reversed() where !column.isEmpty {
        let wishes = column.map { wish(of: $0, nil) ?? items[$0].y }
        // Pushed down from the top, and pushed up from the bottom: what lies halfway fits too.
        var down = wishes
        for index in down.indices.dropFirst() {
          down[index] = max(
            down[index], down[index - 1] + items[column[index - 1]].height + Self.blockGap)
        }
        var up = wishes
        for index in up.indices.dropLast().reversed() {
          up[index] = min(up[index], up[index + 1] - items[column[index]].height - Self.blockGap)
        }
        for (index, item) in column.enumerated() {
          // Floors, so that rounding can't bring two items together.
          items[item].y = (down[index] + up[index]) >> 1
        }
      }
    }
  }

  private mutating func place(_ gaps: [[Int]]) {
    let top = columns.joined().map { items[$0].y }.min() ?? 0
    for item in items.indices { items[item].y -= top }
    let widths = columns.map { $0.map { $0 < blocks.count ? blocks[$0].width : 0 }.max() ?? 0 }
    var lefts: [Int] = []
    for columnWidth in widths {
      lefts.append(width)
      width += columnWidth + Self.columnGap
    }
    width = max(0, width - Self.columnGap)
    height = columns.joined().map { items[$0].y + items[$0].height }.max() ?? 0
    for block in blocks.indices {
      corners[block] = Point(x: lefts[columnOfBlock[block]], y: items[block].y)
    }
    for (index, way) in ways.enumerated() {
      let line = lines[index]
      guard case .forward = way, columnOfBlock[line.to] < columnOfBlock[line.from] else { continue }
      let column = columnOfBlock[line.from]
      ways[index] = .back(
        gaps[index].enumerated().map { step, gap in
          let left = lefts[column - 1 - step]
          return Passage(
            left: left, right: left + widths[column - 1 - step],
            y: items[gap].y + Self.lineHeight / 2)
        })
    }
  }
}
