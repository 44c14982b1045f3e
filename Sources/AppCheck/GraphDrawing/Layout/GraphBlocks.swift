internal import Navigation
internal import Support

/// The boxes of a drawing, one for each node, with those of tabs inside their container's.
///
/// An outermost box is a block. First the boxes get places relative to their block, then
/// ``LayeredLayout`` places the blocks. All lengths are in pixels. Text is monospaced, so that its
/// width is known.
struct GraphBlocks {
  struct Box {
    let node: GraphDrawing.Node
    /// The block that it is or that contains it.
    let block: Int
    var corner: LayeredLayout.Point
    var width: Int
    var height: Int
    let head: [String]
    var rows: [Row]
    /// The number of boxes around it.
    let depth: Int
    let isContainer: Bool
  }

  /// A row of a box: a verb of a route, a link, or a tab or background node of a container.
  struct Row {
    let cells: [String]
    /// The target's name, if that is a node.
    let target: String?
    /// The kind of its line; `nil` for a link.
    let kind: ClusterLayout.Edge.Kind?
    /// The number of rows above it.
    let number: Int
  }

  struct Line {
    let box: Int
    let row: Int
    let target: Int
    /// Its course: level between two points of the same height, otherwise a curve that begins and
    /// ends level; `nil` if it is not drawn.
    var points: [LayeredLayout.Point]?
  }

  static let rowHeight = 18
  static let nameHeight = 24
  static let headLineHeight = 16
  static let padding = 12
  /// The room for lines on the right of the last column.
  static let lineRoom = 72
  /// The distance between the columns of a row.
  static let cellGap = 14
  /// The width of a character, in hundredths of a pixel.
  private static let characterWidth = 725

  private(set) var boxes: [Box] = []
  private(set) var lines: [Line] = []
  private(set) var boxOfNode: [String: Int] = [:]
  private(set) var blockCount = 0
  private var blockSizes: [LayeredLayout.Block] = []

  /// - Complexity: linear in nodes, routes and links.
  init(_ drawing: GraphDrawing) {
    let links = Dictionary(grouping: drawing.links) { $0.steps.last?.node ?? "" }
    let layout = ClusterLayout(drawing)
    let tabs = Set(layout.edges.filter { $0.label == "tab" }.map { [$0.from, $0.to] })
    let routes = Dictionary(grouping: drawing.routes, by: \.from)
    // The open boxes, outermost first, each with its height so far.
    var open: [(box: Int, used: Int)] = []
    var isContainer = false
    for part in layout.parts {
      switch part {
      case .open: isContainer = true
      case .node(let node):
        if open.isEmpty { blockCount += 1 }
        let box = Self.box(
          node, block: blockCount - 1, depth: open.count, isContainer: isContainer,
          Self.rows(node, routes[node.name] ?? [], links[node.name] ?? [], tabs))
        boxOfNode[node.name] = boxes.count
        boxes.append(box)
        open.append((boxes.count - 1, box.height))
        if !isContainer { close(&open) }
        isContainer = false
      case .close: close(&open)
      }
    }
    for (index, box) in boxes.enumerated() {
      for row in box.rows {
        guard let target = row.target.flatMap({ boxOfNode[$0] }), target != index else { continue }
        lines.append(Line(box: index, row: row.number, target: target))
      }
    }
    place(
      roots: [drawing.start] + drawing.background + drawing.links.compactMap { $0.steps.last?.node }
    )
  }

  private(set) var width = 0
  private(set) var height = 0

  /// The y at which lines leave a row.
  private func height(ofRow row: Int, in box: Int) -> Int {
    boxes[box].corner.y + Self.headHeight(boxes[box].head) + row * Self.rowHeight
      + Self.rowHeight / 2
  }

  /// The y at which lines reach a box.
  private func portHeight(of box: Int) -> Int { boxes[box].corner.y + Self.nameHeight / 2 }

  static func headHeight(_ head: [String]) -> Int {
    nameHeight + (head.count - 1) * headLineHeight + padding / 2
  }

  /// Completes the innermost open box, and adds it to the one around it.
  private mutating func close(_ open: inout [(box: Int, used: Int)]) {
    let (inner, used) = open.removeLast()
    boxes[inner].height = used
    guard let outer = open.indices.last else {
      blockSizes.append((boxes[inner].width, used))
      return
    }
    // Relative to the box around it, for now.
    boxes[inner].corner = (Self.padding, open[outer].used)
    open[outer].used += used + Self.padding
    boxes[open[outer].box].width = max(
      boxes[open[outer].box].width, boxes[inner].width + 2 * Self.padding)
  }

