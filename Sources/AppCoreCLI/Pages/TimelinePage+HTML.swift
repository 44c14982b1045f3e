internal import AppCheck
internal import Support

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
    // As differences, which have few digits.
    var last = 0
    let times = chunks.flatMap(\.times).map { time in
      defer { last = time }
      return time - last
    }
    var starts: [Int] = []
    var problems: [Int] = []
    var count = 0
    for chunk in chunks {
      starts.append(count)
      problems += chunk.problems.map { $0 + count }
      count += chunk.count
    }
    let tree: JSONTree = [
      "first": .int(first), "kinds": JSONTree(kinds.values), "nodes": JSONTree(nodes.values),
      "plugins": JSONTree(plugins.values), "nodePlugins": JSONTree(pluginNumbers),
      "instances": JSONTree(instances.values), "time": JSONTree(times),
      "took": JSONTree(chunks.flatMap(\.took)), "kind": JSONTree(chunks.flatMap(\.kinds)),
      "node": JSONTree(chunks.flatMap(\.nodes)), "instance": JSONTree(chunks.flatMap(\.instances)),
      "problems": JSONTree(problems), "chunks": JSONTree(starts),
    ]
    return tree.line
  }

  private func body(_ notes: [String]) -> String {
    """
    <header>
    <h1>\(MarkupText.escaped(graph.title))</h1>
    \(notes.map { "<p>\(MarkupText.escaped($0))</p>\n" }.joined())</header>
    <div id="columns">
    <nav id="left" aria-label="Steps">
    <div id="filters" class="tools" role="search" aria-label="Steps">
    <select id="kind" aria-label="Kind"><option value="">all kinds</option></select>
    <select id="plugin" aria-label="Plugin"><option value="">all plugins</option></select>
    <select id="node" aria-label="Node"><option value="">all nodes</option></select>
    <div class="pair"><label for="instance">#</label>
    <input id="instance" aria-label="Instance, such as 3.0" placeholder="3.0"></div>
    <div class="pair"><label for="slower">over</label>
    <input id="slower" type="number" min="0" step="0.1" aria-label="Slower than, in milliseconds">
    <span class="dim" aria-hidden="true">ms</span></div>
    <input id="search" type="search" placeholder="Find a step" aria-label="Find a step" \
    aria-keyshortcuts="/">
    <button id="clear">Clear</button>
    </div>
    <div id="found" role="status"></div>
    <div id="list" role="listbox" aria-label="Steps" tabindex="0"></div>
    <div id="keys" class="dim"><kbd>↑</kbd> <kbd>↓</kbd> step, <kbd>/</kbd> find, <kbd>Esc</kbd> list</div>
    </nav>
    <main id="main">
    <div id="travel" role="group" aria-label="Travel">
    <button id="first" aria-label="First step">«</button>
    <button id="back" aria-label="Step back">‹</button>
    <input id="slider" type="range" aria-label="Step">
    <button id="forward" aria-label="Step forward">›</button>
    <button id="last" aria-label="Last step">»</button>
    <div id="spoken" class="hidden" role="status"></div>
    </div>
    <div id="detail" tabindex="0" role="region" aria-label="The chosen step">
    <div>
    <div id="summary"></div>
    <div id="what" class="mono"></div>
    <div id="problem"></div>
    </div>
    <div id="screens">
    <div><h2 id="before-title">Screen before</h2>
    <pre id="before" tabindex="0" role="group" aria-labelledby="before-title"></pre></div>
    <div><h2 id="after-title">Screen after</h2>
    <pre id="after" tabindex="0" role="group" aria-labelledby="after-title"></pre></div>
    </div>
    <div>
    <h2 id="changes-title">What changed</h2>
    <div id="no-changes">Nothing.</div>
    <table id="changes-table" aria-labelledby="changes-title">
    <thead><tr><th scope="col">Field</th>
    <th scope="col">Before</th><th scope="col">After</th></tr></thead>
    <tbody id="changes"></tbody>
    </table>
    </div>
    <div class="place">
    <div class="tools"><h2>Graph</h2>
    \(GraphTools.size)\(GraphTools.legend)</div>
    <div id="picture" class="picture">
    \(graph.svgContent)</div>
    </div>
    </div>
    </main>
    </div>

    """
  }
}
