internal import AppCore

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
    guard let instance = instances[id], let stack = instance.stack else { return nil }
    if let below = instance.below { return below }
    switch navigation.stacks[stack]?.owner {
    case .tab(let container, _): return container
    case .layer(let layer): return navigation.layers[layer]?.over
    case nil: return nil
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
