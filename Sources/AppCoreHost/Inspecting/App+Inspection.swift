internal import AppCheck
@_spi(Host) public import AppCore
internal import Manifest
@_spi(Host) package import Navigation
internal import Support

// Inspecting a running app, for tests and tools.
extension App {
  /// The name of the current instance's node; `nil` before the app has begun.
  public var currentNode: String? {
    state.current.flatMap { state.instances[$0] }.map { graph.nodes[$0.node].name }
  }

  /// The names of all nodes, in the order of the manifest that the app was loaded with.
  public nonisolated var nodeNames: [String] { loaded.graph.nodes.map(\.name) }

  /// How many instances there are, including hidden ones and containers.
  public var instanceCount: Int { state.instances.count }

  /// The state of the nearest instance of a node as a `Value`, with `"<secret>"` for each secret.
  ///
  /// - Returns: the state; `nil` if the node is a container.
  /// - Throws: ``InstanceError`` if there is no such instance, or its state can't be encoded.
  public func featureState(of node: String) throws(InstanceError) -> Value? {
    let (id, feature) = try find(node)
    guard let feature, let state = state.instances[id]?.state else { return nil }
    do {
      return try feature.dump(state)
    } catch {
      throw InstanceError("the state of '\(node)' can't be coded: \(error)")
    }
  }

  /// Goes back several times as `:back` does, without rendering the screens in between.
  ///
  /// - Returns: how often it went back; less than `times` if a step was refused.
  public func back(times: Int) -> Int {
    for count in 0..<max(times, 0) where goBack() != nil { return count }
    return max(times, 0)
  }

  /// Makes the nearest instance of a node emit a delegate action, once for each payload.
  ///
  /// No screens are rendered in between, so navigating very deep costs only the routes. Each
  /// emission comes from the instance that is nearest then: the current one, else the first on the
  /// path to the root, else one in a hidden tab or in the background.
  ///
  /// - Throws: why the action can't be emitted; previous emissions have taken effect.
  public func emit(
    _ action: String, from node: String, payloads: [Value]
  ) throws(InstanceError) {
    for payload in payloads {
      let (id, feature) = try find(node)
      guard let feature else {
        throw InstanceError(
          "'\(node)' is a container, which has no feature; name the node of one of its tabs")
      }
      guard feature.info.delegates.contains(where: { $0.name == action }) else {
        throw InstanceError(
          "the feature '\(feature.info.name)' has no delegate action '\(action)'", action,
          among: feature.info.delegates.map(\.name))
      }
      let made: AnyAction
      do {
        made = try feature.delegate(action, payload: payload)
      } catch {
        throw InstanceError(payloadOf: action, reason: "\(error)")
      }
      store?.send(.instance(id, made))
    }
  }

  /// The delegate actions of a node's feature; `nil` if there is no such node, or it is a
  /// container.
  public func delegates(of node: String) -> [CaseSchema]? {
    guard let node = graph.index(of: node), let feature = graph.nodes[node].feature else {
      return nil
    }
    return graph.plugin(of: node).flatMap(current.plugin)?.member.info.features
      .first { $0.name == feature }?.delegates
  }

  /// The nearest instance of a node, and its feature; the feature is `nil` for a container.
  package func find(_ name: String) throws(InstanceError) -> (InstanceID, LoadedFeature?) {
    guard let node = graph.index(of: name) else {
      throw InstanceError("the manifest has no node '\(name)'", name, among: nodeNames)
    }
    let state = state
    // The nearest one on the path to the root; else the one that was presented last.
    var nearest = state.current
    while let id = nearest, state.instances[id]?.node != node { nearest = state.parent(of: id) }
    guard let id = nearest ?? state.navigation.lastOfNode[node] else {
      throw InstanceError(
        "no instance of '\(name)' is presented now; on the way from the root are: "
          + path.names.joined(separator: ", "))
    }
    return (id, features[node])
  }
}

/// Why an instance of a node can't be inspected, or can't emit an action.
public struct InstanceError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  package init(payloadOf delegate: String, reason: String) {
    self.init("the payload does not fit the delegate action '\(delegate)': \(reason)")
  }

  /// The error for a name that is not known, with the most similar one or all that are.
  fileprivate init(_ problem: String, _ name: String, among known: [String]) {
    if let nearest = NearestName.of(name, among: known) {
      self.init(problem + "; did you mean '\(nearest)'?")
    } else {
      self.init(
        problem + (known.isEmpty ? "; it has none" : "; it has: " + known.joined(separator: ", ")))
    }
  }
}
