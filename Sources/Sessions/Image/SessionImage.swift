/// A running app, written down: enough to show the same screens again in another process.
///
/// Its life, in this order:
/// 1. ``SessionRecorder`` compares the app's state with the one it saw last, each time a screen is
///    shown, and makes an ``ImageChange`` of what differs.
/// 2. ``ImageWriter`` appends the change as one frame, so that it is there wholly or not at all.
/// 3. ``ImageReader`` reads frames up to the first that is damaged, and applies the changes: this is
///    the image.
/// 4. ``SessionPlan`` says what becomes of each instance under a manifest and its plugins, which may
///    be others by now, and the app continues from there.
public struct SessionImage: Hashable, Sendable {
  /// The app that was running.
  public var identity: SessionIdentity
  /// The instances, by their number in the app that was running.
  public var instances: [UInt64: SavedInstance] = [:]
  /// What the person at the terminal was doing.
  public var conversation = SavedConversation()
  /// The link that waits for an instance.
  public var waitingLink: String?

  /// Creates the image of an app in which nothing is presented.
  public init(identity: SessionIdentity) { self.identity = identity }

  /// Applies what has changed since.
  mutating func apply(_ change: ImageChange) {
    if let identity = change.identity { self.identity = identity }
    for id in change.removed { instances[id] = nil }
    for instance in change.instances { instances[instance.id] = instance }
    if let conversation = change.conversation { self.conversation = conversation }
    if let link = change.waitingLink { waitingLink = link }
  }
}

/// Which app an image is of.
public struct SessionIdentity: Hashable, Sendable {
  /// A plugin of the app.
  public struct Plugin: Hashable, Sendable {
    public let name: String
    public let version: String
    /// The digest of its file; empty for a plugin that is linked.
    public let digest: String

    /// Creates a description.
    public init(name: String, version: String, digest: String) {
      self.name = name
      self.version = version
      self.digest = digest
    }
  }

  /// A node of the graph.
  public struct Node: Hashable, Sendable {
    public let name: String
    /// The feature's full name; `nil` for a container.
    public let feature: String?

    /// Creates a description.
    public init(name: String, feature: String?) {
      self.name = name
      self.feature = feature
    }

    /// The plugin of the feature; `nil` for a container.
    public var plugin: String? { feature.map { String($0.prefix { $0 != "." }) } }
  }

  /// The app's name, as the manifest gives it.
  public let app: String
  /// The manifest's path.
  public let manifest: String
  public let plugins: [Plugin]
  /// The nodes, in the order of the graph.
  public let nodes: [Node]

  /// Creates an identity.
  public init(app: String, manifest: String, plugins: [Plugin], nodes: [Node]) {
    self.app = app
    self.manifest = manifest
    self.plugins = plugins
    self.nodes = nodes
  }

  /// The plugin of this name.
  public func plugin(_ name: String) -> Plugin? { plugins.first { $0.name == name } }

  /// The feature of each node with the version of its plugin, by the node's name.
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

/// What a person at a terminal was doing.
public struct SavedConversation: Hashable, Sendable {
  /// The line that is being typed, and how many characters are before the cursor.
  public var line = ""
  public var cursor = 0
  /// The line that the app is carrying out; `nil` while it waits for one.
  public var sentLine: String?
  /// Whether that line may hold a secret, which no file is to hold.
  public var isLinePrivate = false
  /// The row that each list begins with, where that is not its first.
  public var pages: [Page] = []
  /// The file in which the session is kept; `nil` where it is in memory alone.
  public var file: String?
  /// How far a script has come; `nil` where a person types.
  public var script: Script?

  /// How far a script has come.
  public struct Script: Hashable, Sendable {
    /// The number of the line that is being carried out, or was last, from 1.
    public var begun: Int
    /// The number of the last line that was answered.
    public var done: Int
    /// The number of the last screen.
    public var screen: Int

    /// Creates the place of a script.
    public init(begun: Int = 0, done: Int = 0, screen: Int = 0) {
      (self.begun, self.done, self.screen) = (begun, done, screen)
    }
  }

  /// The conversation as it may be written to a file: what was typed only where it is not a secret.
  var withoutSecrets: SavedConversation {
    var open = self
    if isLinePrivate { (open.line, open.cursor) = ("", 0) }
    (open.file, open.script) = (nil, nil)
    return open
  }

  /// Where a list has been paged to.
  public struct Page: Hashable, Sendable {
    /// The instance whose list it is.
    public var instance: UInt64
    /// The list's identifier; `nil` for one that is known by its place.
    public var list: String?
    /// Which one of the lists without an identifier.
    public var ordinal: Int
    public var offset: Int

    /// Creates a page.
    public init(instance: UInt64, list: String?, ordinal: Int, offset: Int) {
      self.instance = instance
      self.list = list
      self.ordinal = ordinal
      self.offset = offset
    }
  }

  /// Creates the conversation of somebody who types nothing.
  public init() {}
}
