@_spi(Host) public import AppCore
public import Navigation

/// An image of a running app, from which another process can restore it.
///
/// Its life, in this order:
/// 1. Each time a screen is shown, ``SessionRecorder`` compares the app's state with the previous
///    one, and makes an ``ImageChange`` of the difference.
/// 2. ``ImageWriter`` appends the change as one frame, so that it is written completely or not at
///    all.
/// 3. ``ImageReader`` reads the frames up to the first that is damaged, and applies their changes,
///    which gives the image.
/// 4. ``SessionPlan`` decides what becomes of each instance, because the manifest and the plugins
///    may have changed. The app is restored by that plan.
public struct SessionImage: Hashable, Sendable {
  public var identity: SessionIdentity
  /// The app as it was shown last.
  package var moment: AppMoment
  /// The state of the terminal or the script.
  public var conversation = SavedConversation()
  /// The values of the manifest's variables with which the app was begun, except secrets.
  public var variables: [String: String] = [:]

  package init(identity: SessionIdentity, _ moment: AppMoment = AppMoment()) {
    self.identity = identity
    self.moment = moment
  }

  /// Applies a change.
  ///
  /// - Returns: whether it could be applied; if not, the image is unusable.
  mutating func apply(_ change: ImageChange) -> Bool {
    if let identity = change.identity {
      self.identity = identity
      moment.instances = [:]
    }
    if let conversation = change.conversation { self.conversation = conversation }
    if let variables = change.variables { self.variables = variables }
    return moment.apply(change.state) == nil
  }

  /// The change that turns an empty image into this one.
  package var whole: ImageChange {
    ImageChange(
      identity: identity, state: moment.whole, conversation: conversation, variables: variables)
  }
}

/// What has changed in a running app since its image was last written.
public struct ImageChange: Hashable, Sendable {
  /// The new identity if the app has begun, or its manifest or a plugin was replaced; the change then
  /// has all instances.
  package var identity: SessionIdentity?
  /// The instances and the waiting link; those of an image that change are in it as a whole.
  package var state = StateChange()
  package var conversation: SavedConversation?
  /// The values of the manifest's variables with which the app was begun.
  package var variables: [String: String]?
  /// Whether the waiting link has a secret, so that it must not be written to a file.
  ///
  /// Not part of what is written: who reads the link finds that out.
  package var isWaitingLinkPrivate = false

  package init(
    identity: SessionIdentity? = nil, state: StateChange = StateChange(),
    conversation: SavedConversation? = nil, variables: [String: String]? = nil
  ) {
    self.identity = identity
    self.state = state
    self.conversation = conversation
    self.variables = variables
  }

  package var isEmpty: Bool { self == ImageChange() }
}

// The form in a frame: a line for each instance, and before them one for the rest.
extension ImageChange {
  package var lines: [String] { [header] + state.wholeInstances.map(\.value.json) }

  /// The line for everything but the instances.
  var header: String {
    var state = state
    state.instances = []
    var fields = state.fields
    fields["identity"] = identity.map { Value(coding: $0) }
    fields["conversation"] = conversation.map { Value(coding: $0) }
    fields["variables"] = variables.map { .object($0.mapValues { .string($0) }) }
    return Value.object(fields).json
  }

  /// Reads the lines of a frame; `nil` if they are not a change.
  package init?(_ content: ArraySlice<UInt8>) {
    var reader = JSONReader(content, depthLimit: Value.lineDepthLimit)
    guard case .object(let fields)? = try? reader.nextValue(), let state = try? StateChange(fields),
      let identity = Self.decoded(SessionIdentity.self, fields["identity"]),
      let conversation = Self.decoded(SavedConversation.self, fields["conversation"]),
      conversation?.isPlausible ?? true,
      let variables = Self.decoded([String: String].self, fields["variables"])
    else { return nil }
    self.init(
      identity: identity, state: state, conversation: conversation, variables: variables)
    self.state.instances.reserveCapacity(content.count { $0 == 0x0a })
    do throws(JSONReader.Failure) {
      while let value = try reader.nextValue() {
        guard let instance = SavedInstance(value) else { return nil }
        self.state.instances.append(.whole(instance))
      }
    } catch {
      return nil
    }
  }

