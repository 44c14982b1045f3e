internal import AppCheck
internal import Support

/// An HTML page of a recording's steps, in one file.
///
/// 1. Steps are added in their order. Each goes into the latest chunk, and a few numbers of it into
///    the index, for the page's filters.
/// 2. When the chunks exceed the page's limit, the oldest are dropped.
/// 3. ``html`` is the page. It reads the index when it is opened, and a chunk when one of its steps
///    is shown.
struct TimelinePage {
  struct Step {
    /// When it began, since the app began, in microseconds.
    var time = 0
    /// How long it took, in microseconds.
    var took = 0
    /// What sent it, such as `screen` and `effect`.
    var kind: String
    /// The node of its instance; `nil` for a step of the app.
    var node: String?
    /// The number of its instance, such as `3.0`; `nil` for a step of the app.
    var instance: String?
    var line: String?
    /// Its action, for people.
    var text: String
    /// What went wrong in it, or why it can't be shown.
    var problem: String?
    /// The nodes from the root to the screen after it.
    var path: [String] = []
    var screen: [String] = []
    /// The fields that changed, with their values before and after; `nil` where there was none.
    var changes: [(field: String, before: String?, after: String?)] = []
  }

  /// The most bytes of the chunks of a page, unless the latest alone has more.
  static let limit = 64_000_000

  let graph: GraphDrawing
  let notes: [String]
  let limit: Int
  /// The number of the first step that was added.
  let firstNumber: Int
  /// The number of steps in chunks that were dropped.
  private(set) var droppedCount = 0
  /// The chunks that are complete.
  private(set) var chunks: [TimelineChunk] = []
  private(set) var kinds = Numbering<String>()
  private(set) var nodes = Numbering<String>()
  private(set) var instances = Numbering<String>()
  /// The sum of the sizes of ``chunks``.
  private var size = 0
  /// The chunk that steps are added to.
  private var open: TimelineChunk

  /// Creates a page without steps, with notes above them.
  ///
  /// The steps begin with number `first`, after a screen.
  init(
    _ graph: GraphDrawing, first: Int = 1, notes: [String] = [], screen: [String] = [],
    limit: Int = Self.limit
  ) {
    self.graph = graph
    self.notes = notes
    self.limit = limit
    firstNumber = first
    open = TimelineChunk(after: screen)
    // In the order of the graph, so that the filter lists them in that order.
    for node in graph.nodes { _ = nodes.number(of: SafeText.line(node.name)) }
  }

  /// Adds the next step.
  ///
  /// - Complexity: linear in the size of the step; O(c) for c chunks when the oldest is dropped.
  mutating func add(_ step: Step) {
    open.add(
      step, kind: kinds.number(of: SafeText.line(step.kind)),
      node: step.node.map { nodes.number(of: SafeText.line($0)) },
      instance: step.instance.map { instances.number(of: SafeText.line($0)) },
      path: Self.distinct(step.path).map { nodes.number(of: SafeText.line($0)) })
    if open.isFull { closeChunk(screen: step.screen) }
  }

  /// The page with the steps that were added.
  var html: [UInt8] {
    var page = self
    page.closeChunk(screen: [])
    return page.closedHTML
  }

  private mutating func closeChunk(screen: [String]) {
    guard open.count > 0 else { return }
    chunks.append(open)
    size += open.size
    open = TimelineChunk(after: screen)
    while size > limit, chunks.count > 1 {
      let dropped = chunks.removeFirst()
      size -= dropped.size
      droppedCount += dropped.count
    }
  }

  /// The nodes of a path, each once, with the last one at the end.
  ///
  /// A stack may have thousands of instances of one node.
  private static func distinct(_ path: [String]) -> [String] {
    var seen: Set<String> = []
    return path.reversed().filter { seen.insert($0).inserted }.reversed()
  }
}

/// Values with numbers, in the order in which they were first seen.
struct Numbering<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var numbers: [Value: Int] = [:]

  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    numbers[value] = values.count
    values.append(value)
    return values.count - 1
  }
}

/// Consecutive steps of a page, with the tables that they share.
///
/// Its first line of JSON has the tables: lines of screens, screens as numbers of lines, and paths
/// as numbers of nodes. Each other line is a step, so that the page can parse one without the rest.
struct TimelineChunk {
  /// The most steps of a chunk.
  static let countLimit = 200
  /// A chunk with more bytes gets no further step: the page reads a chunk within a frame.
  static let sizeLimit = 200_000
  /// The most bytes of one text that are shown.
  static let textLimit = 20_000
  /// The most bytes of a step's changes that are shown.
  static let changesLimit = 200_000
  /// The most lines of a screen that are shown.
  static let screenLimit = 1000

  /// What the index has of a step, with -1 for one without a node or instance.
  typealias Row = (time: Int, took: Int, kind: Int, node: Int, instance: Int, hasProblem: Bool)

  private(set) var rows: [Row] = []
  /// The size in bytes, about that of ``json``.
  private(set) var size = 0

  private var lines = Numbering<String>()
  private var screens = Numbering<[Int]>()
  private var paths = Numbering<[Int]>()
  /// The number of the latest screen.
  private var screen = 0
  private var steps = ""

  /// Creates a chunk without steps, after a screen.
  init(after screen: [String]) { self.screen = number(ofScreen: screen) }

  var count: Int { rows.count }

  var isFull: Bool { count >= Self.countLimit || size >= Self.sizeLimit }

