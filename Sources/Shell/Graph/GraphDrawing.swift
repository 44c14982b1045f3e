/// The app's screens and the routes between them, as a value to be drawn.
public struct GraphDrawing: Sendable {
  /// A node.
  public struct Node: Sendable {
    public let name: String
    /// The feature's full name; `nil` for a container.
    public let feature: String?
    public let title: String?

    /// Creates a node.
    public init(_ name: String, feature: String? = nil, title: String? = nil) {
      self.name = name
      self.feature = feature
      self.title = title
    }
  }

  /// A route, or what else leads out of a node, such as a tab.
  public struct Edge: Sendable {
    public let from: String
    /// `nil` where the verb has no target, as `back` has none.
    public let to: String?
    /// The delegate action, or what else it is called.
    public let label: String
    public let verb: String

    /// Creates an edge.
    public init(from: String, to: String?, label: String, verb: String) {
      self.from = from
      self.to = to
      self.label = label
      self.verb = verb
    }
  }

  public var nodes: [Node]
  public var edges: [Edge]
  /// The name of the first node.
  public var start: String
  /// The name of the node that shows; `nil` where no app runs.
  public var current: String?
  /// The names of the nodes on the current path.
  public var visited: Set<String>

  /// Creates a drawing.
  public init(
    nodes: [Node], edges: [Edge], start: String, current: String? = nil,
    visited: Set<String> = []
  ) {
    self.nodes = nodes
    self.edges = edges
    self.start = start
    self.current = current
    self.visited = visited
  }

  /// The drawing as lines: one block a node with its routes beneath, nodes in the order in which
  /// routes reach them from the start, then those that nothing reaches.
  ///
  /// A node that several routes lead to stands there once; routes name it. So cycles are no matter.
  /// - Complexity: linear in nodes and edges.
  public func lines(width: Int, style: Style = .plain) -> [String] {
    let width = max(width, 20)
    let outgoing = Dictionary(grouping: edges, by: \.from)
    let (reached, others) = order(outgoing)
    var lines: [StyledLine] = []
    for node in reached { lines += block(node, outgoing[node.name] ?? [], width) }
    if !others.isEmpty {
      lines += [StyledLine(), StyledLine("No route leads to:", .warning)]
      for node in others { lines += block(node, outgoing[node.name] ?? [], width) }
    }
    lines.append(StyledLine())
    lines += legend(width)
    return lines.dropFirst(lines.first?.pieces.isEmpty == true ? 1 : 0).map { $0.text(style) }
  }

  /// The nodes that can be reached, nearest first, and the others as they were given.
  private func order(_ outgoing: [String: [Edge]]) -> (reached: [Node], others: [Node]) {
    let known = Dictionary(nodes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var queue: [Node] = []
    var seen: Set<String> = []
    func reach(_ name: String) {
      guard let node = known[name], seen.insert(name).inserted else { return }
      queue.append(node)
    }
    reach(start)
    var next = 0
    while next < queue.count {
      for edge in outgoing[queue[next].name] ?? [] {
        if let target = edge.to { reach(target) }
      }
      next += 1
    }
    return (queue, nodes.filter { seen.insert($0.name).inserted })
  }

  private func block(_ node: Node, _ edges: [Edge], _ width: Int) -> [StyledLine] {
    let isCurrent = node.name == current
    let mark = isCurrent ? "▶ " : visited.contains(node.name) ? "● " : "○ "
    var head = StyledLine(mark, isCurrent ? .success : .plain)
    head.append(
      TextLayout.truncate(SafeText.line(node.name), to: width - 2),
      isCurrent || node.name == start ? .strong : .plain)
    var notes: [String] = []
    if node.name == start { notes.append("start") }
    if let title = node.title, !title.isEmpty { notes.append("“\(SafeText.line(title))”") }
    if let feature = node.feature { notes.append(SafeText.line(feature)) }
    let note = notes.joined(separator: " · ")
    let room = width - head.width - 2
    if !note.isEmpty, room >= 6 {
      head.append("  " + TextLayout.truncate(note, to: room), .dim)
    }
    return [StyledLine(), head] + routes(edges, from: node.name, width)
  }

  private func routes(_ edges: [Edge], from name: String, _ width: Int) -> [StyledLine] {
    let room = width - 4
    let rows = edges.map { edge in
      let target = edge.to.map { "→ " + ($0 == name ? "itself" : SafeText.line($0)) } ?? ""
      return [SafeText.line(edge.label), SafeText.line(edge.verb), target]
    }
    let fit = TableFit(titles: ["", "", ""], cells: rows, width: room).widths
    return rows.enumerated().flatMap { index, row -> [StyledLine] in
      let isLast = index + 1 == rows.count
      let branch = StyledLine(isLast ? "  └ " : "  ├ ", .dim)
      guard let fit else {
        let text = row.filter { !$0.isEmpty }.joined(separator: " ")
        let rest = StyledLine(isLast ? "    " : "  │ ", .dim)
        return TextLayout.wrap(text, to: room).enumerated().map { part, line in
          (part == 0 ? branch : rest) + StyledLine(line)
        }
      }
      var line = branch
      for (column, text) in row.enumerated() {
        let cut = TextLayout.truncate(text, to: fit[column])
        line.append(TextLayout.pad(cut, to: fit[column]), column == 1 ? .dim : .plain)
        if column < 2 { line.append("  ") }
      }
      return [line]
    }
  }

  private func legend(_ width: Int) -> [StyledLine] {
    let text = current == nil ? "○ screen" : "▶ you are here   ● on the way here   ○ elsewhere"
    return TextLayout.wrap(text, to: width).map { StyledLine($0, .dim) }
  }
}