  private mutating func place(roots: [String]) {
    var outer: [Int] = []
    // A box follows the one around it, which has its place already.
    for index in boxes.indices {
      outer.removeLast(outer.count - boxes[index].depth)
      if let last = outer.last {
        boxes[index].corner.x += boxes[last].corner.x
        boxes[index].corner.y += boxes[last].corner.y
      }
      outer.append(index)
    }
    let layout = LayeredLayout(
      blockSizes,
      lines.map {
        .init(
          from: boxes[$0.box].block, to: boxes[$0.target].block,
          start: height(ofRow: $0.row, in: $0.box), end: portHeight(of: $0.target))
      },
      roots: roots.compactMap { boxOfNode[$0].map { boxes[$0].block } })
    for index in boxes.indices {
      boxes[index].corner.x += layout.corners[boxes[index].block].x
      boxes[index].corner.y += layout.corners[boxes[index].block].y
    }
    (width, height) = (layout.width, layout.height)
    for (index, passages) in layout.passages.enumerated() {
      lines[index].points = passages.map { points(of: lines[index], $0, layout.columnOfBlock) }
    }
  }

  /// The course of a line through the columns between its boxes.
  ///
  /// It leaves and reaches its boxes' columns level, and bends between columns only, where there are
  /// no boxes. Within a column, it goes around the boxes on the right.
  private func points(
    of line: Line, _ passages: [(column: LayeredLayout.Column, y: Int)],
    _ columns: [LayeredLayout.Column]
  ) -> [LayeredLayout.Point] {
    let (from, to) = (boxes[line.box], boxes[line.target])
    let (first, last) = (columns[from.block], columns[to.block])
    let isBack = last.left < first.left
    let isAround = last.left == first.left
    let start = height(ofRow: line.row, in: line.box)
    let end = portHeight(of: line.target)
    func left(_ box: Box) -> Int { box.corner.x }
    func right(_ box: Box) -> Int { box.corner.x + box.width }
    var points: [LayeredLayout.Point] = [
      (isBack ? left(from) : right(from), start), (isBack ? first.left : first.right, start),
    ]
    for (column, y) in passages {
      points += [
        (isBack ? column.right : column.left, y), (isBack ? column.left : column.right, y),
      ]
    }
    points += [
      (isBack || isAround ? last.right : last.left, end),
      (isBack || isAround ? right(to) : left(to), end),
    ]
    return points
  }

  /// The x of the control points of a curve between two points: halfway, or to the right of a line
  /// around its column.
  static func bend(from start: LayeredLayout.Point, to end: LayeredLayout.Point) -> Int {
    start.x == end.x ? start.x + 28 + min(40, abs(start.y - end.y) / 8) : (start.x + end.x) / 2
  }

  private static func box(
    _ node: GraphDrawing.Node, block: Int, depth: Int, isContainer: Bool, _ rows: [Row]
  ) -> Box {
    let facts = node.facts.filter { $0 != "“\(node.name)”" }
    let head = ([node.name] + facts).map(SafeText.line)
    let columns = cellWidths(rows)
    let rowWidth = columns.reduce(0, +) + max(0, columns.count - 1) * cellGap
    // The name is bold and larger.
    let width = max(head.map(width).max() ?? 0, width(of: head[0]) * 6 / 5, rowWidth, 60)
    return Box(
      node: node, block: block, corner: (0, 0), width: width + 2 * padding,
      height: headHeight(head) + rows.count * rowHeight + padding / 2, head: head, rows: rows,
      depth: depth, isContainer: isContainer)
  }

  /// The widths of the two columns of a box's rows.
  static func cellWidths(_ rows: [Row]) -> [Int] {
    (0..<2).map { column in
      rows.map { $0.cells.count > column ? width(of: $0.cells[column]) : 0 }.max() ?? 0
    }
  }

  static func width(of text: String) -> Int {
    (DisplayWidth.of(text) * characterWidth + 99) / 100
  }

