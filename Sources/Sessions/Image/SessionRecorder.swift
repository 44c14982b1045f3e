@_spi(Host) package import AppCore
@_spi(Host) package import Navigation

/// Computes the changes of a running app, for its image and for its history.
///
/// The state is a value, so a change is the difference from a copy of the previous state.
package final class SessionRecorder {
  private var last = AppState()
  /// The order in which the instances were presented: greater for later ones.
  package private(set) var orders: [InstanceID: UInt64] = [:]
  private var orderCount: UInt64 = 0
  private var identity: SessionIdentity?
  private var waitingLink: String?

  /// The unplaced instances that are still to be written.
  private var unplaced: [SavedInstance]

  /// Creates a recorder of an app whose image also has the unplaced instances, with the order in which
  /// the others were presented, as far as it is known.
  package init(unplaced: [SavedInstance] = [], orders: [InstanceID: UInt64] = [:]) {
    self.unplaced = unplaced
    self.orders = orders
    orderCount = orders.values.max() ?? 0
  }

  /// What has changed since the last call, with the encoded states.
  ///
  /// `saved` returns a suspended instance, whose feature is not called; `nil` for the others.
  ///
  /// - Complexity: O(*n*/64), where *n* is the number of instances, plus encoding the changed ones.
  package func record(
    _ state: AppState, of graph: Graph, _ identity: @autoclosure () -> SessionIdentity,
    features: FeatureTable, calls: CallRecorder,
    saved: (InstanceID) -> SavedInstance? = { _ in nil }
  ) -> ImageChange {
    var change = outline(state, of: graph, saved: saved) {
      EncodedState(of: $0, $1, by: features[$1.node], calls)
    }
    if self.identity == nil {
      self.identity = identity()
      change.identity = self.identity
    }
    return change
  }

  /// What has changed since the last call, without states unless `encode` gives them.
  package func outline(
    _ state: AppState, of graph: Graph, saved: (InstanceID) -> SavedInstance? = { _ in nil },
    encode: (InstanceID, Instance) -> EncodedState? = { _, _ in nil }
  ) -> ImageChange {
    var change = ImageChange()
    let (changed, removed) = state.changes(since: last)
    for id in removed { orders[id] = nil }
    number(changed, in: state)
    change.state.instances.reserveCapacity(changed.count + unplaced.count)
    for id in changed {
      guard let instance = state.instances[id] else { continue }
      let kept = saved(id)
      let encoded = kept == nil ? encode(id, instance) : nil
      var written = SavedInstance(
        id, instance, in: state, of: graph, order: orders[id] ?? 0,
        kept?.state ?? encoded?.state ?? .container,
        open: kept?.withoutSecrets.state.value ?? encoded?.open(placeholder: "").value)
      written.encodedBy = kept?.encodedBy
      change.state.instances.append(.whole(written))
    }
    change.state.instances += unplaced.map { .whole($0) }
    unplaced = []
    change.state.removed = removed
    if state.waitingLink?.address != waitingLink {
      waitingLink = state.waitingLink?.address
      change.state.waitingLink = .some(waitingLink)
      change.isWaitingLinkPrivate = state.waitingLink?.holdsSecret(in: graph) ?? false
    }
    last = state
    return change
  }

  /// Makes the next change contain the whole app, because the graph was replaced.
  package func forgetAll(unplaced: [SavedInstance], orders: [InstanceID: UInt64]) {
    identity = nil
    last = AppState()
    self.orders = orders
    orderCount = max(orderCount, orders.values.max() ?? 0)
    self.unplaced = unplaced
  }

  private func number(_ changed: [InstanceID], in state: AppState) {
    let new = Set(changed.filter { orders[$0] == nil })
    guard !new.isEmpty else { return }
    // Instances of one node are linked in that order; between nodes the order does not matter.
    for node in Set(new.compactMap { state.instances[$0]?.node }).sorted() {
      for id in state.latest(of: node).prefix(while: new.contains).reversed() {
        orderCount += 1
        orders[id] = orderCount
      }
    }
  }
}

extension AppMoment {
  /// The instances of an app with `null` for their states.
  ///
  /// `orders` is the order in which they were presented, as far as it is known; `saved` returns a
  /// suspended instance, or `nil` for the others.
  package init(
    outlining state: AppState, in graph: Graph, orders: [InstanceID: UInt64],
    saved: (InstanceID) -> SavedInstance?
  ) {
    let change = SessionRecorder(orders: orders).outline(state, of: graph, saved: saved) {
      _, instance in instance.state.map { _ in EncodedState(.value(.null), shown: .null) }
    }
    self.init(change.state.wholeInstances)
  }

