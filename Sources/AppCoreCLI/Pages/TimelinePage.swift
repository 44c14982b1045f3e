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

    /// Creates a step that changes nothing and has no screen.
    init(kind: String, text: String) { (self.kind, self.text) = (kind, text) }
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
