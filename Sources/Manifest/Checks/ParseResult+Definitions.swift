internal import Support

// Checks of plugins, nodes, routes and variables, once all files are read and names are resolved.
extension ParseResult {
  /// Drops repeated plugins: naming one twice is allowed if both entries are equal.
  mutating func checkPlugins() {
    var first: [String: Manifest.Plugin] = [:]
    var kept: [Manifest.Plugin] = []
    for plugin in manifest.plugins {
      let name = plugin.reference.description
      guard let other = first[name] else {
        first[name] = plugin
        kept.append(plugin)
        continue
      }
      guard !plugin.saysTheSame(as: other) else { continue }
      report(
        .conflictingPlugin, at: plugin.range,
        "the plugin \(quote(name)) is already there with other settings",
        related: .init(.firstDefinition, at: other.range))
    }
    manifest.plugins = kept
  }

  /// Finds earlier names of nodes that don't say which node an instance belongs to.
  mutating func checkFormerNames() {
    var first: [String: (node: NodeID, range: SourceRange)] = [:]
    for node in manifest.nodes {
      for name in node.formerNames {
        if let living = manifest.nodeIDs[name.value] {
          report(
            .formerName, at: name.range,
            living == node.id
              ? "'was' names the node itself; it is for earlier names"
              : "there is a node \(quote(name.value)), so no other can have been it",
            related: living == node.id
              ? nil : .init(.nodeDefinition, at: manifest[living].name.range))
        } else if let other = first[name.value] {
          let related = Diagnostic.Related(.firstDefinition, at: other.range)
          if other.node == node.id {
            report(
              .duplicateEntry, at: name.range, "\(quote(name.value)) appears twice in 'was'",
              related: related)
          } else {
            report(
              .formerName, at: name.range,
              "the node \(quote(manifest[other.node].name.value)) was \(quote(name.value)) already; "
                + "only one can have been it",
              related: related)
          }
        } else {
          first[name.value] = (node.id, name.range)
        }
      }
    }
  }

  /// Reports every pair of node and action that already has a route, at the action of the later
  /// route.
  ///
  /// Routes beyond the limit are removed: `from` and `action` may both be lists, so that even a
  /// small file has many pairs.
  mutating func checkRoutes(limit: Int) {
    var total = 0
    let excess = manifest.routes.firstIndex { route in
      total += route.actions.count * max(1, route.sources.count)
      return total > limit
    }
    if let excess {
      report(
        .tooManyPairs, at: manifest.routes[excess].range,
        "the routes expand to more than the limit of \(limit) pairs of node and action")
      manifest.routes.removeSubrange(excess...)
    }
    // The place of each action by its node; `nil` for `any`.
    var first: [NodeID?: [String: SourceRange]] = [:]
    for route in manifest.routes {
      let nodes = route.any == nil ? route.sources.map { ($0.id, $0.name) } : [(nil, "any")]
      for action in route.actions {
        for (id, name) in nodes where id != nil || route.any != nil {
          if let other = first[id]?[action.value] {
            report(
              .duplicateRoute, at: action.range,
              "\(quote(action.value)) of \(quote(name)) already has a route",
              related: .init(.firstDefinition, at: other))
          } else {
            first[id, default: [:]][action.value] = action.range
          }
        }
      }
    }
  }

  /// Gives variables their values from `--set` and the environment, and reports unknown, unset and
  /// unused names; unknown settings without `vars` at the start of the first file.
  mutating func checkVariables(_ options: ManifestLoader.Options) {
    let names = manifest.variables.map(\.name.value)
    let known = Set(names)
    let knowsAll = !isIncomplete && !hasUnreadVariables
    for name in options.settings.keys.sorted() where knowsAll && !known.contains(name) {
      let nearest = suggestions.nearest(to: name, among: names)
      report(
        .unknownSetting, at: variablesKey ?? .start(ofFile: 0),
        "--set names the unknown variable \(quote(name))"
          + Wording.hint(nearest, names, what: "variables"))
    }
    let words = badReferenceWords()
    var used = Set(variableUses.map(\.value))
    let unknown = Dictionary(
      grouping: variableUses.filter { knowsAll && !known.contains($0.value) }
        .sorted { $0.range < $1.range }, by: \.value)
    for uses in unknown.values.sorted(by: { $0[0].range < $1[0].range }) {
      let name = uses[0].value
      let nearest = suggestions.nearest(to: name, among: names)
      report(
        .unknownVariable, at: uses[0].range,
        "unknown variable \(quote(name))" + Wording.hint(nearest, names, what: "variables"),
        correction: nearest.map {
          .init("$vars.\(name)", "$vars.\($0.name)", isCertain: $0.isCertain)
        },
        alsoAt: uses.dropFirst().map(\.range))
      // The variable that was probably meant is not reported as unused.
      if let nearest { used.insert(nearest.name) }
    }
    for index in manifest.variables.indices {
      var variable = manifest.variables[index]
      let name = variable.name
      if let (text, origin) = given(variable, options) {
        let scalar = Scalar(text: text, style: .given)
        variable.value = Manifest.Expression(.scalar(scalar), at: name.range)
        variable.origin = origin
        manifest.variables[index] = variable
      }
      if variable.value == nil, !options.allowsUnsetVariables {
        report(
          .unsetVariable, at: name.range,
          "the variable \(quote(name.value)) has no value; "
            + (variable.environment.map { "set \($0.value) in the environment, or " } ?? "")
            + "give it a 'default' or --set \(name.value)=…")
      }
      if !used.contains(name.value), !isIncomplete, !mayRefer(to: name.value, among: words) {
        report(.unusedVariable, at: name.range, "nothing uses the variable \(quote(name.value))")
      }
    }
    limitVariables(options.limits.expansion)
  }