  /// Encodes some instances of a running app, except for suspended ones; their redactions have the
  /// placeholder for each secret text.
  package mutating func encode(
    _ ids: some Sequence<InstanceID>, of state: AppState, in graph: Graph, features: FeatureTable,
    calls: CallRecorder, placeholder: String = ""
  ) {
    for id in ids {
      let saved = instances[id]
      if case .suspended? = saved?.state { continue }
      guard let instance = state.instances[id] else { continue }
      let encoded = EncodedState(of: id, instance, by: features[instance.node], calls)
      instances[id] = SavedInstance(
        id, instance, in: state, of: graph, order: saved?.order ?? 0, encoded.state,
        open: encoded.open(placeholder: placeholder).value)
    }
  }
}

/// The state of an instance as its feature encodes it, and as people see it.
package struct EncodedState {
  package let state: SavedInstance.State
  /// The state with a mark for each secret; `nil` if there is no value.
  package let shown: Value?

  init(_ state: SavedInstance.State, shown: Value?) {
    self.state = state
    self.shown = shown
  }

  /// Encodes the state of an instance by its feature, whose code `during` runs.
  init(
    of id: InstanceID, _ instance: Instance, by feature: LoadedFeature?, _ calls: CallRecorder,
    during: (() throws -> (Value, Value)) throws -> (Value, Value) = { try $0() }
  ) {
    guard let own = instance.state, let feature else {
      self.init(.container, shown: nil)
      return
    }
    guard instance.arguments.isShallower() else {
      self.init(.tooDeep("its arguments are"), shown: nil)
      return
    }
    do {
      let (value, shown) = try calls.during(.encode, node: instance.node, instance: id) {
        try during { (try feature.encode(own), try feature.dump(own)) }
      }
      guard value.isShallower() else {
        self.init(.tooDeep("it is"), shown: nil)
        return
      }
      self.init(.value(value), shown: shown)
    } catch {
      self.init(.notEncodable(reason: describe(error)), shown: nil)
    }
  }

  /// The state for a file, with a placeholder for each secret text.
  func open(placeholder: String) -> SavedInstance.State {
    guard case .value(let value) = state, let shown, !value.isSame(as: shown) else { return state }
    return value.withoutSecrets(shownAs: shown, placeholder: placeholder).map { .value($0) }
      ?? .withUnclearSecrets
  }
}

extension SavedInstance.State {
  fileprivate static func tooDeep(_ subject: String) -> Self {
    .notEncodable(reason: "\(subject) nested deeper than \(Value.stateDepthLimit) levels")
  }
}

extension SavedInstance {
  /// Creates a saved instance from a running one and its encoded state.
  ///
  /// Arguments that are nested too deep to be read again are left out.
  ///
  /// `open` is the state without secrets; `nil` if there is none, or if they can't be told from the
  /// rest.
  fileprivate init(
    _ id: InstanceID, _ instance: Instance, in state: AppState, of graph: Graph, order: UInt64,
    _ saved: State, open: Value?
  ) {
    let node = graph.nodes[instance.node]
    var selectedTab: String?
    if let tabs = instance.tabs, case .tabs(let targets) = node.content {
      selectedTab = graph.nodes[targets[tabs.selected].node].name
    }
    self.init(
      id: id, node: node.name,
      arguments: instance.arguments.isShallower() ? instance.arguments : .null,
      presenter: instance.presenter, place: Place(of: instance, in: state, graph),
      selectedTab: selectedTab, order: order, state: saved)
    let openArguments = node.shape.withoutSecrets(arguments)
    let isWhole =
      switch (open, self.state.value) {
      case (let open?, let value?): open.isSame(as: value)
      case (nil, let value): value == nil
      case (_, nil): false
      }
    if openArguments != arguments || !isWhole {
      redaction = Redaction(arguments: openArguments, state: open)
    }
  }
}

extension SavedInstance.Place {
  fileprivate init(of instance: Instance, in state: AppState, _ graph: Graph) {
    if let below = instance.below {
      self = .above(below)
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
      self = .tab(of: container, node: node)
    case .layer(let layer)?: self = .layer(over: state.navigation.layers[layer]?.over)
    case nil: self = .background(of: instance.host)
    }
  }
}
