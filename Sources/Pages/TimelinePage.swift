package import AppCheck
internal import Support

/// The steps of a recording as a page that a browser opens: one file.
///
/// Steps are added in their order. A few facts of each are in an index, for filters; the rest is in
/// chunks, which the page parses when one of their steps is shown. When the chunks have more bytes
/// than ``limit``, the oldest ones are left out, and the page says so.
package struct TimelinePage {
  /// A step, as the page shows it.
  package struct Step {
    /// When it began, since the app did, and how long it took; in microseconds.
    package var time = 0
    package var took = 0
    /// What sent it, such as `screen` and `effect`.
    package var kind: String
    /// The node of its instance, and that instance's number, such as `3.0`; `nil` for what concerns
    /// the app.
    package var node: String?
    package var instance: String?
    /// The line that was typed for it.
    package var line: String?
    /// What it was, in words.
    package var text: String
    /// Why it was refused; `nil` where it was not.
    package var refusal: String?
    /// The nodes from the first screen to the one that was shown afterwards.
    package var path: [String] = []
    /// The screen that was shown afterwards.
    package var screen: [String] = []
    /// What changed: the field and its value before and after, each `nil` where there was none.
    package var changes: [(field: String, before: String?, after: String?)] = []

    /// Creates a step of which no more is known.
    package init(kind: String, text: String) { (self.kind, self.text) = (kind, text) }
  }

  /// How many steps are in a chunk.
  static let chunkLength = 500
  /// How many bytes the chunks have together, at most, but for the latest one.
  package static let limit = 64_000_000
  /// How much of one value is shown.
  static let valueLimit = 20_000

  private let title: String
  private let graph: GraphDrawing
  private let firstNumber: Int
  private let notes: [String]
  private let limit: Int
  private var chunks: [Chunk] = []
  /// How many chunks at the front were left out.
  private var dropped = 0
  private var size = 0
  /// The chunk that is being filled.
  private var open: Chunk
  private var kinds = Names()
  private var nodes = Names()
  private var instances = Names()
  private let plugins: [String: String]
  private var screen: [String] = []

  /// Steps that are parsed together.
  fileprivate struct Chunk {
    /// The columns of the index.
    var times: [Int] = []
    var took: [Int] = []
    var kinds: [Int] = []
    var nodes: [Int] = []
    var instances: [Int] = []
    var failed: [Int] = []
    /// The lines of its screens, each once.
    var lines: Names
    /// The screen before its first step, and that of its latest one.
    let base: [Int]
    var screen: [Int]
    /// Its steps, as JSON.
    var steps = JSONWriter()

    init(after screen: [String]) {
      var lines = Names()
      base = screen.map { lines.number(of: $0) }
      self.screen = base
      self.lines = lines
      steps.beginArray()
    }
  }

  /// Names with numbers, in the order in which they came.
  fileprivate struct Names {
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = names.count
      names.append(name)
      return names.count - 1
    }
  }

  /// Creates a page without steps.
  ///
  /// - Parameters:
  ///   - graph: the graph of the app.
  ///   - first: the number of the first step that is added.
  ///   - notes: what a reader should know first, each a sentence.
  ///   - screen: the screen before the first step.
  ///   - limit: how many bytes its chunks may have.
  package init(
    _ graph: GraphDrawing, first: Int = 1, notes: [String] = [], screen: [String] = [],
    limit: Int = Self.limit
  ) {
    title = graph.title
    firstNumber = first
    self.graph = graph
    self.notes = notes
    self.screen = screen
    self.limit = limit
    open = Chunk(after: screen)
    // In the order of the graph, so that filters list them like that.
    for node in graph.nodes { _ = nodes.number(of: node.name) }
    plugins = Dictionary(
      graph.nodes.compactMap { node in
        node.feature.map { (node.name, String($0.prefix { $0 != "." })) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds the next step.
  package mutating func add(_ step: Step) {
    if step.refusal != nil { open.failed.append(open.took.count) }
    open.times.append(step.time)
    open.took.append(step.took)
    open.kinds.append(kinds.number(of: step.kind))
    open.nodes.append(step.node.map { nodes.number(of: $0) } ?? -1)
    open.instances.append(step.instance.map { instances.number(of: $0) } ?? -1)
    write(step)
    screen = step.screen
    if open.took.count == Self.chunkLength { closeChunk() }
  }

  private mutating func write(_ step: Step) {
    let screen = step.screen.map { open.lines.number(of: $0) }
    open.steps.beginObject()
    if let line = step.line { open.steps.string(Self.cut(line), "line") }
    open.steps.string(Self.cut(step.text), "text")
    if let refusal = step.refusal { open.steps.string(refusal, "refusal") }
    if screen != open.screen {
      open.screen = screen
      open.steps.write(screen, "screen")
    }
    open.steps.write(step.path.map { nodes.number(of: $0) }, "path")
    if !step.changes.isEmpty {
      open.steps.beginArray("changes")
      for change in step.changes {
        open.steps.beginArray()
        open.steps.string(change.field)
        open.steps.optional(change.before.map(Self.cut))
        open.steps.optional(change.after.map(Self.cut))
        open.steps.endArray()
      }
      open.steps.endArray()
    }
    open.steps.endObject()
  }

  /// The beginning of a text that is too long to be looked at.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > valueLimit else { return text }
    return text.prefix(valueLimit) + "… (\(text.utf8.count) bytes)"
  }

  private mutating func closeChunk() {
    guard !open.took.isEmpty else { return }
    chunks.append(open)
    size += open.size
    open = Chunk(after: screen)
    while size > limit, chunks.count - dropped > 1 {
      size -= chunks[dropped].size
      // What it held is let go of.
      chunks[dropped].steps = JSONWriter()
      chunks[dropped].lines = Names()
      dropped += 1
    }
  }

  /// The page with the steps that were added.
  package var html: [UInt8] {
    var whole = self
    whole.closeChunk()
    return whole.closedHTML
  }

  private var closedHTML: [UInt8] {
    let kept = chunks[dropped...]
    let first = chunks[..<dropped].reduce(firstNumber) { $0 + $1.took.count }
    var notes = notes
    if first > firstNumber {
      notes.append(
        "Steps \(firstNumber) to \(first - 1) were left out: a page holds the newest \(limit / 1_000_000) MB."
      )
    }
    var page = HTMLPage(
      title: "\(title): timeline",
      styles: [
        PackageResources.page_css, PackageResources.timeline_css,
        Array(GraphDrawing.svgStyle.utf8),
      ],
      scripts: [PackageResources.graph_js, PackageResources.timeline_js])
    page.body = body(notes)
    page.data = [("index", index(kept, first: first))]
    page.data += kept.enumerated().map { ("chunk-\($0)", $1.json) }
    return page.bytes
  }

  private func index(_ chunks: ArraySlice<Chunk>, first: Int) -> [UInt8] {
    var writer = JSONWriter()
    var plugins = Names()
    let pluginNumbers = nodes.names.map { node in
      self.plugins[node].map { plugins.number(of: $0) } ?? -1
    }
    writer.beginObject()
    writer.int(first, "first")
    writer.write(kinds.names, "kinds")
    writer.write(nodes.names, "nodes")
    writer.write(plugins.names, "plugins")
    writer.write(pluginNumbers, "nodePlugins")
    // Differences are short.
    var last = 0
    writer.write(
      chunks.flatMap(\.times).map { time in
        defer { last = time }
        return time - last
      }, "time")
    writer.write(chunks.flatMap(\.took), "took")
    writer.write(chunks.flatMap(\.kinds), "kind")
    writer.write(chunks.flatMap(\.nodes), "node")
    writer.write(instances.names, "instances")
    writer.write(chunks.flatMap(\.instances), "instance")
    var starts: [Int] = []
    var failed: [Int] = []
    var count = 0
    for chunk in chunks {
      starts.append(count)
      failed += chunk.failed.map { $0 + count }
      count += chunk.took.count
    }
    writer.write(failed, "failed")
    writer.write(starts, "chunks")
    writer.endObject()
    return Array(writer.text.utf8)
  }

  private func body(_ notes: [String]) -> String {
    """
    <header>
    <h1>\(MarkupText.escaped(title))</h1>
    \(notes.map { "<p>\(MarkupText.escaped($0))</p>\n" }.joined())</header>
    <div id="columns">
    <nav id="left" aria-label="Steps">
    <div id="filters" class="tools" role="search">
    <label class="hidden" for="kind">Kind</label>
    <select id="kind"><option value="">all kinds</option></select>
    <label class="hidden" for="plugin">Plugin</label>
    <select id="plugin"><option value="">all plugins</option></select>
    <label class="hidden" for="node">Node</label>
    <select id="node"><option value="">all nodes</option></select>
    <label for="instance">#</label>
    <input id="instance" size="5" aria-label="Instance, such as 3.0" placeholder="3.0">
    <label for="slower">over</label>
    <input id="slower" type="number" min="0" step="0.1" aria-label="Slower than, in milliseconds">
    <label for="slower">ms</label>
    <input id="search" type="search" placeholder="Find a step" aria-label="Find a step">
    <button id="clear">Clear</button>
    </div>
    <div id="found" role="status"></div>
    <div id="list" role="listbox" aria-label="Steps" tabindex="0"></div>
    </nav>
    <main id="main">
    <div id="travel" role="group" aria-label="Travel">
    <button id="first" aria-label="First step">«</button>
    <button id="back" aria-label="Step back">‹</button>
    <input id="slider" type="range" aria-label="Step">
    <button id="forward" aria-label="Step forward">›</button>
    <button id="last" aria-label="Last step">»</button>
    </div>
    <div id="detail" tabindex="0" role="region" aria-label="The chosen step">
    <div id="about" aria-live="polite">
    <div id="summary"></div>
    <div id="what" class="mono"></div>
    <div id="refusal" class="refusal"></div>
    </div>
    <div id="screens">
    <div><h2>Screen before</h2><pre id="before"></pre></div>
    <div><h2>Screen after</h2><pre id="after"></pre></div>
    </div>
    <h2>What changed</h2>
    <p id="no-changes">Nothing.</p>
    <table id="changes-table">
    <thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
    <tbody id="changes"></tbody>
    </table>
    <h2>Graph</h2>
    <div id="picture" class="picture">
    \(graph.svgContent)</div>
    </div>
    </main>
    </div>

    """
  }
}

extension TimelinePage.Chunk {
  /// How many bytes it takes.
  fileprivate var size: Int {
    steps.text.utf8.count + lines.names.reduce(0) { $0 + $1.utf8.count + 3 }
  }

  fileprivate var json: [UInt8] {
    var steps = steps
    steps.endArray()
    var writer = JSONWriter()
    writer.beginObject()
    writer.write(lines.names, "lines")
    writer.write(base, "base")
    writer.raw(steps.text, "steps")
    writer.endObject()
    return Array(writer.text.utf8)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ numbers: [Int], _ key: StaticString) {
    beginArray(key)
    for number in numbers { int(number) }
    endArray()
  }

  fileprivate mutating func write(_ names: [String], _ key: StaticString) {
    beginArray(key)
    for name in names { string(name) }
    endArray()
  }
}
