@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation

/// Computes the changes of a running app for its image.
///
/// The state is a value, so a change is the difference from a copy of the previous state. Used on
/// the app's store thread only.
package final class SessionRecorder {
  private let write: (ImageChange) -> Void
  /// The state as of the previous change.
  private var last = AppState()
  /// The order in which the instances were presented: greater for later ones.
  package private(set) var orders: [InstanceID: UInt64] = [:]
  private var orderCount: UInt64 = 0
  private var identity: SessionIdentity?
  private var waitingLink: String?

  /// The left-over instances that are still to be written.
  private var leftOver: [SavedInstance]
  /// The numbers of instances in the image that the next change removes unless it contains them.
  private var stale: Set<UInt64> = []
  /// The numbers of all left-over instances.
  private var leftOverIDs: Set<UInt64>

  /// - Parameters:
  ///   - leftOver: the left-over instances, which are also part of the image.
  ///   - orders: the order in which the instances were presented, as far as it is known.
  ///   - write: receives each change.
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

  /// Writes what has changed since the last call.
  ///
  /// - Parameters:
  ///   - state: the app's state.
  ///   - graph: the app's graph.
  ///   - identity: the app's identity.
  ///   - features: the app's features, which encode their states.
  ///   - calls: records the calls of features.
  ///   - saved: returns a suspended instance, whose feature is not called; `nil` for the others.
  /// - Complexity: O(*n*/64), where *n* is the number of instances, plus encoding the changed ones.
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
      change.isWaitingLinkPrivate = state.waitingLink?.holdsSecret(in: graph) ?? false
    }
    last = state
    if !change.isEmpty { write(change) }
  }

  /// Makes the next change contain the identity, because a plugin was replaced.
  package func forgetIdentity() { identity = nil }

  /// Makes the next change contain the whole app, because the graph was replaced.
  ///
  /// - Parameters:
  ///   - leftOver: the left-over instances, which are also part of the image.
  ///   - orders: the order in which the instances were presented.
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

  /// The instances of an app with placeholders for their states.
  ///
  /// - Parameters:
  ///   - state: the app's state.
  ///   - graph: the app's graph.
  ///   - orders: the order in which the instances were presented, as far as it is known.
  ///   - saved: returns a suspended instance; `nil` for the others.
  /// - Returns: the instances, by their numbers.
  package static func outline(
    of state: AppState, in graph: Graph, orders: [InstanceID: UInt64],
    saved: (InstanceID) -> SavedInstance?
  ) -> [UInt64: SavedInstance] {
    var found: [SavedInstance] = []
    let recorder = SessionRecorder(orders: orders) { found = $0.instances }
    // Without features, so that no state is encoded.
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

  /// Replaces the placeholders in an outline by the encoded states, for some of its instances.
  ///
  /// - Parameters:
  ///   - instances: the outline.
  ///   - ids: the numbers of the instances whose states are needed.
  ///   - state: the app's state.
  ///   - graph: the app's graph.
  ///   - features: the app's features, which encode their states.
  ///   - calls: records the calls of features.
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

  /// Appends new instances to the order of presentation.
  private func number(_ changed: [InstanceID], in state: AppState) {
    let new = Set(changed.filter { orders[$0] == nil })
    guard !new.isEmpty else { return }
    // Instances of one node are linked in that order; between nodes the order does not matter.
    for node in Set(new.compactMap { state.instances[$0]?.node }).sorted() {
      for id in state.latest(of: node, while: { new.contains($0) }).reversed() {
        orderCount += 1
        orders[id] = orderCount
      }
    }
  }

  /// The encoded state of an instance, and that without secrets.
  ///
  /// The second is `nil` if the state has no secrets, and `.some(nil)` if its secrets can't be told
  /// from the rest.
  private static func state(
    _ id: InstanceID, _ instance: Instance, _ features: FeatureTable, _ calls: CallRecorder
  ) -> (SavedInstance.State, withoutSecrets: Value??) {
    guard let state = instance.state, let feature = features[instance.node] else {
      return (.container, nil)
    }
    guard instance.arguments.isShallower(than: valueDepthLimit) else {
      return (.notEncodable(reason: "its arguments are \(SavedInstance.tooDeep)"), nil)
    }
    do {
      let (value, shown) = try calls.during(.encode, node: instance.node, instance: id) {
        (try feature.encode(state), try feature.dump(state))
      }
      guard value.isShallower(than: valueDepthLimit) else {
        return (.notEncodable(reason: "it is \(SavedInstance.tooDeep)"), nil)
      }
      return (.value(value), value == shown ? nil : .some(value.withoutSecrets(shownAs: shown)))
    } catch {
      return (.notEncodable(reason: SessionPlan.words(error)), nil)
    }
  }
}

extension SavedInstance {
  fileprivate static let tooDeep = "nested deeper than \(valueDepthLimit) levels"

  /// Creates a saved instance from a running one and its encoded state.
  ///
  /// Arguments that are nested too deep to be read again are left out.
  fileprivate init(
    _ id: InstanceID, _ instance: Instance, in state: AppState, of graph: Graph, order: UInt64,
    state saved: (State, withoutSecrets: Value??)
  ) {
    var selectedTab: String?
    if let tabs = instance.tabs, case .tabs(let targets) = graph.nodes[instance.node].content {
      selectedTab = graph.nodes[targets[tabs.selected].node].name
    }
    let arguments =
      instance.arguments.isShallower(than: valueDepthLimit) ? instance.arguments : .null
    self.init(
      id: id.number, node: graph.nodes[instance.node].name, arguments: arguments,
      presenter: instance.presenter?.number, place: Place(of: instance, in: state, graph),
      selectedTab: selectedTab, order: order, state: saved.0,
      redaction: Redaction(arguments, graph.nodes[instance.node].shape, saved))
  }
}

extension SavedInstance.Redaction {
  /// - Returns: `nil` if neither the arguments nor the state contain secrets.
  fileprivate init?(
    _ arguments: Value, _ shape: Schema,
    _ saved: (state: SavedInstance.State, withoutSecrets: Value??)
  ) {
    let open = shape.withoutSecrets(arguments)
    guard saved.withoutSecrets != nil || open != arguments else { return nil }
    let own: Value? =
      switch saved.state {
      case .value(let value), .suspended(let value, _, _): value
      case .container, .notEncodable: nil
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
