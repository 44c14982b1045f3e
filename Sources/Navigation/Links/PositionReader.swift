internal import AppCore
internal import Manifest
internal import Support

/// Parses a position as `:path --full` prints it; errors name the column and the reason.
struct PositionReader {
  let graph: Graph
  let address: String
  let json: (String) -> Value?

  /// Returns the plan of the position.
  func plan() throws(Rejection) -> LinkPlan {
    var steps: [LinkPlan.Step] = []
    var container: Int?
    var column = 2
    for part in LinkMatcher.split(address.dropFirst(), at: "/") {
      let (step, node) = try step(part, column: column, after: container, isFirst: steps.isEmpty)
      steps.append(step)
      container = if case .tabs = graph.nodes[node].content { node } else { nil }
      column += part.count + 1
    }
    return LinkPlan(address: address, steps: steps, needs: nil)
  }

  private func fault(
    _ fault: String, _ part: Substring, in whole: Substring, at column: Int
  ) -> Rejection {
    let before = whole.distance(from: whole.startIndex, to: part.startIndex)
    return .badPosition(fault, part: String(part), column: column + before)
  }

  private func step(
    _ whole: Substring, column: Int, after container: Int?, isFirst: Bool
  ) throws(Rejection) -> (LinkPlan.Step, node: Int) {
    let pieces = LinkMatcher.split(whole, at: ";")
    var name = pieces[0]
    if name.first == "…" {
      throw fault(
        "the position is shortened here; ':path --full' prints it whole", name, in: whole,
        at: column)
    }
    let isModal = name.first == "!"
    if isModal { name = name.dropFirst() }
    if isModal, isFirst {
      throw fault(
        "the app's root can't be a modal; leave the '!' out", whole, in: whole, at: column)
    }
    var tab: Substring?
    if let tilde = name.firstIndex(of: "~") {
      tab = name[..<tilde]
      name = name[name.index(after: tilde)...]
    }
    let node = try node(name, in: whole, at: column)
    let arguments = try arguments(pieces.dropFirst(), of: node, in: whole, at: column)
    if isModal { return (.present(node: node, arguments), node) }
    guard let container, case .tabs(let tabs) = graph.nodes[container].content else {
      if let tab {
        let before = isFirst ? String(tab) : "the node"
        throw fault(
          "'~' names the node in the place of a tab, but '\(before)' before it is not a container",
          tab, in: whole, at: column)
      }
      return (.push(node: node, arguments, isLiving: false), node)
    }
    let owner =
      try tab.map { text throws(Rejection) in try self.node(text, in: whole, at: column) }
      ?? node
    guard tabs.contains(where: { $0.node == owner }) else {
      let names = tabs.map { graph.nodes[$0.node].name }
      throw fault(
        "'\(graph.nodes[container].name)' has no such tab"
          + Rejection.hint(nil, names, what: "it has"), tab ?? name, in: whole,
        at: column)
    }
    return (.root(node: node, arguments, tab: owner), node)
  }

  private func node(
    _ name: Substring, in whole: Substring, at column: Int
  ) throws(Rejection) -> Int {
    if name.isEmpty {
      throw fault("a node is missing between the slashes", name, in: whole, at: column)
    }
    guard let node = graph.index(of: String(name)) else {
      let nearest = NearestName.of(
        String(name), among: graph.presentNodes.map { graph.nodes[$0].name })
      throw fault(
        "there is no such node" + (nearest.map { "; did you mean '\($0)'?" } ?? ""), name,
        in: whole, at: column)
    }
    return node
  }

  private func arguments(
    _ parts: ArraySlice<Substring>, of index: Int, in whole: Substring, at column: Int
  ) throws(Rejection) -> Value {
    let node = graph.nodes[index]
    var values: [String: Value] = [:]
    var alone: Value?
    for part in parts {
      guard let equals = part.firstIndex(of: "=") else {
        throw fault("an argument is written 'name=value'", part, in: whole, at: column)
      }
      let text = part[part.index(after: equals)...]
      guard let name = decoded(part[..<equals]), let value = decoded(text) else {
        throw fault(
          "a '%' is not followed by two hexadecimal digits of a text in UTF-8", part, in: whole,
          at: column)
      }
      guard alone == nil, values[name] == nil else {
        throw fault("the argument is given twice", part, in: whole, at: column)
      }
      if text == PositionWriter.leftOut {
        throw fault(
          "'\(name)' of '\(node.name)' is secret and was left out, so this position can't be reopened",
          part, in: whole, at: column)
      }
      let schema = try schema(of: name, of: node, part, in: whole, at: column)
      guard let read = schema.value(ofPart: value, json: json) else {
        throw fault(
          "'\(name)' must be \(schema.phrase)", part, in: whole, at: column)
      }
      if name.isEmpty { alone = read } else { values[name] = read }
    }
    let given = alone ?? .object(values)
    let arguments = ArgumentTemplate.value(given).resolved(
      .null, over: node.arguments.resolved(.null))
    if case .object(let fields) = node.shape {
      let missing = fields.filter { $0.isRequired && (arguments[$0.name] ?? .null) == .null }
      if !missing.isEmpty {
        throw fault(
          "'\(node.name)' needs " + Rejection.quoted(missing.map(\.name)), whole, in: whole,
          at: column)
      }
    }
    return arguments
  }

  private func schema(
    of name: String, of node: Node, _ part: Substring, in whole: Substring, at column: Int
  ) throws(Rejection) -> Schema {
    guard !name.isEmpty else { return node.shape }
    switch node.shape {
    case .object(let fields):
      if let field = fields.first(where: { $0.name == name }) { return field.schema }
      let known = fields.map(\.name)
      throw fault(
        "'\(node.name)' takes no such argument"
          + Rejection.hint(NearestName.of(name, among: known), known, what: "it takes"),
        part, in: whole, at: column)
    case .dictionary(let element): return element
    default: return .any
    }
  }

  private func decoded(_ text: Substring) -> String? {
    PercentEncoding.decode(Array(text.utf8)[...])
  }
}
