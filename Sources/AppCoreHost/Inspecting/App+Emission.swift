internal import AppCheck
@_spi(Host) public import AppCore
package import Navigation

extension App {
  /// Makes the nearest instance of a node emit a delegate action, once for each payload.
  ///
  /// No screens are rendered in between, so navigating very deep costs only the routes. Each
  /// emission comes from the instance that is nearest then: the current one, else the first on the
  /// path to the root, else one in a hidden tab or in the background.
  ///
  /// - Parameters:
  ///   - action: the name of the delegate action.
  ///   - node: the node of the emitting instance.
  ///   - payloads: the payload of each emission, to which `$` refers in routes.
  /// - Throws: why the action can't be emitted; previous emissions have taken effect.
  public func emit(
    _ action: String, from node: String, payloads: [Value]
  ) throws(InstanceError) {
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

  /// The delegate actions of a node's feature; `nil` if there is no such node, or it is a
  /// container.
  public func delegates(of node: String) -> [CaseSchema]? {
    guard let feature = graph.index(of: node).flatMap({ graph.nodes[$0].feature }) else {
      return nil
    }
    for plugin in current.plugins {
      for info in plugin.member.info.features where info.name == feature { return info.delegates }
    }
    return nil
  }

  /// The nearest instance of a node, and its feature; the feature is `nil` for a container.
  package func find(_ name: String) throws(InstanceError) -> (InstanceID, LoadedFeature?) {
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
      next = state.parent(of: id)
    }
    // Not on the path to the root: search the tabs and backgrounds of the instances on the path.
    var pending = state.navigation.background
    next = state.current
    while let id = next {
      pending.append(id)
      next = state.parent(of: id)
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