  private static func rows(
    _ node: GraphDrawing.Node, _ routes: [GraphDrawing.Route], _ links: [GraphDrawing.Link],
    _ tabs: Set<[String]>
  ) -> [Row] {
    var rows: [Row] = []
    func add(_ cells: [String], _ target: String?, _ kind: ClusterLayout.Edge.Kind?) {
      rows.append(
        Row(cells: cells.map(SafeText.line), target: target, kind: kind, number: rows.count))
    }
    for link in links {
      add([link.path, link.needs.map { "needs \($0)" } ?? "link"], nil, nil)
    }
    for tab in node.tabs where tabs.contains([node.name, tab]) { add(["tab", tab], tab, .part) }
    for name in node.background { add(["background", name], name, .part) }
    for route in routes {
      for (index, verb) in route.verbs.enumerated() {
        let isSelf = verb.node == node.name
        let target = isSelf ? "itself" : verb.target
        add(
          [
            index == 0 ? route.action : "",
            verb.word + (target.map { " → " + $0 } ?? "") + verb.optionText,
          ], verb.node,
          .init(verb))
      }
    }
    return rows
  }
}

/// The containers, nodes and edges of a drawing, in the form that DOT, Mermaid and SVG share.
struct ClusterLayout {
  /// An element of the drawing, in its order.
  enum Part {
    /// A container begins; its node and tabs follow.
    case open(GraphDrawing.Node)
    case node(GraphDrawing.Node)
    case close
  }

  struct Edge {
    /// The kind of a line, and its class in the style sheet of SVG.
    enum Kind: String {
      /// From a container to a node in its background, or to a tab that is drawn elsewhere.
      case part
      /// A notification: nothing is shown or left.
      case notice
      case dialog
      /// Any other verb.
      case way
    }

    let from: String
    let to: String
    let label: String
    let kind: Kind
  }

  /// The nodes, each once.
  private(set) var parts: [Part] = []
  private(set) var edges: [Edge] = []
  private let routes: [String: [GraphDrawing.Route]]
  private let start: String

  init(_ drawing: GraphDrawing) {
    routes = Dictionary(grouping: drawing.routes, by: \.from)
    start = drawing.start
    let known = drawing.nodes.keyed(by: \.name)
    place(drawing.nodes, known)
    for node in drawing.nodes {
      for name in node.background where known[name] != nil {
        edges.append(Edge(from: node.name, to: name, label: "background", kind: .part))
      }
    }
    for route in drawing.routes where known[route.from] != nil {
      for verb in route.verbs {
        guard let target = verb.node, known[target] != nil else { continue }
        edges.append(
          Edge(
            from: route.from, to: target, label: "\(route.action): \(verb.word)\(verb.optionText)",
            kind: Edge.Kind(verb)))
      }
    }
  }

  /// Places each node in the first container that has it as a tab.
  private mutating func place(_ nodes: [GraphDrawing.Node], _ known: [String: GraphDrawing.Node]) {
    var owner: [String: String] = [:]
    for node in nodes {
      for tab in node.tabs where known[tab] != nil && tab != node.name {
        if owner[tab] == nil {
          owner[tab] = node.name
        } else {
          edges.append(Edge(from: node.name, to: tab, label: "tab", kind: .part))
        }
      }
    }
    var placed: Set<String> = []
    // Last, all nodes: containers in a cycle have no outermost one. Checks report them, but the
    // drawing shows them.
    let outermost = nodes.filter { owner[$0.name] == nil }
    var pending: [Part] = (outermost + nodes).reversed().map { .node($0) }
    // Not recursive: containers may be nested as deeply as a manifest has lines.
    while let part = pending.popLast() {
      guard case .node(let node) = part else {
        parts.append(part)
        continue
      }
      guard placed.insert(node.name).inserted else { continue }
      let tabs = node.tabs.filter { owner[$0] == node.name }.compactMap { known[$0] }
      if tabs.isEmpty {
        parts.append(.node(node))
      } else {
        parts += [.open(node), .node(node)]
        pending.append(.close)
        pending += tabs.reversed().map { .node($0) }
      }
    }
  }

  /// The lines of a node's label: name, title, feature, and the verbs that lead nowhere.
  func label(_ node: GraphDrawing.Node) -> [String] {
    var lines = [node.name] + node.facts
    for route in routes[node.name] ?? [] {
      let verbs = route.verbs.filter { $0.node == nil }.map(\.labelText)
      if !verbs.isEmpty { lines.append("\(route.action): " + verbs.joined(separator: ", ")) }
    }
    return lines
  }
}

extension ClusterLayout.Edge.Kind {
  init(_ verb: GraphDrawing.Verb) {
    self = verb.word == "notify" ? .notice : verb.word == "present" ? .dialog : .way
  }
}
