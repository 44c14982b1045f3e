internal import Navigation
internal import Support

extension GraphDrawing {
  /// The drawing in words, a line for each node, route and link, for screen readers.
  var linearLines: [String] {
    let outgoing = Dictionary(grouping: routes, by: \.from)
    let (reached, others) = order
    var lines = reached.flatMap { linear($0, outgoing[$0.name] ?? []) }
    if !others.isEmpty { lines.append("No route leads to:") }
    lines += others.flatMap { linear($0, outgoing[$0.name] ?? []) }
    for link in links {
      let steps = link.steps.map(\.labelText).joined(separator: ", then ")
      lines.append("link \(SafeText.line(link.path)): " + SafeText.line(steps))
    }
    return lines.isEmpty ? ["There are no nodes."] : lines
  }

  private func linear(_ node: Node, _ routes: [Route]) -> [String] {
    var words = [node.name]
    if node.name == start { words.append("start") }
    if node.name == current {
      words.append("you are here")
    } else if visited.contains(node.name) {
      words.append("on the way here")
    }
    if let title = node.title, !title.isEmpty { words.append("title \(title)") }
    if let feature = node.feature { words.append("feature \(feature)") }
    if !node.tabs.isEmpty { words.append("tabs " + node.tabs.joined(separator: " and ")) }
    return [words.map(SafeText.line).joined(separator: ", ")]
      + routes.map { route in
        let verbs = route.verbs.map(\.labelText).joined(separator: ", then ")
        return "  " + SafeText.line(route.action + ": " + verbs)
      }
  }
}