  /// The outer `nil` means that there is something else.
  private static func decoded<Part: Decodable>(_ type: Part.Type, _ field: Value?) -> Part?? {
    guard let field else { return .some(nil) }
    return field.decoded(type).map { .some($0) }
  }
}

/// The app of an image, with its plugins and nodes.
public struct SessionIdentity: Hashable, Sendable, Codable {
  public struct Plugin: Hashable, Sendable, Codable {
    public let name: String
    public let version: String
    /// The digest of its file; empty for a plugin that is linked or a mock.
    public let digest: String
    /// Its interface, as `appcore interface --json` prints it; in recordings only.
    public let interface: Value?
    /// Its build ID and the SHA-256 digest of its file, as far as they are known, and the path of the
    /// private copy that is loaded: for reports of crashes.
    public let buildID: String?
    public let fileDigest: String?
    public let file: String?

    public init(
      name: String, version: String, digest: String, interface: Value? = nil,
      buildID: String? = nil, fileDigest: String? = nil, file: String? = nil
    ) {
      self.name = name
      self.version = version
      self.digest = digest
      self.interface = interface
      (self.buildID, self.fileDigest, self.file) = (buildID, fileDigest, file)
    }
  }

  public struct Node: Hashable, Sendable {
    public let name: String
    /// The feature's full name; `nil` for a container.
    public let feature: String?

    public init(name: String, feature: String?) {
      self.name = name
      self.feature = feature
    }

    public var plugin: String? { feature.map { String($0.prefix { $0 != "." }) } }
  }

  /// The app's name, as the manifest gives it.
  public let app: String
  public let manifest: String
  public let plugins: [Plugin]
  /// The nodes, in the order of the graph.
  public package(set) var nodes: [Node]
  /// The app's version; `nil` if the manifest has none.
  public let version: String?
  /// The SHA-256 digest of the app's lock as it was when the app was read; `nil` without a lock.
  public let lock: String?

  public init(
    app: String = "", manifest: String = "", plugins: [Plugin] = [], nodes: [Node] = [],
    version: String? = nil, lock: String? = nil
  ) {
    self.app = app
    (self.version, self.lock) = (version, lock)
    self.manifest = manifest
    self.plugins = plugins
    self.nodes = nodes
  }

  public func plugin(_ name: String) -> Plugin? { plugins.first { $0.name == name } }

  /// The digests of the plugins' files, by the plugins' names.
  package var digests: [String: String] {
    Dictionary(plugins.map { ($0.name, $0.digest) }, uniquingKeysWith: { first, _ in first })
  }

  /// The features with the versions of their plugins, by the names of their nodes.
  var featureVersions: [String: SavedInstance.FeatureVersion] {
    let versions = Dictionary(
      plugins.map { ($0.name, $0.version) }, uniquingKeysWith: { first, _ in first })
    return Dictionary(
      nodes.compactMap { node in
        guard let feature = node.feature, let plugin = node.plugin else { return nil }
        return (node.name, .init(feature: feature, version: versions[plugin] ?? ""))
      }, uniquingKeysWith: { first, _ in first })
  }
}

// A list of the name and, unless it is a container, the feature.
extension SessionIdentity.Node: Codable {
  public func encode(to encoder: any Encoder) throws {
    try ([name] + (feature.map { [$0] } ?? [])).encode(to: encoder)
  }

  public init(from decoder: any Decoder) throws {
    let parts = try [String](from: decoder)
    guard (1...2).contains(parts.count) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "it is not a node"))
    }
    self.init(name: parts[0], feature: parts.count > 1 ? parts[1] : nil)
  }
}

