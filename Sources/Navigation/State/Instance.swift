@_spi(Host) public import AppCore

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
  public internal(set) var count: Int
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

  /// The most recently presented instances of a node, latest first, up to the first for which
  /// `isWanted` returns `false`.
  package func latest(of node: Int, while isWanted: (InstanceID) -> Bool) -> [InstanceID] {
    var found: [InstanceID] = []
    var next = navigation.lastOfNode[node]
    while let id = next, isWanted(id) {
      found.append(id)
      next = instances.read(id) { $0.previousOfNode } ?? nil
    }
    return found
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
