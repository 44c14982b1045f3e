@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation

/// Keeps the image of a running app up to date.
///
/// The state is a value, so what has changed is what differs from the state that was written last.
/// Used on the app's store thread only.
package final class SessionRecorder {
  private let write: (ImageChange) -> Void
  /// The state that was written last.
  private var last = AppState()
  /// When each instance was presented.
  package private(set) var orders: [InstanceID: UInt64] = [:]
  private var orderCount: UInt64 = 0
  private var identity: SessionIdentity?
  private var waitingLink: String?

  /// The states of a former version that the app as it is now has no place for.
  private var leftOver: [SavedInstance]
  /// What of the image is to be removed unless it is written again: the numbers of instances.
  private var stale: Set<UInt64> = []
  private var leftOverIDs: Set<UInt64>

  /// - Parameters:
  ///   - leftOver: what is to be part of the image besides the app's own instances.
  ///   - orders: when the instances of the app were presented, as far as that is known.
  ///   - write: takes each change.
  package init(
    leftOver: [SavedInstance] = [], orders: [InstanceID: UInt64] = [:],
    _ write: @escaping (ImageChange) -> Void
  ) {
    self.leftOver = leftOver
    self.orders = orders
    orderCount = orders.values.max() ?? 0
    leftOverIDs = Set(leftOver.map(\.id))
    self.write = write
  }

  /// Writes what has changed.
  ///
  /// - Parameters:
  ///   - state: the app's state.
  ///   - graph: its graph.
  ///   - identity: the app.
  ///   - features: its features.
  ///   - calls: where what they do is noted.
  ///   - saved: what is kept of an instance whose feature is not asked.
  /// - Complexity: O(n / 64) in how many instances there are, and that of coding those that changed.
  package func record(
    _ state: AppState, of graph: Graph, _ identity: @autoclosure () -> SessionIdentity,
    features: FeatureTable, calls: CallRecorder,
    saved: (InstanceID) -> SavedInstance? = { _ in nil }
  ) {
    var change = ImageChange()
    if self.identity == nil {
      let identity = identity()
      self.identity = identity
      change.identity = identity
    }
    let (changed, removed) = state.changes(since: last)
    change.removed = removed.map(\.number)
    for id in removed { orders[id] = nil }
    number(changed, in: state)
    change.instances = changed.compactMap { id in
      state.instances[id].map { instance in
        let kept = saved(id)
        var written = SavedInstance(
          id, instance, in: state, of: graph, order: orders[id] ?? 0,
          state: kept.map { ($0.state, $0.redaction.map(\.state)) }
            ?? Self.state(id, instance, features, calls))
        written.encodedBy = kept?.encodedBy
        return written
      }
    }
    change.instances += leftOver
    leftOver = []
    change.removed += stale.subtracting(change.instances.map(\.id)).sorted()
    stale = []
    if state.waitingLink?.address != waitingLink {
      waitingLink = state.waitingLink?.address
      change.waitingLink = .some(waitingLink)
    }
    last = state
    if !change.isEmpty { write(change) }
  }

  /// Has the app described anew with the next change: a plugin was replaced.
  package func forgetIdentity() { identity = nil }

  /// Has everything written with the next change: the graph is another one.
  ///
  /// - Parameters:
  ///   - leftOver: what is to be part of the image besides the app's own instances.
  ///   - orders: when the instances of the app were presented.
  package func forgetAll(leftOver: [SavedInstance], orders: [InstanceID: UInt64]) {
    identity = nil
    stale.formUnion(last.instances.ids.map(\.number))
    stale.formUnion(leftOverIDs)
    last = AppState()
    self.orders = orders
    orderCount = max(orderCount, orders.values.max() ?? 0)
    self.leftOver = leftOver
    leftOverIDs = Set(leftOver.map(\.id))
  }

  /// The instances of an app as they are, but for their states.
  ///
  /// - Parameters:
  ///   - state: the app's state.
  ///   - graph: its graph.
  ///   - orders: when the instances were presented, as far as that is known.
  ///   - saved: what is kept of an instance whose feature is not asked.
  /// - Returns: the instances, by their numbers.
  package static func outline(
    of state: AppState, in graph: Graph, orders: [InstanceID: UInt64],
    saved: (InstanceID) -> SavedInstance?
  ) -> [UInt64: SavedInstance] {
    var found: [SavedInstance] = []
    let recorder = SessionRecorder(orders: orders) { found = $0.instances }
    // No feature is asked: what runs keeps its state.
    recorder.record(
      state, of: graph, SessionIdentity(app: "", manifest: "", plugins: [], nodes: []),
      features: FeatureTable([]), calls: CallRecorder(), saved: saved)
    return Dictionary(
      found.map { instance in
        let isRunning =
          state.instances[InstanceID(number: instance.id)]?.state != nil
          && instance.state == .container
        return (instance.id, isRunning ? instance.with(.value(.null)) : instance)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The states of instances that do not come back, in the place of what an outline has.
  package static func complete(
    _ instances: inout [UInt64: SavedInstance], _ ids: [UInt64], of state: AppState,
    in graph: Graph, features: FeatureTable, calls: CallRecorder
  ) {
    for number in ids {
      let id = InstanceID(number: number)
      guard let saved = instances[number], case .value = saved.state,
        let instance = state.instances[id]
      else { continue }
      instances[number] = SavedInstance(
        id, instance, in: state, of: graph, order: saved.order,
        state: Self.state(id, instance, features, calls))
    }
  }

  /// Gives instances that are new their place in the order in which all were presented.
  private func number(_ changed: [InstanceID], in state: AppState) {
    let new = Set(changed.filter { orders[$0] == nil })
    guard !new.isEmpty else { return }
    // Instances of a node are linked; of different nodes the order does not matter.
    for node in Set(new.compactMap { state.instances[$0]?.node }).sorted() {
      for id in state.latest(of: node, while: { new.contains($0) }).reversed() {
        orderCount += 1
        orders[id] = orderCount
      }
    }
  }

  /// The state of an instance, and the same without its secrets where it has some.
  private static func state(
    _ id: InstanceID, _ instance: Instance, _ features: FeatureTable, _ calls: CallRecorder
  ) -> (SavedInstance.State, withoutSecrets: Value??) {
    guard let state = instance.state, let feature = features[instance.node] else {
      return (.container, nil)
    }
    do {
      let (value, shown) = try calls.during(.encode, node: instance.node, instance: id) {
        (try feature.encode(state), try feature.dump(state))
      }
      guard value.isShallower(than: valueDepthLimit) else {
        return (.notCoded(reason: "it is nested deeper than \(valueDepthLimit) levels"), nil)
      }
      return (.value(value), value == shown ? nil : .some(value.withoutSecrets(shownAs: shown)))
    } catch {
      return (.notCoded(reason: SessionPlan.words(error)), nil)
    }
  }
}

extension SavedInstance {
  /// An instance as it is in an app, with its state and that without its secrets.
  fileprivate init(
    _ id: InstanceID, _ instance: Instance, in state: AppState, of graph: Graph, order: UInt64,
    state saved: (State, withoutSecrets: Value??)
  ) {
    var selectedTab: String?
    if let tabs = instance.tabs, case .tabs(let targets) = graph.nodes[instance.node].content {
      selectedTab = graph.nodes[targets[tabs.selected].node].name
    }
    self.init(
      id: id.number, node: graph.nodes[instance.node].name, arguments: instance.arguments,
      presenter: instance.presenter?.number, place: Place(of: instance, in: state, graph),
      selectedTab: selectedTab, order: order, state: saved.0,
      redaction: Redaction(instance.arguments, graph.nodes[instance.node].shape, saved))
  }
}

extension SavedInstance.Redaction {
  /// - Returns: `nil` where there are no secrets.
  fileprivate init?(
    _ arguments: Value, _ shape: Schema,
    _ saved: (state: SavedInstance.State, withoutSecrets: Value??)
  ) {
    let open = shape.withoutSecrets(arguments)
    guard saved.withoutSecrets != nil || open != arguments else { return nil }
    let own: Value? =
      switch saved.state {
      case .value(let value), .suspended(let value, _, _): value
      case .container, .notCoded: nil
      }
    self.init(arguments: open, state: saved.withoutSecrets ?? own)
  }
}

extension SavedInstance.Place {
  fileprivate init(of instance: Instance, in state: AppState, _ graph: Graph) {
    if let below = instance.below {
      self = .above(below.number)
      return
    }
    switch instance.stack.flatMap({ state.navigation.stacks[$0] })?.owner {
    case .tab(let container, let tab)?:
      var node = ""
      if let owner = state.instances[container],
        case .tabs(let targets) = graph.nodes[owner.node].content
      {
        node = graph.nodes[targets[tab].node].name
      }
      self = .tab(of: container.number, node: node)
    case .layer(let layer)?: self = .layer(over: state.navigation.layers[layer]?.over?.number)
    case nil: self = .background(of: instance.host?.number)
    }
  }
}