  /// Adds a step; its kind, node, instance and path are given as numbers of the page's tables.
  mutating func add(
    _ step: TimelinePage.Step, kind: Int, node: Int?, instance: Int?, path: [Int]
  ) {
    rows.append((step.time, step.took, kind, node ?? -1, instance ?? -1, step.problem != nil))
    var fields: [(name: String, value: JSONTree)] = []
    if let line = step.line { fields.append(("line", .string(SafeText.line(Self.cut(line))))) }
    fields.append(("text", .string(SafeText.line(Self.cut(step.text)))))
    if let problem = step.problem {
      fields.append(("problem", .string(SafeText.line(Self.cut(problem)))))
    }
    let before = screen
    screen = number(ofScreen: step.screen)
    fields.append(("screens", JSONTree([before, screen])))
    fields.append(("path", .int(paths.number(of: path))))
    if !step.changes.isEmpty { fields.append(("changes", Self.tree(step.changes))) }
    let json = JSONTree.object(fields).line
    steps += "\n" + json
    size += json.utf8.count
  }

  private static func tree(
    _ changes: [(field: String, before: String?, after: String?)]
  ) -> JSONTree {
    var size = 0
    var trees: [JSONTree] = []
    for (index, change) in changes.enumerated() {
      guard size < changesLimit else {
        return .array(trees + [.array([.string("… \(changes.count - index) more"), .null, .null])])
      }
      let cells = JSONTree.array([
        .string(SafeText.line(cut(change.field))),
        JSONTree(change.before.map { SafeText.text(cut($0)) }),
        JSONTree(change.after.map { SafeText.text(cut($0)) }),
      ]).line
      size += cells.utf8.count + 1
      trees.append(.raw(cells))
    }
    return .array(trees)
  }

  private mutating func number(ofScreen screen: [String]) -> Int {
    var shown = screen.prefix(Self.screenLimit).map { SafeText.line(Self.cut($0)) }
    if screen.count > shown.count { shown.append("… \(screen.count - shown.count) more lines") }
    let lineCount = lines.values.count
    let screenCount = screens.values.count
    let numbers = shown.map { lines.number(of: $0) }
    let number = screens.number(of: numbers)
    for line in lines.values[lineCount...] { size += line.utf8.count + 3 }
    // A number and its comma.
    if screens.values.count > screenCount { size += 4 * numbers.count }
    return number
  }

  /// The beginning of a text that is too long to be looked at.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    let end = text.utf8.index(text.utf8.startIndex, offsetBy: textLimit)
    // Not by characters: one may have a million marks.
    return String(text.unicodeScalars[..<end]) + "… (\(text.utf8.count) bytes)"
  }

  /// The tables, and then the steps, a line each.
  var json: String {
    let tables: JSONTree = [
      "lines": JSONTree(lines.values), "screens": .array(screens.values.map { JSONTree($0) }),
      "paths": .array(paths.values.map { JSONTree($0) }),
    ]
    return tables.line + steps
  }
}

extension TimelinePage {
  /// The page, after the latest chunk was closed.
  var closedHTML: [UInt8] {
    let first = firstNumber + droppedCount
    var notes = notes
    if droppedCount > 0 {
      let size = limit < 1_000_000 ? "\(limit / 1000) kB" : "\(limit / 1_000_000) MB"
      notes.append(
        "Steps \(firstNumber) to \(first - 1) are left out: a page holds the newest \(size). "
          + "'appcore replay' without '--html' shows all steps.")
    }
    var page = HTMLPage(
      title: "\(graph.title): timeline",
      styles: [
        PackageResources.page_css, PackageResources.timeline_css,
        Array(GraphDrawing.svgStyle.utf8),
      ],
      scripts: [
        PackageResources.graph_js, PackageResources.steps_js, PackageResources.list_js,
        PackageResources.timeline_js,
      ])
    page.body = body(notes)
    page.data = [("index", index(first: first))]
    page.data += chunks.enumerated().map { ("chunk-\($0)", $1.json) }
    return page.bytes
  }

  /// What the page reads of all steps when it is opened.
  private func index(first: Int) -> String {
    let pluginOfNode = Dictionary(
      graph.nodes.compactMap { node in
        node.feature.map { (SafeText.line(node.name), String($0.prefix { $0 != "." })) }
      }, uniquingKeysWith: { first, _ in first })
    var plugins = Numbering<String>()
    let pluginNumbers = nodes.values.map { node in
      pluginOfNode[node].map { plugins.number(of: SafeText.line($0)) } ?? -1
    }
    let rows = chunks.flatMap(\.rows)
    let problems = rows.indices.filter { rows[$0].hasProblem }
    // As differences, which have few digits.
    var last = 0
    let times = rows.map { row in
      defer { last = row.time }
      return row.time - last
    }
    var count = 0
    let starts = chunks.map { chunk in
      defer { count += chunk.count }
      return count
    }
    func column(_ value: (TimelineChunk.Row) -> Int) -> JSONTree { JSONTree(rows.map(value)) }
    let tree: JSONTree = [
      "first": .int(first), "kinds": JSONTree(kinds.values), "nodes": JSONTree(nodes.values),
      "plugins": JSONTree(plugins.values), "nodePlugins": JSONTree(pluginNumbers),
      "instances": JSONTree(instances.values), "time": JSONTree(times),
      "took": column { $0.took }, "kind": column { $0.kind }, "node": column { $0.node },
      "instance": column { $0.instance }, "problems": JSONTree(problems),
      "chunks": JSONTree(starts),
    ]
    return tree.line
  }

  private func body(_ notes: [String]) -> String {
    String(
      PackageResources.timeline_html,
      [
        "title": MarkupText.escaped(graph.title),
        "notes": notes.map { "<p>\(MarkupText.escaped($0))</p>\n" }.joined(),
        "tools": String(PackageResources.graph_tools_html), "graph": graph.svgContent,
      ])
  }
}
