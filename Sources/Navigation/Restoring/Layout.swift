@_spi(Host) public import AppCore

/// The instances of an app to be restored, and their positions.
///
/// An instance comes after the one above or in which it is placed.
package struct Layout {
  /// The position of an instance; others are identified by their index in ``Layout/entries``.
  package enum Place: Hashable, Sendable {
    /// Above another one, which must be the top of its stack.
    case above(Int)
    /// At the root of a container's tab.
    case tab(of: Int, Int)
    /// At the root of a layer over an instance; `nil` for the root layer.
    case layer(over: Int?)
    /// In the background of a container; `nil` for that of the app.
    case background(of: Int?)
  }

  package enum Origin: Hashable, Sendable {
    case restored
    case made
    /// The instance is already running, and continues with its effects.
    case running
  }

  package struct Entry {
    package let node: Int
    package let arguments: Value
    package let place: Place
    package var origin: Origin
    /// The identifier of an instance that is already running; `nil` for others.
    package var id: InstanceID?
    /// The order in which instances of the same node were presented.
    package let order: UInt64
    /// The index of the instance that presented it, which may come later; `nil` if none did.
    package var presenter: Int?
    package var selectedTab = 0
    /// The feature's state; `nil` for a container, and for an instance that is suspended.
    package var state: InstanceState?

    package init(
      node: Int, arguments: Value, place: Place, origin: Origin, order: UInt64,
      presenter: Int? = nil, state: InstanceState? = nil
    ) {
      self.node = node
      self.arguments = arguments
      self.place = place
      self.origin = origin
      self.order = order
      self.presenter = presenter
      self.state = state
    }
  }

  package var entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }
}

extension AppState {
  /// The state of an app that shows the instances of a layout, and runs nothing of them.
  ///
  /// Instances have the identifiers that the layout gives them. `ids` receives that of each, in the
  /// order of the layout.
  package init(
    showing layout: Layout, waitingLink: LinkPlan? = nil, in graph: Graph, features: FeatureTable,
    calls: CallRecorder, ids: inout [InstanceID]
  ) {
    var former = AppState()
    former.instances = SlotTable(reserving: layout.entries.compactMap(\.id))
    let factory = InstanceFactory(graph: graph, features: features, calls: calls)
    self.init(layout, after: former, factory: factory, ids: &ids)
    self.waitingLink = waitingLink
  }

  /// Has the next instances that are made have these identifiers.
  package mutating func prepareInstances(_ ids: [InstanceID]) { instances.prepare(ids) }

  /// Puts another state in the place of an instance's.
  @_spi(Host) public mutating func setState(_ state: InstanceState, of id: InstanceID) {
    instances.update(id) { $0.state = state }
  }

  /// The state of an app with the instances of a layout, some of which are those that run already.
  ///
  /// The identifiers of the former state are not reused for anything else. `ids` receives the
  /// identifier of each instance, in the order of the layout.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of instances.
  init(
    _ layout: Layout, after former: AppState, factory: InstanceFactory, ids: inout [InstanceID]
  ) {
    self.init()
    instances = former.instances.emptied(keeping: Set(layout.entries.compactMap(\.id)))
    navigation.stacks = former.navigation.stacks.emptied(keeping: [])
    navigation.layers = former.navigation.layers.emptied(keeping: [])
    let nobody = InstanceID(index: .max, generation: .max)
    var change = Change(factory: factory, anchor: nobody)
    for entry in layout.entries {
      let pending = PendingInstance(
        node: entry.node, arguments: entry.arguments, state: entry.state, id: entry.id)
      let id = place(pending, entry.place, ids, change: &change)
      ids.append(id)
      if case .tabs(let targets) = factory.graph.nodes[entry.node].content {
        instances.update(id) {
          $0.tabs = Tabs(
            selected: entry.selectedTab, stacks: Array(repeating: nil, count: targets.count))
        }
      }
    }
    for (id, entry) in zip(ids, layout.entries) {
      guard let presenter = entry.presenter else { continue }
      let presenterID = ids[presenter]
      instances.update(id) { $0.presenter = presenterID }
    }
    chain(layout, ids)
  }

  private mutating func place(
    _ pending: PendingInstance, _ place: Layout.Place, _ ids: [InstanceID], change: inout Change
  ) -> InstanceID {
    switch place {
    case .above(let below):
      // Nothing is ever placed above an instance that is in no stack.
      guard let stack = instances[ids[below]]?.stack else { break }
      return push(pending, presenter: nil, on: stack, change: &change)
    case .tab(let container, let tab):
      let owner = ids[container]
      let stack = insertStack(
        owner: .tab(of: owner, tab), root: pending, presenter: nil, change: &change)
      instances.update(owner) { $0.tabs?.stacks[tab] = stack }
      if let root = navigation.stacks[stack]?.root { return root }
    case .layer(let over):
      let id = open(pending, over: over.map { ids[$0] }, presenter: nil, change: &change)
      if let id { return id }
    case .background(let container):
      let id = insert(pending, presenter: nil, stack: nil, below: nil, change: &change)
      if let host = container.map({ ids[$0] }) {
        instances.update(id) { $0.host = host }
        instances.update(host) { $0.background.append(id) }
      } else {
        navigation.background.append(id)
      }
      return id
    }
    preconditionFailure("a layout places an instance on one that is in no stack")
  }

  /// Links the instances of each node in the order in which they were presented.
  private mutating func chain(_ layout: Layout, _ ids: [InstanceID]) {
    navigation.lastOfNode = [:]
    let sorted = layout.entries.indices.sorted {
      (layout.entries[$0].order, $0) < (layout.entries[$1].order, $1)
    }
    for index in sorted {
      let (id, node) = (ids[index], layout.entries[index].node)
      let previous = navigation.lastOfNode[node]
      instances.update(id) {
        $0.previousOfNode = previous
        $0.nextOfNode = nil
      }
      if let previous { instances.update(previous) { $0.nextOfNode = id } }
      navigation.lastOfNode[node] = id
    }
  }
}