/// The state of a terminal or script that is saved with an app.
public struct SavedConversation: Hashable, Sendable, Codable {
  /// The line that is being typed, and how many characters are before the cursor.
  public var line = ""
  public var cursor = 0
  /// The line that the app is carrying out; `nil` while it waits for one.
  public var sentLine: String?
  /// The line that began the text of several lines that is being typed, as in logs; `nil` for none.
  public var textOpening: String?
  /// Whether the line that is being typed may be a secret, which must not be written to a file.
  public var isLinePrivate = false
  /// The pages of lists that do not show their first one.
  public var pages: [Page] = []
  /// What was in focus and half-typed on each screen full screen, except secrets; `nil` where nothing
  /// was shown full screen.
  public var places: [Place]?
  /// The file in which the session is kept; `nil` if it is only in memory.
  public var file: String?
  /// The progress of a script; `nil` on a terminal.
  public var script: Script?
  /// The text that a client of the app's socket has not finished; `nil` for none.
  public var clientText: ClientText?

  public struct Script: Hashable, Sendable, Codable {
    /// The number of the line that was begun last, from 1.
    public var begun: Int
    /// The number of the line that was answered last, from 1.
    public var done: Int
    /// The number of the screen that was printed last.
    public var screen: Int
    /// The text that is unfinished after the line that was begun last; `nil` for none.
    public var text: Text?

    public init(begun: Int = 0, done: Int = 0, screen: Int = 0) {
      (self.begun, self.done, self.screen) = (begun, done, screen)
    }
  }

  /// A text of several lines of which the last one has not been read.
  public struct Text: Hashable, Sendable, Codable {
    /// The line that began it, as in logs.
    public var opening: String
    /// The line that ends it.
    public var end: String

    public init(opening: String, end: String) { (self.opening, self.end) = (opening, end) }
  }

  public struct ClientText: Hashable, Sendable, Codable {
    /// The client's number, which it keeps after a crash.
    public var client: Int
    public var text: Text

    public init(client: Int, text: Text) { (self.client, self.text) = (client, text) }
  }

  /// Sets the line that is being typed.
  ///
  /// A line that may be a secret stays one until it is emptied: the screen that asks for it may go
  /// before the line does, for example when the app ends.
  public mutating func type(_ line: String, cursor: Int, isPrivate: Bool) {
    isLinePrivate = isPrivate || (isLinePrivate && !self.line.isEmpty && !line.isEmpty)
    (self.line, self.cursor) = (line, cursor)
  }

  /// A copy without secrets, which may be written to a file on disk.
  var withoutSecrets: SavedConversation {
    var open = self
    if isLinePrivate { (open.line, open.cursor) = ("", 0) }
    (open.file, open.script, open.clientText, open.textOpening) = (nil, nil, nil, nil)
    return open
  }

  /// Whether its numbers may be those of a terminal; a file may have been edited.
  fileprivate var isPlausible: Bool {
    cursor >= 0 && pages.allSatisfy { $0.ordinal >= 0 && $0.offset >= 0 }
  }

  /// A screen as it was seen full screen, in a form of its own.
  public struct Place: Hashable, Sendable, Codable {
    public var instance: InstanceID
    public var state: Value

    public init(instance: InstanceID, state: Value) {
      (self.instance, self.state) = (instance, state)
    }
  }

  public struct Page: Hashable, Sendable, Codable {
    public var instance: InstanceID
    /// The list's identifier; `nil` for a list without one.
    public var list: String?
    /// The index of the list among those without an identifier.
    public var ordinal: Int
    /// The index of the first row that is shown.
    public var offset: Int

    public init(instance: InstanceID, list: String?, ordinal: Int, offset: Int) {
      self.instance = instance
      self.list = list
      self.ordinal = ordinal
      self.offset = offset
    }
  }

  public init() {}
}
