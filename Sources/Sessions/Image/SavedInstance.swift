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
  public internal(set) var id: UInt64
  /// The name of its node.
  public let node: String
  /// What it was made with.
  public internal(set) var arguments: Value
  /// Who presented it.
  public internal(set) var presenter: UInt64?
  public internal(set) var place: Place
  /// The node of the tab that a container shows.
  public let selectedTab: String?
  /// When it was presented, compared with others: the later, the greater.
  public let order: UInt64
  public internal(set) var state: State
  /// The feature that coded the state, where it is not the one of the image's identity: the instance has
  /// had no place, or was suspended, since another version of the app.
  public internal(set) var encodedBy: FeatureVersion?
  /// What takes the place of arguments and state in a file; `nil` where neither holds a secret.
  public package(set) var redaction: Redaction?

  /// A feature of a build of its plugin.
  public struct FeatureVersion: Hashable, Sendable {
    /// The feature's full name.
    public let feature: String
    /// The version of its plugin.
    public let version: String

    /// Creates a description.
    public init(feature: String, version: String) {
      self.feature = feature
      self.version = version
    }

    /// The plugin's name.
    public var plugin: String { String(feature.prefix { $0 != "." }) }
  }

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
    selectedTab: String?, order: UInt64, state: State, encodedBy: FeatureVersion? = nil,
    redaction: Redaction? = nil
  ) {
    self.id = id
    self.node = node
    self.arguments = arguments
    self.presenter = presenter
    self.place = place
    self.selectedTab = selectedTab
    self.order = order
    self.state = state
    self.encodedBy = encodedBy
    self.redaction = redaction
  }

  /// Whether it has had no place in the app since a former version of it.
  var isLeftOver: Bool { id >= LeftOver.firstNumber }

  /// The same instance with another state.
  package func with(_ state: State) -> SavedInstance {
    var copy = self
    copy.state = state
    return copy
  }

  /// The instance as it may be written to a file.
  package var withoutSecrets: SavedInstance {
    guard let redaction else { return self }
    var copy = self
    let hidden = State.notCoded(reason: "its secrets can't be told from the rest")
    copy.state =
      switch state {
      case .value: redaction.state.map { .value($0) } ?? hidden
      case .suspended(_, let reason, let isPlugins):
        redaction.state.map { .suspended($0, reason: reason, isPlugins: isPlugins) } ?? hidden
      case .container, .notCoded: state
      }
    copy.arguments = redaction.arguments
    copy.redaction = nil
    return copy
  }

  /// What it is on or in; `nil` for what belongs to the app itself.
  var parent: UInt64? {
    switch place {
    case .above(let id), .tab(let id, _): id
    case .layer(let id), .background(let id): id
    }
  }
}
