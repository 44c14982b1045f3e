internal import AppCore
internal import Support

/// Parses a position as `:path --full` prints it; errors name the column and the reason.
struct PositionReader {
  let graph: Graph
  let address: String
  let json: (String) -> Value?

  func plan() throws(Rejection) -> LinkPlan {
    var steps: [Link.Step] = []
    var container: Int?
    var column = 2
    for text in LinkMatcher.split(address.dropFirst(), at: "/") {
      let part = PositionPart(graph: graph, whole: text, column: column, json: json)
      let (step, node) = try part.step(after: container, isFirst: steps.isEmpty)
      steps.append(step)
      container = if case .tabs = graph.nodes[node].content { node } else { nil }
      column += text.count + 1
    }
    return LinkPlan(address: address, steps: steps, needs: nil)
  }
}

private struct PositionPart {
  let graph: Graph
  let whole: Substring
  /// The column at which it begins, counted from 1, in characters.
  let column: Int
  let json: (String) -> Value?

  private func fault(_ fault: String, _ part: Substring? = nil) -> Rejection {
    let part = part ?? whole
    let column = column + whole.distance(from: whole.startIndex, to: part.startIndex)
    return Rejection(.badPosition, "at column \(column), '\(part)': \(fault)")
  }

  func step(
    after container: Int?, isFirst: Bool
  ) throws(Rejection) -> (Link.Step, node: Int) {
    let pieces = LinkMatcher.split(whole, at: ";")
    var name = pieces[0]
    if name.first == "…" {
      throw fault("the position is shortened here; ':path --full' prints it whole", name)
    }
    let isModal = name.first == "!"
    if isModal { name = name.dropFirst() }
    if isModal, isFirst { throw fault("the app's root can't be a modal; leave the '!' out") }
    var tab: Substring?
    if let tilde = name.firstIndex(of: "~") {
      tab = name[..<tilde]
      name = name[name.index(after: tilde)...]
    }
    let node = try node(name)
    let arguments = try arguments(pieces.dropFirst(), of: graph.nodes[node])
    let target = Target(node: node, arguments)
    if isModal { return (.present(target), node) }
    guard let container, case .tabs(let tabs) = graph.nodes[container].content else {
      guard let tab else { return (.push(target, isLiving: false), node) }
      throw fault(
        "'~' names the node in the place of a tab, but '\(isFirst ? String(tab) : "the node")' "
          + "before it is not a container", tab)
    }
    var owner = node
    if let tab { owner = try self.node(tab) }
    guard tabs.contains(where: { $0.node == owner }) else {
      let names = tabs.map { graph.nodes[$0.node].name }
      throw fault(
        "'\(graph.nodes[container].name)' has no such tab"
          + LinkMatcher.hint(nil, names, what: "it has"), tab ?? name)
    }
    return (.root(target, tab: owner), node)
  }

  private func node(_ name: Substring) throws(Rejection) -> Int {
    if name.isEmpty { throw fault("a node is missing between the slashes", name) }
    if let node = graph.index(of: String(name)) { return node }
    let nearest = NearestName.of(
      String(name), among: graph.presentNodes.map { graph.nodes[$0].name })
    throw fault(
      "there is no such node" + (nearest.map { "; did you mean '\($0)'?" } ?? ""), name)
  }

  private func arguments(
    _ parts: ArraySlice<Substring>, of node: Node
  ) throws(Rejection) -> Value {
    var values: [String: Value] = [:]
    var alone: Value?
    for part in parts {
      guard let equals = part.firstIndex(of: "=") else {
        throw fault("an argument is written 'name=value'", part)
      }
      let text = part[part.index(after: equals)...]
      guard let name = decoded(part[..<equals]), let value = decoded(text) else {
        throw fault("a '%' is not followed by two hexadecimal digits of a text in UTF-8", part)
      }
      guard alone == nil, values[name] == nil else {
        throw fault("the argument is given twice", part)
      }
      if text == PositionWriter.leftOut {
        throw fault(
          "'\(name)' of '\(node.name)' is secret and was left out, so this position can't be reopened",
          part)
      }
      let schema = try schema(of: name, of: node, part)
      guard let read = schema.value(ofPart: value, json: json) else {
        throw fault("'\(name)' must be \(schema.phrase)", part)
      }
      if name.isEmpty { alone = read } else { values[name] = read }
    }
    let arguments = ArgumentTemplate.value(alone ?? .object(values)).resolved(
      .null, over: node.arguments.resolved(.null))
    if case .object(let fields) = node.shape {
      let missing = fields.filter { $0.isRequired && (arguments[$0.name] ?? .null) == .null }
      if !missing.isEmpty {
        throw fault("'\(node.name)' needs " + Wording.list(missing.map(\.name), limit: 8))
      }
    }
    return arguments
  }

  private func schema(
    of name: String, of node: Node, _ part: Substring
  ) throws(Rejection) -> Schema {
    guard !name.isEmpty else { return node.shape }
    switch node.shape {
    case .object(let fields):
      if let field = fields.first(where: { $0.name == name }) { return field.schema }
      let known = fields.map(\.name)
      throw fault(
        "'\(node.name)' takes no such argument"
          + LinkMatcher.hint(NearestName.of(name, among: known), known, what: "it takes"), part)
    case .dictionary(let element): return element
    default: return .any
    }
  }

  private func decoded(_ text: Substring) -> String? {
    PercentEncoding.decode(Array(text.utf8)[...])
  }
}
