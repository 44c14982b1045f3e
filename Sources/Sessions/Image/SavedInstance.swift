public import AppCore

/// An instance in an image: its node, arguments, position and encoded state.
public struct SavedInstance: Hashable, Sendable {
  /// The position of an instance; others are identified by their numbers.
  public enum Place: Hashable, Sendable {
    /// Above another one in the same stack.
    case above(UInt64)
    /// At the root of a container's tab, which is identified by the tab's node.
    case tab(of: UInt64, node: String)
    /// At the root of a layer over an instance; `nil` for the root layer.
    case layer(over: UInt64?)
    /// In the background of a container; `nil` for that of the app.
    case background(of: UInt64?)
  }

  /// The state of an instance.
  public enum State: Hashable, Sendable {
    /// The instance is a container, which has no state.
    case container
    /// The state as the feature encodes it.
    case value(Value)
    /// The state could not be encoded, for this reason.
    case notEncodable(reason: String)
    /// The state of a suspended instance, with the reason for the suspension.
    ///
    /// `isWholePlugin` is whether the whole plugin is suspended.
    case suspended(Value, reason: String, isWholePlugin: Bool)
  }

  /// Its number in the app that was running.
  public internal(set) var id: UInt64
  /// The name of its node.
  public let node: String
  /// The arguments that it was created with.
  public internal(set) var arguments: Value
  /// The number of the instance that presented it; `nil` if none did.
  public internal(set) var presenter: UInt64?
  public internal(set) var place: Place
  /// The node of the tab that a container shows; `nil` for other instances.
  public let selectedTab: String?
  /// The order in which instances were presented: greater for later ones.
  public let order: UInt64
  public internal(set) var state: State
  /// The feature that encoded the state; `nil` if it is that of the image's identity.
  ///
  /// It differs if the instance has been left over or suspended since a former version of the app.
  public internal(set) var encodedBy: FeatureVersion?
  /// The arguments and state without secrets, for a file; `nil` if neither contains any.
  public package(set) var redaction: Redaction?

  /// A feature, with the version of its plugin.
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
    /// The state; `nil` if its secrets can't be told from the rest.
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

  /// Whether it is left over: it had no place in the app that wrote the image.
  var isLeftOver: Bool { id >= LeftOver.firstNumber }

  /// A copy with another state.
  package func with(_ state: State) -> SavedInstance {
    var copy = self
    copy.state = state
    return copy
  }

  /// A copy without secrets, which may be written to a file on disk.
  package var withoutSecrets: SavedInstance {
    guard let redaction else { return self }
    var copy = self
    let hidden = State.notEncodable(reason: "its secrets can't be told from the rest")
    copy.state =
      switch state {
      case .value: redaction.state.map { .value($0) } ?? hidden
      case .suspended(_, let reason, let isWholePlugin):
        redaction.state.map { .suspended($0, reason: reason, isWholePlugin: isWholePlugin) }
          ?? hidden
      case .container, .notEncodable: state
      }
    copy.arguments = redaction.arguments
    copy.redaction = nil
    return copy
  }

  /// The instance that it is on or in; `nil` for the root layer and the app's background.
  var parent: UInt64? {
    switch place {
    case .above(let id), .tab(let id, _): id
    case .layer(let id), .background(let id): id
    }
  }
}
