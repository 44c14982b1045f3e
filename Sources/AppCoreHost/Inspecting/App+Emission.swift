internal import AppCheck
@_spi(Host) public import AppCore
package import Navigation

extension App {
  /// Lets the nearest instance of a node emit a delegate action, once for each payload.
  ///
  /// The screens between are not drawn, so that going very deep costs no more than the routes do.
  /// "Nearest" is asked anew each time: the current instance, else the first on the way to the
  /// root, else one in a hidden tab or in the background.
  ///
  /// - Parameters:
  ///   - action: the delegate action's name.
  ///   - node: the emitter's node.
  ///   - payloads: what `$` refers to, for each emission.
  /// - Throws: what keeps the action from being made; the emissions before have happened.
  public func emit(
    _ action: String, from node: String, payloads: [Value]
  ) throws(InstanceProblem) {
    for payload in payloads {
      let (id, feature) = try find(node)
      guard let feature else { throw .container(node) }
      guard feature.info.delegates.contains(where: { $0.name == action }) else {
        throw .unknownDelegate(
          action, feature: feature.info.name, known: feature.info.delegates.map(\.name))
      }
      let made: AnyAction
      do {
        made = try feature.delegate(action, payload: payload)
      } catch {
        throw .payload(delegate: action, reason: "\(error)")
      }
      store?.send(.instance(id, made))
    }
  }

  /// What the feature of a node tells the graph; `nil` where there is no such node or feature.
  public func delegates(of node: String) -> [CaseSchema]? {
    guard let feature = graph.index(of: node).flatMap({ graph.nodes[$0].feature }) else {
      return nil
    }
    for plugin in current.plugins {
      for info in plugin.member.info.features where info.name == feature { return info.delegates }
    }
    return nil
  }

  /// The nearest instance of a node, with its feature.
  package func find(_ name: String) throws(InstanceProblem) -> (InstanceID, LoadedFeature?) {
    guard let node = graph.index(of: name) else {
      throw .unknownNode(name, known: nodeNames)
    }
    let state = state
    guard let id = nearest(node, in: state) else {
      throw .notPresented(name, presented: path.names)
    }
    return (id, features[node])
  }

  private func nearest(_ node: Int, in state: AppState) -> InstanceID? {
    var next = state.current
    while let id = next {
      if state.instances[id]?.node == node { return id }
      next = state.outward(from: id)
    }
    // Not on the way to the root: everything that hangs on it is looked at.
    var pending = state.navigation.background
    next = state.current
    while let id = next {
      pending.append(id)
      next = state.outward(from: id)
    }
    while let id = pending.popLast() {
      guard let instance = state.instances[id] else { continue }
      if instance.node == node { return id }
      pending += instance.background
      for case let stack? in instance.tabs?.stacks ?? [] {
        var inTab = state.navigation.stacks[stack]?.top
        while let id = inTab, let inner = state.instances[id] {
          if inner.node == node { return id }
          if inner.tabs != nil || !inner.background.isEmpty { pending.append(id) }
          inTab = inner.below
        }
      }
    }
    return nil
  }
}
