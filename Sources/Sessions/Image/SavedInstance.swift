public import AppCore

/// An instance, written down.
public struct SavedInstance: Hashable, Sendable {
  /// Where an instance stands.
  public enum Place: Hashable, Sendable {
    /// On another one, in the same stack.
    case above(UInt64)
    /// At the root of a container's tab, which is known by the tab's node.
    case tab(of: UInt64, node: String)
    /// At the root of a layer; `nil` for the layer that everything else lies over.
    case layer(over: UInt64?)
    /// In the background of a container; `nil` for that of the app.
    case background(of: UInt64?)
  }

  /// What an instance's feature had as its state.
  public enum State: Hashable, Sendable {
    /// The instance is a container.
    case container
    /// The state as the feature codes it.
    case value(Value)
    /// The state could not be coded, and why.
    case notCoded(reason: String)
    /// The state of an instance whose feature is not called any more, and why; all of its plugin's
    /// where that is `isPlugins`.
    case suspended(Value, reason: String, isPlugins: Bool)
  }

  /// Its number in the app that was running.
  public let id: UInt64
  /// The name of its node.
  public let node: String
  /// What it was made with.
  public let arguments: Value
  /// Who presented it.
  public let presenter: UInt64?
  public let place: Place
  /// The node of the tab that a container shows.
  public let selectedTab: String?
  /// When it was presented, compared with others: the later, the greater.
  public let order: UInt64
  public let state: State

  /// Creates a saved instance.
  public init(
    id: UInt64, node: String, arguments: Value, presenter: UInt64?, place: Place,
    selectedTab: String?, order: UInt64, state: State
  ) {
    self.id = id
    self.node = node
    self.arguments = arguments
    self.presenter = presenter
    self.place = place
    self.selectedTab = selectedTab
    self.order = order
    self.state = state
  }

  /// What it stands on or in; `nil` for what belongs to the app itself.
  var parent: UInt64? {
    switch place {
    case .above(let id), .tab(let id, _): id
    case .layer(let id), .background(let id): id
    }
  }
}
