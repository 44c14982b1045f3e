public import AppCore
@_spi(Host) public import Navigation
internal import Support

/// An instance of an app as an image or a recording holds it: its node, arguments, position and
/// encoded state.
public struct SavedInstance: Hashable, Sendable {
  /// The position of an instance; others are identified by their numbers.
  public enum Place: Hashable, Sendable {
    /// Above another one in the same stack.
    case above(InstanceID)
    /// At the root of a container's tab, which is identified by the tab's node.
    case tab(of: InstanceID, node: String)
    /// At the root of a layer over an instance; `nil` for the root layer.
    case layer(over: InstanceID?)
    /// In the background of a container; `nil` for that of the app.
    case background(of: InstanceID?)
  }

  public enum State: Hashable, Sendable {
    /// The instance is a container, which has no state.
    case container
    /// The state as the feature encodes it.
    case value(Value)
    case notEncodable(reason: String)
    /// The state of a suspended instance, with the reason for the suspension.
    ///
    /// `isWholePlugin` is whether the whole plugin is suspended.
    case suspended(Value, reason: String, isWholePlugin: Bool)
  }

  /// Its identifier in the app that was running.
  public internal(set) var id: InstanceID
  public let node: String
  public internal(set) var arguments: Value
  /// The instance that presented it; `nil` if none did.
  public internal(set) var presenter: InstanceID?
  public internal(set) var place: Place
  /// The node of the tab that a container shows; `nil` for other instances.
  public let selectedTab: String?
  /// The order in which instances were presented: greater for later ones.
  public let order: UInt64
  public internal(set) var state: State
  /// The feature that encoded the state; `nil` if it is that of the image's identity.
  ///
  /// It differs if the instance has been unplaced or suspended since a former version of the app.
  public internal(set) var encodedBy: FeatureVersion?
  /// The arguments and state without secrets, for a file; `nil` if neither contains any.
  public package(set) var redaction: Redaction?

  public struct FeatureVersion: Hashable, Sendable {
    public let feature: String
    public let version: String

    public var plugin: String {
      String(feature[..<(feature.utf8.firstIndex(of: UInt8(ascii: ".")) ?? feature.endIndex)])
    }
  }

  /// Arguments and state without their secrets.
  public struct Redaction: Hashable, Sendable {
    public let arguments: Value
    /// The state; `nil` if its secrets can't be told from the rest.
    public let state: Value?
  }

  public init(
    id: InstanceID, node: String, arguments: Value = [:], presenter: InstanceID? = nil,
    place: Place = .layer(over: nil), selectedTab: String? = nil, order: UInt64 = 0,
    state: State, encodedBy: FeatureVersion? = nil, redaction: Redaction? = nil
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

  package func with(_ state: State) -> SavedInstance {
    var copy = self
    copy.state = state
    return copy
  }

  /// A copy without secrets, which may be written to a file on disk.
  package var withoutSecrets: SavedInstance {
    guard let redaction else { return self }
    var copy = self
    copy.arguments = redaction.arguments
    copy.redaction = nil
    switch state {
    case .container, .notEncodable: break
    case .value: copy.state = redaction.state.map { .value($0) } ?? .withUnclearSecrets
    case .suspended(_, let reason, let isWholePlugin):
      copy.state =
        redaction.state.map { .suspended($0, reason: reason, isWholePlugin: isWholePlugin) }
        ?? .withUnclearSecrets
    }
    return copy
  }

  /// The instance that it is on or in; `nil` for the root layer and the app's background.
  package var parent: InstanceID? {
    switch place {
    case .above(let id), .tab(let id, _): id
    case .layer(let id), .background(let id): id
    }
  }
}

extension SavedInstance.State {
  /// The state in structural form; `nil` for a container, and if it could not be encoded.
  package var value: Value? {
    switch self {
    case .value(let value), .suspended(let value, _, _): value
    case .container, .notEncodable: nil
    }
  }

