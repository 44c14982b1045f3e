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
      guard let name = PercentEncoding.decode(part[..<equals].utf8),
        let value = PercentEncoding.decode(text.utf8)
      else {
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
}

/// Formats the current position of an app: every node with its arguments, modals marked with `!`.
///
/// A node that replaced a tab's own root is written after the tab's name, as in `alerts~history`.
public struct PositionWriter {
  /// The placeholder for a secret; a literal `…` is percent-encoded.
  static let leftOut = "…"

  private let graph: Graph
  private let state: AppState
  /// The first secret that was left out; `nil` if there was none.
  public private(set) var secret: (argument: String, node: String)?

  public init(graph: Graph, state: AppState) {
    self.graph = graph
    self.state = state
  }

  /// The position; if there are more than `limit` instances, the first one and the last ones.
  ///
  /// - Complexity: O(min(*d*, `limit`)), where *d* is the depth of the current instance.
  public mutating func text(limit: Int = .max) -> String {
    let ids = state.path(limit: limit)
    let depth = state.current.flatMap { state.instances[$0]?.depth } ?? 0
    var parts: [String] = []
    for (index, id) in ids.enumerated() {
      guard let instance = state.instances[id] else { continue }
      parts.append(part(instance, isFirst: index == 0))
      if index == 0, depth > ids.count { parts.append("…\(depth - ids.count) more…") }
    }
    return parts.isEmpty ? "" : "/" + parts.joined(separator: "/")
  }

  private mutating func part(_ instance: Instance, isFirst: Bool) -> String {
    let name = graph.nodes[instance.node].name
    return mark(of: instance, isFirst: isFirst) + name + arguments(of: instance)
  }

  /// What marks the root of a modal or of a tab; empty for other instances.
  private func mark(of instance: Instance, isFirst: Bool) -> String {
    guard instance.below == nil else { return "" }
    switch instance.stack.flatMap({ state.navigation.stacks[$0] })?.owner {
    case .tab(let container, let index): return tab(index, of: container, holding: instance)
    case .layer(let layer):
      return isFirst || state.navigation.layers[layer]?.over == nil ? "" : "!"
    case nil: return ""
    }
  }

  /// The prefix for an instance that has replaced a tab's own root; otherwise empty.
  private func tab(_ index: Int, of container: InstanceID, holding instance: Instance) -> String {
    guard let node = state.instances[container]?.node,
      case .tabs(let tabs) = graph.nodes[node].content, index < tabs.count
    else { return "" }
    // Without a prefix, a name means the first tab with that node.
    let isPlain = tabs.firstIndex { $0.node == instance.node } == index
    return isPlain ? "" : graph.nodes[tabs[index].node].name + "~"
  }

  private mutating func arguments(of instance: Instance) -> String {
    let node = graph.nodes[instance.node]
    guard case .object(let given) = instance.arguments else {
      // The arguments are a single value without a name.
      guard instance.arguments != .null else { return "" }
      return argument("", instance.arguments, node.shape, of: node)
    }
    guard case .object(let fields) = node.shape else {
      return given.sorted { $0.key < $1.key }.map { name, value in
        argument(name, value, node.shape.element, of: node)
      }.joined()
    }
    // Fields that a route gave beyond the shape are not arguments of the node.
    return fields.map { field in
      given[field.name].map { argument(field.name, $0, field.schema, of: node) } ?? ""
    }.joined()
  }

  private mutating func argument(
    _ name: String, _ value: Value, _ schema: Schema, of node: Node
  ) -> String {
    if value == .null { return "" }
    let start = ";\(PercentEncoding.encode(name))="
    guard schema.mayHoldSecret else {
      return start + PercentEncoding.encode(schema.part(of: value))
    }
    if secret == nil { secret = (name, node.name) }
    return start + Self.leftOut
  }
}

extension Schema {
  /// The shape of each field if their names are not known.
  fileprivate var element: Schema {
    if case .dictionary(let element) = self { element } else { .opaque("") }
  }
}

extension AppState {
  /// The root of the root layer; `nil` before the app has begun.
  public var root: InstanceID? {
    navigation.rootLayer.flatMap { navigation.layers[$0]?.stack }
      .flatMap { navigation.stacks[$0]?.root }
  }

  /// The instances from the root to the current one; if there are more than `limit`, the first one
  /// and the last ones.
  public func path(limit: Int) -> [InstanceID] {
    guard limit > 0 else { return [] }
    var ids = Array(ancestry(of: current).prefix(limit))
    if ids.count == limit, let root { ids[limit - 1] = root }
    return ids.reversed()
  }
}
