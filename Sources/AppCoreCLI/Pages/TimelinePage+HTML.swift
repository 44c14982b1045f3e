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
    String(
      PackageResources.timeline_html,
      [
        "title": MarkupText.escaped(graph.title),
        "notes": notes.map { "<p>\(MarkupText.escaped($0))</p>\n" }.joined(),
        "tools": String(PackageResources.graph_tools_html), "graph": graph.svgContent,
      ])
  }
}
