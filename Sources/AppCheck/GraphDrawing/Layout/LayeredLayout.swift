/// Places blocks in columns from left to right, with connected blocks close to one another.
///
/// It draws in layers (Sugiyama, Tagawa and Toda, 1981):
/// 1. A block's column is its distance from the roots.
/// 2. A line over several columns gets a gap in each column that it crosses.
/// 3. The blocks and gaps of each column are sorted to shorten the lines.
/// 4. They get their heights on the page, so that lines are level where there is room.
///
/// All lengths are in pixels.
struct LayeredLayout {
  /// The size of a rectangle to be placed.
  typealias Block = (width: Int, height: Int)

  struct Line {
    let from: Int
    let to: Int
    /// Where it begins and ends, below the tops of its blocks.
    let start: Int
    let end: Int
  }

  typealias Point = (x: Int, y: Int)

  /// Where a column begins and ends.
  typealias Column = (left: Int, right: Int)

  static let columnGap = 88
  static let blockGap = 24
  /// The height of the gap that is kept for a line.
  static let lineHeight = 10
  /// A line over more columns than this is not drawn.
  static let longestLine = 6
  /// How often each column is sorted.
  private static let sweeps = 8
  /// The upper left corner of each block.
  private(set) var corners: [Point]
  private(set) var columnOfBlock: [Column] = []
  /// The gaps that each line passes through in the columns between its blocks: the column, and the y
  /// of the line; `nil` for a line over more than ``longestLine`` columns, which is not drawn.
  private(set) var passages: [[(column: Column, y: Int)]?]
  private(set) var width = 0
  private(set) var height = 0

  private let blocks: [Block]
  private let lines: [Line]
  private let columnNumbers: [Int]
  /// The items of the columns, from top to bottom.
  private var columns: [[Int]] = []
  /// The blocks and then the gaps.
  private var items: [Item]

  private struct Item {
    let height: Int
    var y = 0
    /// The items connected to it in the columns on its left and right.
    var left: [Neighbour] = []
    var right: [Neighbour] = []
  }

  private struct Neighbour {
    let item: Int
    /// Where the line meets that item and this one, below their tops.
    let there: Int
    let here: Int
  }

  /// Places blocks: the roots in the first column.
  ///
  /// Those that they don't lead to are in it, too, or in columns after it.
  ///
  /// - Complexity: O((b + l) log b) for b blocks and l lines.
  init(_ blocks: [Block], _ lines: [Line], roots: [Int]) {
    self.blocks = blocks
    self.lines = lines
    corners = Array(repeating: (0, 0), count: blocks.count)
    passages = Array(repeating: nil, count: lines.count)
    columnNumbers = Self.distances(blocks.count, lines, roots)
    items = blocks.map { Item(height: $0.height) }
    columns = Array(repeating: [], count: (columnNumbers.max() ?? -1) + 1)
    for (block, column) in columnNumbers.enumerated() { columns[column].append(block) }
    let gaps = connect()
    for column in columns { stack(column) }
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

  /// Connects the items; lines over several columns get gaps.
  ///
  /// - Returns: the gaps of each line, in its direction.
  private mutating func connect() -> [[Int]] {
    var gaps: [[Int]] = Array(repeating: [], count: lines.count)
    for (index, line) in lines.enumerated() {
      let from = columnNumbers[line.from]
      let to = columnNumbers[line.to]
      guard from != to, abs(from - to) <= Self.longestLine else { continue }
      let step = to > from ? 1 : -1
      var (last, port) = (line.from, line.start)
      func connect(to next: Int, _ nextPort: Int) {
        if step > 0 {
          self.connect(last, port, next, nextPort)
        } else {
          self.connect(next, nextPort, last, port)
        }
        (last, port) = (next, nextPort)
      }
      for column in stride(from: from + step, to: to, by: step) {
        let gap = items.count
        items.append(Item(height: Self.lineHeight))
        columns[column].append(gap)
        gaps[index].append(gap)
        connect(to: gap, Self.lineHeight / 2)
      }
      connect(to: line.to, line.end)
    }
    return gaps
  }

  private mutating func connect(_ left: Int, _ leftPort: Int, _ right: Int, _ rightPort: Int) {
    items[left].right.append(Neighbour(item: right, there: rightPort, here: leftPort))
    items[right].left.append(Neighbour(item: left, there: leftPort, here: rightPort))
  }

  private mutating func stack(_ column: [Int]) {
    var y = 0
    for item in column {
      items[item].y = y
      y += items[item].height + Self.blockGap
    }
  }

  /// Sorts the items of each column by the heights of their neighbors, from left to right and back,
  /// and keeps the order with the shortest lines.
  private mutating func order() {
    var best = columns
    var least = length
    for sweep in 0..<Self.sweeps where least > 0 {
      let rightward = sweep.isMultiple(of: 2)
      for column in rightward ? Array(columns.indices) : columns.indices.reversed() {
        let wanted = columns[column].map { (item: $0, y: wish(of: $0, rightward) ?? items[$0].y) }
        columns[column] = wanted.enumerated()
          .sorted { ($0.element.y, $0.offset) < ($1.element.y, $1.offset) }.map(\.element.item)
        stack(columns[column])
      }
      let length = length
      if length < least { (best, least) = (columns, length) }
    }
    columns = best
    for column in columns { stack(column) }
  }

  private var length: Int {
    items.reduce(0) { sum, item in
      item.right.reduce(sum) { $0 + abs(item.y + $1.here - items[$1.item].y - $1.there) }
    }
  }

  /// The y at which an item's lines would be level on average; `nil` if it has no lines.
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

  /// Moves items to where their lines are level, as far as there is room.
  private mutating func settle() {
    for round in 0..<Self.sweeps {
      for column in round.isMultiple(of: 2) ? columns : columns.reversed() where !column.isEmpty {
        let wishes = column.map { wish(of: $0, nil) ?? items[$0].y }
        // One solution pushes items down, the other up. Their mean is a solution, too.
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
    var bounds: [Column] = []
    for columnWidth in widths {
      bounds.append((width, width + columnWidth))
      width += columnWidth + Self.columnGap
    }
    width = max(0, width - Self.columnGap)
    height = columns.joined().map { items[$0].y + items[$0].height }.max() ?? 0
    columnOfBlock = columnNumbers.map { bounds[$0] }
    for block in blocks.indices {
      corners[block] = (columnOfBlock[block].left, items[block].y)
    }
    for (index, line) in lines.enumerated() {
      let from = columnNumbers[line.from]
      let to = columnNumbers[line.to]
      guard abs(from - to) <= Self.longestLine else { continue }
      let step = to > from ? 1 : -1
      passages[index] = gaps[index].enumerated().map { number, gap in
        (bounds[from + step * (number + 1)], items[gap].y + Self.lineHeight / 2)
      }
    }
  }
}
