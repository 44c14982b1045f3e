@_spi(Host) internal import AppCore
internal import Support

/// An instance that has been created but is not yet part of the graph.
///
/// Every state that a step needs is created before anything is committed, so the whole step is
/// rejected if one can't be created.
struct PendingInstance {
  let node: Int
  let arguments: Value
  let state: InstanceState?
  /// The root of a container's first tab; empty for other nodes.
  var tabRoot: [PendingInstance] = []
  var tabCount = 0
  var background: [PendingInstance] = []
  /// The identifier of an existing instance; `nil` for a new one.
  var id: InstanceID?
}

/// Creates the instances that steps add, by the graph.
///
/// It is a class because plugins and the manifest may be replaced while the app runs. Only the
/// router's step for that changes the graph, together with the features and the states.
package final class InstanceFactory {
  /// The maximum nesting depth of containers; one that contains itself would never end.
  package static let containerLimit = 32
  /// The maximum number of instances for one target; containers in the background of others
  /// multiply.
  private static let instanceLimit = 1024

  // The store reduces one action at a time, so reads and writes never overlap.
  @exclusivity(unchecked) var graph: Graph
  let features: FeatureTable
  let calls: CallRecorder

  init(graph: Graph, features: FeatureTable, calls: CallRecorder) {
    self.graph = graph
    self.features = features
    self.calls = calls
  }

  /// Creates the instances for entering a node; its arguments are already resolved.
  func instance(of node: Int, _ arguments: Value) throws(Rejection) -> PendingInstance {
    var count = 0
    return try instance(of: node, arguments, containers: 0, count: &count)
  }

  /// Creates the instances for entering `target`, whose references are resolved in `payload`.
  func instance(of target: Target, payload: Value) throws(Rejection) -> PendingInstance {
    try instance(of: target.node, graph.arguments(of: target, payload: payload))
  }

  private func instance(
    of node: Int, _ arguments: Value, containers: Int, count: inout Int
  ) throws(Rejection) -> PendingInstance {
    let definition = graph.nodes[node]
    func unavailable(_ reason: String) -> Rejection {
      Rejection(.unavailable, "'\(definition.name)' can't be shown: \(reason)")
    }
    count += 1
    guard count <= Self.instanceLimit else {
      throw unavailable("it takes more than \(Self.instanceLimit) instances")
    }
    if case .tabs = definition.content, containers >= Self.containerLimit {
      throw unavailable("containers nest deeper than \(Self.containerLimit)")
    }
    var state: InstanceState?
    do {
      if let feature = try features.needed(node) {
        state = try calls.during(.initialState, node: node, instance: nil) {
          try feature.makeState(arguments)
        }
      }
    } catch {
      throw unavailable(describe(error))
    }
    /// An instance of a tab or of the background of this one.
    func part(_ target: Target) throws(Rejection) -> PendingInstance {
      try instance(
        of: target.node, graph.arguments(of: target, payload: arguments),
        containers: containers + 1, count: &count)
    }
    var pending = PendingInstance(node: node, arguments: arguments, state: state)
    if let first = definition.tabs.first {
      pending.tabCount = definition.tabs.count
      pending.tabRoot = [try part(first)]
    }
    for target in definition.background { pending.background.append(try part(target)) }
    return pending
  }
}

/// The description of an error for people.
package func describe(_ error: any Error) -> String {
  switch error {
  case EncodingError.invalidValue(_, let context):
    // The error's own description contains the value.
    describe(context.debugDescription, at: context.codingPath)
  case DecodingError.keyNotFound(let key, let context):
    "\(field(context.codingPath + [key])) is missing"
  case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
    DecodingError.dataCorrupted(let context):
    describe(context.debugDescription, at: context.codingPath)
  default: "\(error)"
  }
}

private func describe(_ reason: String, at path: [any CodingKey]) -> String {
  path.isEmpty ? reason : "\(field(path)): \(reason)"
}

private func field(_ path: [any CodingKey]) -> String {
  "'" + path.map(\.stringValue).joined(separator: ".") + "'"
}
