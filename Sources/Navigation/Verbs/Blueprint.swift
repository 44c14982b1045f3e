@_spi(Host) internal import AppCore
internal import Support

/// An instance that has been created but is not yet part of the graph.
///
/// Every state that a step needs is created before anything is committed, so the whole step is
/// rejected if one can't be created.
struct Blueprint {
  let node: Int
  let arguments: Value
  let state: InstanceState?
  /// The root of a container's first tab; empty for other nodes.
  let tabRoot: [Blueprint]
  let tabCount: Int
  let background: [Blueprint]
  /// The identifier of an existing instance; `nil` for a new one.
  var id: InstanceID?
}

/// Creates instances of a graph's nodes.
struct InstanceFactory {
  /// The maximum nesting depth of containers; one that contains itself would never end.
  static let containerLimit = 32
  /// The maximum number of instances for one target; containers in the background of others
  /// multiply.
  static let instanceLimit = 1024

  let graph: Graph
  let features: FeatureTable
  let calls: CallRecorder

  /// Creates the instances for entering a node; its arguments are already resolved.
  func blueprint(node: Int, arguments: Value) throws(Rejection) -> Blueprint {
    var count = 0
    return try blueprint(node: node, arguments: arguments, containers: 0, count: &count)
  }

  private func blueprint(
    node: Int, arguments: Value, containers: Int, count: inout Int
  ) throws(Rejection) -> Blueprint {
    let definition = graph.nodes[node]
    count += 1
    guard count <= Self.instanceLimit else {
      throw .unavailable(
        node: definition.name, reason: "it takes more than \(Self.instanceLimit) instances")
    }
    if case .tabs = definition.content, containers >= Self.containerLimit {
      throw .unavailable(
        node: definition.name, reason: "containers nest deeper than \(Self.containerLimit)")
    }
    var state: InstanceState?
    do {
      if let feature = try features.needed(node) {
        state = try calls.during(.initialState, node: node, instance: nil) {
          try feature.makeState(arguments)
        }
      }
    } catch {
      throw .unavailable(node: definition.name, reason: describe(error))
    }
    var tabRoot: [Blueprint] = []
    var tabCount = 0
    if case .tabs(let tabs) = definition.content, let first = tabs.first {
      tabCount = tabs.count
      tabRoot = [try blueprint(first, in: arguments, containers + 1, &count)]
    }
    var background: [Blueprint] = []
    for target in definition.background {
      background.append(try blueprint(target, in: arguments, containers + 1, &count))
    }
    return Blueprint(
      node: node, arguments: arguments, state: state, tabRoot: tabRoot, tabCount: tabCount,
      background: background)
  }

  /// Creates the instances for entering `target`, whose references are resolved in `payload`.
  func blueprint(_ target: Target, payload: Value) throws(Rejection) -> Blueprint {
    try blueprint(node: target.node, arguments: arguments(target, payload: payload))
  }

  /// Creates the instances of a tab or a background of a container with the arguments `container`.
  private func blueprint(
    _ target: Target, in container: Value, _ containers: Int, _ count: inout Int
  ) throws(Rejection) -> Blueprint {
    try blueprint(
      node: target.node, arguments: arguments(target, payload: container),
      containers: containers, count: &count)
  }

  /// The arguments for `target`: the node's own, overridden by those of the target.
  func arguments(_ target: Target, payload: Value) -> Value {
    graph.arguments(target, payload: payload)
  }
}

/// The description of an error for people.
package func description(of error: any Error) -> String { describe(error) }

/// The description of an error for people.
func describe(_ error: any Error) -> String {
  switch error {
  case EncodingError.invalidValue(_, let context):
    // The error's own description contains the value.
    context.codingPath.isEmpty
      ? context.debugDescription : "\(field(context.codingPath)): \(context.debugDescription)"
  case DecodingError.keyNotFound(let key, let context):
    "\(field(context.codingPath + [key])) is missing"
  case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
    DecodingError.dataCorrupted(let context):
    context.codingPath.isEmpty
      ? context.debugDescription : "\(field(context.codingPath)): \(context.debugDescription)"
  default: "\(error)"
  }
}

private func field(_ path: [any CodingKey]) -> String {
  "'" + path.map(\.stringValue).joined(separator: ".") + "'"
}
