@_spi(Host) public import AppCore
@_spi(Host) internal import Navigation

// Inspecting a running app, for tests and tools.
extension App {
  /// How many navigation events there have been since the app began.
  public var eventCount: Int { state.journal.count }

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
  /// - Parameter node: the node's name.
  /// - Returns: the state; `nil` if the node is a container.
  /// - Throws: ``InstanceError`` if there is no such instance, or its state can't be encoded.
  public func featureState(of node: String) throws(InstanceError) -> Value? {
    let (id, feature) = try find(node)
    guard let feature, let state = state.instances[id]?.state else { return nil }
    do {
      return try feature.dump(state)
    } catch {
      throw .notEncodable(node: node, reason: "\(error)")
    }
  }

  /// Goes back several times as `:back` does, without rendering the screens in between.
  ///
  /// - Parameter times: how often to go back.
  /// - Returns: how often it went back; less than `times` if a step was refused.
  public func back(times: Int) -> Int {
    for count in 0..<max(times, 0) where goBack() != nil { return count }
    return max(times, 0)
  }
}
