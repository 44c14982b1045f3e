internal import AppCore
internal import Support

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
    var ids: [InstanceID] = []
    var next = current
    while let id = next, ids.count < limit {
      ids.append(id)
      next = parent(of: id)
    }
    if next != nil, let root { ids[ids.count - 1] = root }
    return ids.reversed()
  }
}
