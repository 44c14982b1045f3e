public import AppCore

/// An instance, written down.
public struct SavedInstance: Hashable, Sendable {
  /// Where an instance stands.
  public enum Place: Hashable, Sendable {
    /// On another one, in the same stack.
    case above(UInt64)
    /// At the root of a container's tab, which is known by the tab's node.
    case tab(of: UInt64, node: String)
    /// At the root of a layer; `nil` for the layer that everything else covers.
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
  /// What takes the place of arguments and state in a file; `nil` where neither holds a secret.
  public let redaction: Redaction?

  /// Arguments and state without their secrets.
  public struct Redaction: Hashable, Sendable {
    public let arguments: Value
    /// `nil` for a state whose secrets can't be told from the rest.
    public let state: Value?

    /// Creates a redaction.
    public init(arguments: Value, state: Value?) {
      self.arguments = arguments
      self.state = state
    }
  }

  /// Creates a saved instance.
  public init(
    id: UInt64, node: String, arguments: Value, presenter: UInt64?, place: Place,
    selectedTab: String?, order: UInt64, state: State, redaction: Redaction? = nil
  ) {
    self.id = id
    self.node = node
    self.arguments = arguments
    self.presenter = presenter
    self.place = place
    self.selectedTab = selectedTab
    self.order = order
    self.state = state
    self.redaction = redaction
  }

  /// Whether it has had no place in the app since a former version of it.
  var isLeftOver: Bool { id >= LeftOver.firstNumber }

  /// The same instance with another state.
  package func with(_ state: State) -> SavedInstance {
    SavedInstance(
      id: id, node: node, arguments: arguments, presenter: presenter, place: place,
      selectedTab: selectedTab, order: order, state: state, redaction: redaction)
  }

  /// The instance as it may be written to a file.
  var withoutSecrets: SavedInstance {
    guard let redaction else { return self }
    let hidden = State.notCoded(reason: "its secrets can't be told from the rest")
    let open: State =
      switch state {
      case .value: redaction.state.map { .value($0) } ?? hidden
      case .suspended(_, let reason, let isPlugins):
        redaction.state.map { .suspended($0, reason: reason, isPlugins: isPlugins) } ?? hidden
      case .container, .notCoded: state
      }
    return SavedInstance(
      id: id, node: node, arguments: redaction.arguments, presenter: presenter, place: place,
      selectedTab: selectedTab, order: order, state: open)
  }

  /// What it is on or in; `nil` for what belongs to the app itself.
  var parent: UInt64? {
    switch place {
    case .above(let id), .tab(let id, _): id
    case .layer(let id), .background(let id): id
    }
  }
}