  /// Reports the first use of a variable beyond the limit, and makes those variables invalid whose
  /// uses are beyond it.
  ///
  /// Each use of a list or a map becomes a copy of it, so that even a small file has many values.
  private mutating func limitVariables(_ limit: Int) {
    let indices = Dictionary(
      zip(manifest.variables.map(\.name.value), manifest.variables.indices),
      uniquingKeysWith: { first, _ in first })
    var counts = manifest.variables.map { $0.value?.elementCount ?? 0 }
    var total = 0
    var isReported = false
    for use in variableUses {
      guard let index = indices[use.value] else { continue }
      guard counts[index] > limit - total else {
        total += counts[index]
        continue
      }
      if !isReported {
        report(
          .tooMuchExpansion, at: use.range,
          "with '$vars.\(use.value)' here, the variables expand to more than the limit of "
            + "\(limit) values; shorten its default, or use it in fewer places")
      }
      isReported = true
      counts[index] = 0
      let range = manifest.variables[index].name.range
      manifest.variables[index].value = Manifest.Expression(.invalid, at: range)
    }
  }

  /// The text that a variable is given outside the manifest, and by what; `nil` if it is not given
  /// any.
  private mutating func given(
    _ variable: Manifest.Variable, _ options: ManifestLoader.Options
  ) -> (text: String, Manifest.Variable.Origin)? {
    if let text = options.settings[variable.name.value] {
      let path = options.folders.expanded(text)
      if path == nil { reportUnknownFolder("~", at: variable.name.range) }
      return (path ?? text, .setting)
    }
    if let text = options.formerValues[variable.name.value] { return (text, .setting) }
    return variable.environment.flatMap { options.environment($0.value) }
      .map { ($0, .environment) }
  }
}

// Opening a container opens its first tab and its background instances; the other tabs are opened
// when they are selected.
extension ParseResult {
  /// The deepest nesting of containers.
  static let containerLimit = 32

  /// Reports each group of containers that open one another, once, at its smallest position, and
  /// the containers whose nesting exceeds the limit.
  ///
  /// - Complexity: O(*n* + *u*), where *n* is the number of nodes and *u* the number of tabs and
  ///   background instances; without recursion.
  mutating func checkContainers() {
    let opened = manifest.nodes.map { node in
      (node.tabs.prefix(1) + node.background).filter { $0.node.id != nil }.map(\.node)
    }
    let components = StronglyConnectedComponents(opened.count) { node in
      opened[node].compactMap { $0.id?.index }
    }
    for (members, isCycle) in zip(components.members, components.isCycle) where isCycle {
      reportCycle(among: Set(members), opened)
    }
    checkNesting()
  }

  /// Reports one group, with the shortest cycle through its first reference in the files.
  private mutating func reportCycle(among members: Set<Int>, _ opened: [[NodeReference]]) {
    func inside(_ node: Int) -> [(range: SourceRange, target: Int)] {
      opened[node].compactMap { reference in
        reference.id.flatMap {
          members.contains($0.index) ? (reference.range, $0.index) : nil
        }
      }
    }
    let steps = members.flatMap { node in inside(node).map { (node: node, edge: $0) } }
    guard let first = steps.min(by: { $0.edge.range < $1.edge.range }) else { return }
    var previous = [first.edge.target: first.node]
    var pending = [first.edge.target]
    var position = 0
    while previous[first.node] == nil, position < pending.count {
      let node = pending[position]
      position += 1
      for edge in inside(node) where previous[edge.target] == nil {
        previous[edge.target] = node
        pending.append(edge.target)
      }
    }
    var way = [first.node]
    while let before = previous[way[way.count - 1]], way.count == 1 || way.last != first.node {
      way.append(before)
    }
    let names = way.reversed().map { Wording.printable(manifest.nodes[$0].name.value) }
    report(
      .containerCycle, at: first.edge.range,
      "these containers open one another without end: " + names.joined(separator: " -> "))
  }

  /// Reports the containers that are one level too high, counted from the innermost; those around
  /// them are too deep for the same reason, and are not reported.
  private mutating func checkNesting() {
    let uses = manifest.nodes.map { $0.parts.compactMap { $0.node.id?.index } }
    let components = StronglyConnectedComponents(uses.count) { uses[$0] }
    var heights = Array(repeating: 0, count: components.members.count)
    for (number, members) in components.members.enumerated() {
      guard let node = members.first, !components.isCycle[number], !uses[node].isEmpty else {
        continue
      }
      heights[number] = 1 + (uses[node].map { heights[components.numbers[$0]] }.max() ?? 0)
      if heights[number] == Self.containerLimit + 1 {
        report(
          .tooNested, at: manifest.nodes[node].name.range,
          "this is nested deeper than the limit of \(Self.containerLimit) levels")
      }
    }
  }
}
