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
      throw .notEncodable(node: node, reason: "\(error)")
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

/// Why an instance of a node can't be inspected, or can't emit an action.
public enum InstanceError: Error, Hashable, Sendable {
  /// The manifest has no such node.
  case unknownNode(String, known: [String])
  /// No instance of the node is presented now.
  case notPresented(String, presented: [String])
  /// The node is a container, which has no feature.
  case container(String)
  /// The feature has no such delegate action.
  case unknownDelegate(String, feature: String, known: [String])
  /// The payload does not fit the delegate action.
  case payload(delegate: String, reason: String)
  /// The feature's state can't be encoded.
  case notEncodable(node: String, reason: String)
}

extension InstanceError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownNode(let node, let known):
      "the manifest has no node '\(node)'" + Self.meant(node, known, kind: "it has")
    case .notPresented(let node, let presented):
      "no instance of '\(node)' is presented now; on the way from the root are: "
        + presented.joined(separator: ", ")
    case .container(let node):
      "'\(node)' is a container, which has no feature; name the node of one of its tabs"
    case .unknownDelegate(let action, let feature, let known):
      "the feature '\(feature)' has no delegate action '\(action)'"
        + Self.meant(action, known, kind: "it has")
    case .payload(let delegate, let reason):
      "the payload does not fit the delegate action '\(delegate)': \(reason)"
    case .notEncodable(let node, let reason):
      "the state of '\(node)' can't be coded: \(reason)"
    }
  }

  private static func meant(_ name: String, _ known: [String], kind: String) -> String {
    if let nearest = NearestName.of(name, among: known) { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "; it has none" : "; \(kind): " + known.joined(separator: ", ")
  }
}
