@_spi(Host) public import AppCore
@_spi(Host) internal import Navigation

// What tests and tools see of a running app, beyond what it prints.
extension App {
  /// How many events there have ever been.
  public var eventCount: Int { state.journal.count }

  /// The name of the node whose screen shows; `nil` before the app has begun.
  public var currentNode: String? {
    state.current.flatMap { state.instances[$0] }.map { graph.nodes[$0.node].name }
  }

  /// The names of all nodes, in the order of the manifest that the app was loaded with.
  public nonisolated var nodeNames: [String] { loaded.graph.nodes.map(\.name) }

  /// How many instances there are, hidden ones and those without a screen included.
  public var instanceCount: Int { state.instances.count }

  /// The state of the nearest instance of a node, in structural form; a secret is `"<secret>"`.
  ///
  /// - Returns: `nil` where the node is a container.
  public func featureState(of node: String) throws(InstanceProblem) -> Value? {
    let (id, feature) = try find(node)
    guard let feature, let state = state.instances[id]?.state else { return nil }
    do {
      return try feature.dump(state)
    } catch {
      throw .notCoded(node: node, reason: "\(error)")
    }
  }

  /// Goes back as `:back` does, again and again, without drawing the screens between.
  ///
  /// - Parameter times: how often.
  /// - Returns: how often it could; less than `times` where something refused.
  public func back(times: Int) -> Int {
    for count in 0..<max(times, 0) where goBack() != nil { return count }
    return max(times, 0)
  }
}