  /// What is kept of a state whose secrets can't be told from the rest.
  static let withUnclearSecrets = Self.notEncodable(
    reason: "its secrets can't be told from the rest")
}

// The form in which images and recordings hold an instance. Keys are short, because a recording has
// many; docs/timeline.md names them.
extension SavedInstance {
  package var value: Value {
    var fields = [String: Value](minimumCapacity: 12)
    fields["i"] = id.value
    fields["n"] = .string(node)
    fields["o"] = .int(Int(clamping: order))
    if arguments != .object([:]) { fields["a"] = arguments.stored }
    fields["b"] = presenter?.value
    fields["p"] = place.value
    fields["t"] = selectedTab.map { .string($0) }
    fields["f"] = encodedBy.map { .array([.string($0.feature), .string($0.version)]) }
    fields["r"] = redaction.map {
      .array([$0.arguments.stored] + ($0.state.map { [$0.stored] } ?? []))
    }
    switch state {
    case .container: break
    case .value(let value): fields["s"] = value.stored
    case .notEncodable(let reason): fields["e"] = .string(reason)
    case .suspended(let value, let reason, let isWholePlugin):
      fields["s"] = value.stored
      fields["e"] = .string(reason)
      fields["all"] = .bool(isWholePlugin)
    }
    return .object(fields)
  }

  /// - Returns: `nil` if the value is not a saved instance.
  package init?(_ value: Value) {
    guard case .object(let fields) = value, let id = fields["i"]?.instance,
      let node = fields["n"]?.text, case .int(let order)? = fields["o"], order >= 0,
      let place = Place(fields["p"]), let state = State(fields),
      fields["b"] == nil || fields["b"]?.instance != nil
    else { return nil }
    self.init(
      id: id, node: node, arguments: fields["a"].map { Value(stored: $0) } ?? [:],
      presenter: fields["b"]?.instance, place: place, selectedTab: fields["t"]?.text,
      order: UInt64(order), state: state)
    if let field = fields["f"] {
      guard case .array(let parts) = field, parts.count == 2, let feature = parts[0].text,
        let version = parts[1].text
      else { return nil }
      encodedBy = FeatureVersion(feature: feature, version: version)
    }
    if let field = fields["r"] {
      guard case .array(let parts) = field, (1...2).contains(parts.count) else { return nil }
      redaction = Redaction(
        arguments: Value(stored: parts[0]),
        state: parts.count == 2 ? Value(stored: parts[1]) : nil)
    }
  }
}

extension SavedInstance.State {
  fileprivate init?(_ fields: [String: Value]) {
    switch (fields["s"].map { Value(stored: $0) }, fields["e"]) {
    case (nil, nil): self = .container
    case (let value?, nil): self = .value(value)
    case (nil, .string(let reason)?): self = .notEncodable(reason: reason)
    case (let value?, .string(let reason)?):
      self = .suspended(value, reason: reason, isWholePlugin: fields["all"] == .bool(true))
    default: return nil
    }
  }
}

extension SavedInstance.Place {
  /// `nil` for the root layer, which is not written.
  fileprivate var value: Value? {
    switch self {
    case .above(let id): .array(["above", id.value])
    case .tab(let id, let node): .array(["tab", id.value, .string(node)])
    case .layer(let id): id.map { .array(["layer", $0.value]) }
    case .background(let id): .array(["background"] + (id.map { [$0.value] } ?? []))
    }
  }

  fileprivate init?(_ value: Value?) {
    guard let value else {
      self = .layer(over: nil)
      return
    }
    guard case .array(let parts) = value, let word = parts.first?.text else { return nil }
    switch (word, parts.count, parts.dropFirst().first?.instance) {
    case ("above", 2, let id?): self = .above(id)
    case ("tab", 3, let id?):
      guard let node = parts[2].text else { return nil }
      self = .tab(of: id, node: node)
    case ("layer", 2, let id?): self = .layer(over: id)
    case ("background", 1, _): self = .background(of: nil)
    case ("background", 2, let id?): self = .background(of: id)
    default: return nil
    }
  }
}
