/// The course of a line on the page: level parts, and curves that begin and end level.
struct LinePath {
  enum Part: Hashable {
    /// A level part to this x.
    case level(Int)
    /// A curve to a point. Both of its control points have this x, at the heights of its ends.
    case curve(bend: Int, to: LayeredLayout.Point)
  }

  let start: LayeredLayout.Point
  private(set) var parts: [Part] = []
  /// Where it ends so far.
  private var end: LayeredLayout.Point

  init(from start: LayeredLayout.Point) {
    self.start = start
    end = start
  }

  mutating func level(to x: Int) {
    guard x != end.x else { return }
    parts.append(.level(x))
    end.x = x
  }

  /// Adds a curve that bends at `bend`, or halfway.
  mutating func curve(to x: Int, _ y: Int, bend: Int? = nil) {
    let point = LayeredLayout.Point(x: x, y: y)
    parts.append(.curve(bend: bend ?? (end.x + x) / 2, to: point))
    end = point
  }

  /// The line as the data of an SVG path.
  var svg: String {
    var path = "M\(start.x) \(start.y)"
    var y = start.y
    for part in parts {
      switch part {
      case .level(let x): path += "H\(x)"
      case .curve(let bend, let point):
        path += "C\(bend) \(y) \(bend) \(point.y) \(point.x) \(point.y)"
        y = point.y
      }
    }
    return path
  }
}

extension GraphBlocks {
  /// The course of a line; `nil` if it is not drawn.
  ///
  /// It leaves and reaches its boxes' columns level, and bends between columns only, where there are
  /// no boxes.
  func path(of line: Line, _ way: LayeredLayout.Way) -> LinePath? {
    let (from, to) = (boxes[line.box], boxes[line.target])
    let (fromColumn, toColumn) = (columnOfBlock[from.block], columnOfBlock[to.block])
    let (left, right) = (from.corner.x, from.corner.x + from.width)
    let start = height(ofRow: line.row, in: line.box)
    let end = portHeight(of: line.target)
    var path = LinePath(from: .init(x: right, y: start))
    switch way {
    case .far: return nil
    case .around:
      path.level(to: fromColumn.right)
      path.curve(
        to: fromColumn.right, end, bend: fromColumn.right + 28 + min(40, abs(start - end) / 8))
      path.level(to: to.corner.x + to.width)
    case .forward(let passages):
      path.level(to: fromColumn.right)
      for passage in passages {
        path.curve(to: passage.column.left, passage.y)
        path.level(to: passage.column.right)
      }
      path.curve(to: toColumn.left, end)
      path.level(to: to.corner.x)
    case .back(let passages):
      path = LinePath(from: .init(x: left, y: start))
      path.level(to: fromColumn.left)
      for passage in passages {
        path.curve(to: passage.column.right, passage.y)
        path.level(to: passage.column.left)
      }
      path.curve(to: toColumn.right, end)
      path.level(to: to.corner.x + to.width)
    }
    return path
  }
}
