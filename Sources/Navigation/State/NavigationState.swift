@_spi(Host) public import AppCore

/// What is currently presented: layers with stacks of instances, referred to by identifier.
public struct NavigationState: Sendable {
  public internal(set) var stacks = SlotTable<Stack>()
  public internal(set) var layers = SlotTable<Layer>()
  /// The layer in front; `nil` before the app has begun.
  public internal(set) var topLayer: LayerID?
  /// The bottom layer; `nil` before the app has begun.
  public internal(set) var rootLayer: LayerID?
  /// The background instances of the app, without a screen.
  public internal(set) var background: [InstanceID] = []
  /// The most recently presented instance of each node.
  package internal(set) var lastOfNode: [Int: InstanceID] = [:]
}

/// The state of a whole app: the navigation, and a flat table of instances.
public struct AppState: Sendable {
  public internal(set) var navigation = NavigationState()
  public internal(set) var instances = SlotTable<Instance>()
  /// Removed instances whose last effects still run.
  var ending: [InstanceID: EndingInstance] = [:]
  /// Whether the app is ending: instances finish their work, and the navigation no longer changes.
  package internal(set) var isClosing = false
  /// Whether a route has said that the app quits, which whoever runs it does.
  public internal(set) var hasQuit = false
  /// A link that waits for the instance that it needs; a later link replaces it.
  public internal(set) var waitingLink: LinkPlan?
  /// The log of recent events.
  public internal(set) var journal = Journal()

  /// Whether removed instances still run their last effects.
  public var isEnding: Bool { !ending.isEmpty }

  /// The node of an instance that exists or is ending; `nil` for others.
  public func node(of id: InstanceID) -> Int? {
    instances.read(id) { $0.node } ?? ending[id]?.node
  }

  /// Creates the state of an app that presents nothing yet.
  public init() {}

  /// The instance whose screen is shown; `nil` before the app has begun.
  ///
  /// - Complexity: O(*d*), where *d* is the nesting depth of containers; that of stacks doesn't
  ///   matter.
  public var current: InstanceID? {
    guard let layer = navigation.topLayer, let stack = navigation.layers[layer]?.stack else {
      return nil
    }
    return front(of: stack)
  }

  /// The instance in front in a stack: its top or, if that is a container, the one in front in the
  /// selected tab.
  public func front(of stack: StackID) -> InstanceID? {
    guard let top = navigation.stacks[stack]?.top else { return nil }
    return front(of: top)
  }

  func front(of instance: InstanceID) -> InstanceID {
    var front = instance
    while let tabs = instances[front]?.tabs, let stack = tabs.stacks[tabs.selected],
      let top = navigation.stacks[stack]?.top
    {
      front = top
    }
    return front
  }

  /// The parent of an instance: the one beneath it, else the container of its tab, else the one
  /// that its layer covers; `nil` for the root and for background instances.
  public func parent(of id: InstanceID) -> InstanceID? {
    instances[id].flatMap { parent(in: $0.stack, below: $0.below) }
  }

  /// The parent of an instance in a stack, above another instance unless it is the stack's root.
  func parent(in stack: StackID?, below: InstanceID?) -> InstanceID? {
    if let below { return below }
    switch stack.flatMap({ navigation.stacks[$0] })?.owner {
    case .tab(let container, _): return container
    case .layer(let layer): return navigation.layers[layer]?.over
    case nil: return nil
    }
  }

  /// An instance and its ancestors, the nearest first.
  func ancestry(of id: InstanceID?) -> some Sequence<InstanceID> {
    sequence(state: id) { (next: inout InstanceID?) -> InstanceID? in
      defer { next = next.flatMap { parent(of: $0) } }
      return next
    }
  }

  /// The layer that an instance belongs to; `nil` for a background instance.
  func layer(of id: InstanceID) -> LayerID? {
    var id = id
    while let stack = instances[id]?.stack.flatMap({ navigation.stacks[$0] }) {
      switch stack.owner {
      case .layer(let layer): return layer
      case .tab(let container, _): id = container
      }
    }
    return nil
  }
}

/// Identifies an instance.
public typealias InstanceID = SlotID<Instance>

/// Identifies a stack.
public typealias StackID = SlotID<Stack>

/// Identifies a layer.
public typealias LayerID = SlotID<Layer>

/// An instance of a node.
public struct Instance: Sendable {
  /// The index of its node in the graph.
  public let node: Int
  public let arguments: Value
  /// The depth: the number of instances from the root to this one, inclusive.
  public let depth: Int
  /// The nearest ancestor that is a container.
  public let container: InstanceID?
  /// The instance that pushed or presented it; for a tab's root or a background instance, the one
  /// that presented their container.
  public internal(set) var presenter: InstanceID?
  /// The feature's state; `nil` for a container.
  @_spi(Host) public var state: InstanceState?
  /// The stack that contains it; `nil` for a background instance.
  public internal(set) var stack: StackID?
  /// The instance beneath it in its stack.
  public internal(set) var below: InstanceID?
  public internal(set) var layerOver: LayerID?
  public internal(set) var tabs: Tabs?
  /// The background instances that live as long as this instance, without a screen.
  public internal(set) var background: [InstanceID] = []
  /// The container that a background instance lives as long as; `nil` for those of the app.
  public internal(set) var host: InstanceID?
  /// The instances of the same node that were presented just before and just after this one.
  var previousOfNode: InstanceID?
  var nextOfNode: InstanceID?
}

/// The tabs of a container.
public struct Tabs: Sendable {
  /// The index of the selected tab.
  public internal(set) var selected: Int
  /// The tabs' stacks; `nil` for those that were not needed yet.
  public internal(set) var stacks: [StackID?]
}

public struct Stack: Sendable {
  /// The owner of a stack.
  public enum Owner: Hashable, Sendable {
    case layer(LayerID)
    case tab(of: InstanceID, Int)
  }

  public let owner: Owner
  public internal(set) var root: InstanceID
  public internal(set) var top: InstanceID
  /// The number of instances of each node that has a `maxDepth`.
  var limitedNodes: [Int: Int] = [:]
}

/// The root layer, or a modal.
public struct Layer: Sendable {
  public internal(set) var stack: StackID?
  /// The instance that it covers; `nil` for the root layer.
  public let over: InstanceID?
  public let below: LayerID?
}

extension AppState {
  /// The differences from an earlier state of the same app.
  ///
  /// - Returns: the instances that are new, have moved or whose state was written, and those that
  ///   were removed.
  package func changes(since old: AppState) -> (changed: [InstanceID], removed: [InstanceID]) {
    instances.differences(from: old.instances) { $0.isSame(as: $1) }
  }

  /// The most recently presented instances of a node, latest first.
  package func latest(of node: Int) -> some Sequence<InstanceID> {
    sequence(state: navigation.lastOfNode[node]) { (next: inout InstanceID?) -> InstanceID? in
      defer { next = next.flatMap { instances.read($0) { $0.previousOfNode } ?? nil } }
      return next
    }
  }
}

extension Instance {
  /// Whether everything from which an instance is restored is unchanged; the rest follows from
  /// other instances.
  fileprivate func isSame(as old: Instance) -> Bool {
    stack == old.stack && below == old.below && host == old.host
      && tabs?.selected == old.tabs?.selected
      && (state.map { state in old.state.map { state.isIdentical(to: $0) } ?? false }
        ?? (old.state == nil))
  }
}
