internal import Diagnostics
internal import Glibc
internal import Support

/// Brings a plugin's code into the process.
///
/// The life of a plugin, in this order. Each step can refuse it, with a ``PluginError``:
/// 1. found: ``PluginLocator`` turns a name into a path.
/// 2. read: ``PluginFile`` takes the bytes into memory and checks all that the dynamic loader
///    would follow blindly. No code runs.
/// 3. validated: ``PluginValidator`` compares the contract and looks at what the plugin imports.
/// 4. scanned: ``PluginScanner`` asks it in a child process what it is, once for each content.
/// 5. loaded: this type gives its bytes to `dlopen` and finds its entry.
/// 6. registered: the host calls ``OpenedPlugin/entry`` and reads what it returns.
///
/// What is loaded is what was validated: the bytes in memory are written to a private copy, named by
/// their content, and that is given to `dlopen`. The same bytes are loaded once, whatever path
/// they came from; other bytes from the same path are loaded beside the first.
///
/// Safe to use from several threads; loads happen one after the other.
public final class PluginLoader: Sendable {
  private struct State {
    var loaded: [String: OpenedPlugin] = [:]
  }

  /// Validates what this loader opens.
  public let validator: PluginValidator
  private let places: CopyPlaces
  private let mappings: MappingLimit
  private let state = Locked(State())

  /// Makes a loader.
  ///
  /// - Parameters:
  ///   - sdk: the SDK that this process has loaded.
  ///   - environment: the process's variables; `XDG_CACHE_HOME`, `HOME` and `TMPDIR` say where
  ///     copies go.
  public convenience init(sdk: HostSDK = .current, environment: [String: String]) {
    self.init(validator: PluginValidator(sdk: sdk), environment: environment)
  }

  /// Makes a loader with a validator.
  public convenience init(validator: PluginValidator, environment: [String: String]) {
    self.init(validator: validator, environment: environment, mappings: MappingLimit())
  }

  init(validator: PluginValidator, environment: [String: String], mappings: MappingLimit) {
    self.validator = validator
    self.mappings = mappings
    places = CopyPlaces(environment: environment)
  }

  /// How many builds of plugins are in memory; none ever leaves it.
  public var mappedBuilds: Int { state.withLock { $0.loaded.count } }

  /// From how many builds on a person should hear of it.
  public static let manyBuilds = 200

  /// Reads and validates a file; none of its code runs.
  ///
  /// - Parameters:
  ///   - path: the file, as ``PluginLocator`` found it.
  ///   - name: the plugin's name, where it was asked for by name.
  ///   - trust: whose files are taken.
  /// - Returns: what ``load(_:)`` takes.
  /// - Throws: a problem of stage `read` or `validated`.
  public func open(
    path: String, expecting name: String? = nil, trust: FileTrust = .all
  ) throws(PluginError) -> ValidatedPlugin {
    try trust.checkFolder(of: path)
    return try validator.validate(try PluginFile(path: path, trust: trust), expecting: name)
  }

  /// Makes the private copies of a plugin and of what it brings along; none of its code runs.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``.
  /// - Complexity: O(size of the files) to copy or compare them.
  public func prepare(_ plugin: ValidatedPlugin) throws(PluginError) -> PreparedPlugin {
    let copies: PluginCopies
    do throws(Rejection) {
      copies = try places.copies(of: plugin)
    } catch {
      throw PluginError(.loaded, path: plugin.file.path, error)
    }
    let dependencies = plugin.dependencies
    let libraries = zip(dependencies.items, copies.dependencies).map { item, copy in
      PreparedPlugin.Library(
        name: item.name, path: item.file.path, identity: item.file.identity,
        digest: item.file.digest.value, copy: copy.path, copyIdentity: copy.identity,
        isKnownByName: item.isKnownByName)
    }
    let files = [plugin.file] + dependencies.items.map(\.file)
    return PreparedPlugin(
      name: plugin.name, path: plugin.file.path, identity: plugin.file.identity,
      isGuarded: files.allSatisfy(\.isGuarded), isSettled: files.allSatisfy(\.isSettled),
      digest: plugin.file.digest.value, copy: copies.plugin.path,
      copyIdentity: copies.plugin.identity, libraries: libraries,
      systemLibraries: dependencies.system, absent: dependencies.absent,
      isKept: copies.isKept, trust: plugin.file.trust, temporaryFolder: copies.temporaryFolder,
      span: plugin.file.elf.segments.end)
  }

  /// Loads a plugin; its initializers run.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``.
  /// - Complexity: O(size of the file) to copy or compare it, once for each content.
  public func load(_ plugin: ValidatedPlugin) throws(PluginError) -> OpenedPlugin {
    try load(try prepare(plugin))
  }

  /// Loads a plugin whose copies are made; its initializers run.
  ///
  /// Where the copies are gone or not what they were, the plugin is read and validated again.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``, and those of ``open(path:expecting:trust:)``
  ///   where it has to be read again; `changedSinceChecked` where the file is another one then.
  /// - Complexity: one `stat` for each copy, besides what `dlopen` takes.
  public func load(_ plugin: PreparedPlugin) throws(PluginError) -> OpenedPlugin {
    if let loaded = state.withLock({ $0.loaded[plugin.generation] }) {
      plugin.discardTemporaryCopies()
      return OpenedPlugin(
        name: loaded.name, path: plugin.path, identity: plugin.identity,
        generation: loaded.generation, copyPath: loaded.copyPath, entry: loaded.entry)
    }
    var sound = plugin
    if !plugin.hasSoundCopies {
      let validated = try open(path: plugin.path, expecting: plugin.name, trust: plugin.trust)
      guard validated.digest == plugin.digests else {
        throw PluginError(.loaded, path: plugin.path, .changedSinceChecked)
      }
      sound = try prepare(validated)
    }
    defer { sound.discardTemporaryCopies() }
    do throws(Rejection) {
      return try state.withLock { state throws(Rejection) in
        try mappings.check(builds: state.loaded.count)
        let loaded = try Self.load(sound)
        state.loaded[plugin.generation] = loaded
        return loaded
      }
    } catch {
      throw PluginError(.loaded, path: plugin.path, error)
    }
  }

  private static func load(
    _ plugin: PreparedPlugin
  ) throws(Rejection) -> OpenedPlugin {
    do throws(LoaderRefusal) {
      return try OpenedPlugin(opening: plugin)
    } catch {
      throw error.cause(of: plugin)
    }
  }
}

/// A plugin whose code is in this process, and of which nothing has run but its initializers.
///
/// It stays loaded until the process ends: closing a Swift library leaves pointers to its
/// metadata behind.
public struct OpenedPlugin: Sendable {
  /// What a plugin's entry is to C: a function without arguments that returns a pointer.
  public typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?

  /// The plugin's name.
  public let name: String
  /// The path that was read.
  public let path: String
  /// The state of the file whose bytes are loaded.
  public let identity: FileIdentity
  /// Which bytes are loaded, as 16 hexadecimal digits: equal for equal files, whatever their path.
  public let generation: String
  /// The private copy that the loader was given.
  public let copyPath: String
  /// The plugin's entry, which nothing has called.
  public let entry: Entry
}
