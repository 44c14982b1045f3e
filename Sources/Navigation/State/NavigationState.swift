internal import AppCore

/// What is currently presented: layers of stacks of instances, by their identifiers only.
public struct NavigationState: Sendable {
  public internal(set) var stacks = SlotTable<Stack>()
  public internal(set) var layers = SlotTable<Layer>()
  /// The layer in front; `nil` before the app has begun.
  public internal(set) var topLayer: LayerID?
  /// The layer that everything else covers; `nil` before the app has begun.
  public internal(set) var rootLayer: LayerID?
  /// Instances of the app itself, without a screen.
  public internal(set) var background: [InstanceID] = []
  /// The instance of each node that was presented last.
  var lastOfNode: [Int: InstanceID] = [:]
}

/// The state of a whole app: the navigation, and a flat table of instances.
public struct AppState: Sendable {
  public internal(set) var navigation = NavigationState()
  public internal(set) var instances = SlotTable<Instance>()
  /// Instances that were removed and whose last effects still run.
  var ending: [InstanceID: EndingInstance] = [:]
  /// Whether the app ends: instances finish what they have to do, and the graph stays as it is.
  package internal(set) var isClosing = false
  /// A link that waits for the instance that it needs; a later link replaces it.
  public internal(set) var waitingLink: LinkPlan?
  /// What was done, refused and dropped lately.
  public internal(set) var journal = Journal()

  /// Whether effects of instances that were removed still run.
  public var isEnding: Bool { !ending.isEmpty }

  /// The node of an instance, or of one that was removed and still ends.
  public func node(of id: InstanceID) -> Int? {
    instances.read(id) { $0.node } ?? ending[id]?.node
  }

  /// The state before anything is presented.
  public init() {}

  /// The instance whose screen shows.
  ///
  /// - Complexity: O(d) in how deep containers are nested, not in the depth of stacks.
  public var current: InstanceID? {
    guard let layer = navigation.topLayer, let stack = navigation.layers[layer]?.stack else {
      return nil
    }
    return front(of: stack)
  }

  /// The instance in front in a stack: its top, or what shows in the top's selected tab.
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

  /// The next instance on the outward path: beneath, else the container, else what the layer lies
  /// over.
  public func outward(from id: InstanceID) -> InstanceID? {
    guard let instance = instances[id], let stack = instance.stack else { return nil }
    if let below = instance.below { return below }
    switch navigation.stacks[stack]?.owner {
    case .tab(let container, _): return container
    case .layer(let layer): return navigation.layers[layer]?.over
    case nil: return nil
    }
  }

  /// The layer that an instance belongs to.
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
