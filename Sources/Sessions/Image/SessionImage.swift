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
  /// The app that was running.
  public var identity: SessionIdentity
  /// The instances, by their number in the app that was running.
  public var instances: [UInt64: SavedInstance] = [:]
  /// The state of the terminal or the script.
  public var conversation = SavedConversation()
  /// The values of the manifest's variables with which the app was begun, except secrets.
  public var variables: [String: String] = [:]
  /// The link that waits for an instance; `nil` if none does.
  public var waitingLink: String?

  /// Creates the image of an app without instances.
  public init(identity: SessionIdentity) { self.identity = identity }

  /// Applies a change.
  mutating func apply(_ change: ImageChange) {
    if let identity = change.identity { self.identity = identity }
    for id in change.removed { instances[id] = nil }
    for instance in change.instances { instances[instance.id] = instance }
    if let conversation = change.conversation { self.conversation = conversation }
    if let variables = change.variables { self.variables = variables }
    if let link = change.waitingLink { waitingLink = link }
  }
}

/// The app of an image, with its plugins and nodes.
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

    /// The name of the feature's plugin; `nil` for a container.
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

  /// The plugin with this name; `nil` if there is none.
  public func plugin(_ name: String) -> Plugin? { plugins.first { $0.name == name } }

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

/// The state of a terminal or script that is saved with an app.
public struct SavedConversation: Hashable, Sendable {
  /// The line that is being typed, and how many characters are before the cursor.
  public var line = ""
  public var cursor = 0
  /// The line that the app is carrying out; `nil` while it waits for one.
  public var sentLine: String?
  /// Whether the line that is being typed may be a secret, which must not be written to a file.
  public var isLinePrivate = false
  /// The pages of lists that do not show their first one.
  public var pages: [Page] = []
  /// The file in which the session is kept; `nil` if it is only in memory.
  public var file: String?
  /// The progress of a script; `nil` on a terminal.
  public var script: Script?

  /// The progress of a script.
  public struct Script: Hashable, Sendable {
    /// The number of the line that was begun last, from 1.
    public var begun: Int
    /// The number of the line that was answered last, from 1.
    public var done: Int
    /// The number of the screen that was printed last.
    public var screen: Int

    /// Creates the progress of a script.
    public init(begun: Int = 0, done: Int = 0, screen: Int = 0) {
      (self.begun, self.done, self.screen) = (begun, done, screen)
    }
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
    (open.file, open.script) = (nil, nil)
    return open
  }

  /// The page that a list shows.
  public struct Page: Hashable, Sendable {
    /// The number of the instance with the list.
    public var instance: UInt64
    /// The list's identifier; `nil` for a list without one.
    public var list: String?
    /// The index of the list among those without an identifier.
    public var ordinal: Int
    /// The index of the first row that is shown.
    public var offset: Int

    /// Creates a page.
    public init(instance: UInt64, list: String?, ordinal: Int, offset: Int) {
      self.instance = instance
      self.list = list
      self.ordinal = ordinal
      self.offset = offset
    }
  }

  /// Creates the state of a terminal on which nothing was typed.
  public init() {}
}
