internal import Glibc
internal import Support

/// Brings a plugin's code into the process.
///
/// The life of a plugin, in this order. Each step can refuse it, with a ``PluginError``:
/// 1. found: ``PluginLocator`` turns a name into a path.
/// 2. read: ``PluginFile`` reads the bytes into memory and checks every value that the dynamic
///    loader would trust. No code runs.
/// 3. validated: ``PluginValidator`` compares the contract and checks the plugin's imports.
/// 4. scanned: ``PluginScanner`` asks it for its features in a child process, once for each
///    content.
/// 5. loaded: this type opens a copy with `dlopen` and finds the entry.
/// 6. registered: the host calls ``OpenedPlugin/entry`` and reads what it returns.
///
/// Exactly the validated bytes are loaded: they are written to a private copy, named by their
/// digest, which `dlopen` opens. Equal bytes are loaded once, whatever path they came from; other
/// bytes from the same path are loaded in addition.
///
/// Safe to use from several threads; loads happen one after the other.
public final class PluginLoader: Sendable {
  private struct State {
    var loaded: [String: OpenedPlugin] = [:]
  }

  /// Validates the plugins that this loader opens.
  public let validator: PluginValidator
  private let places: CopyPlaces
  private let mappings: MappingLimit
  private let state = Locked(State())

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - sdk: the SDK that this process has loaded.
  ///   - environment: the process's variables; `XDG_CACHE_HOME`, `HOME`, `XDG_RUNTIME_DIR` and
  ///     `TMPDIR` say where copies go.
  public convenience init(sdk: HostSDK = .current, environment: [String: String]) {
    self.init(validator: PluginValidator(sdk: sdk), environment: environment)
  }

  /// Creates a loader with a validator.
  public convenience init(validator: PluginValidator, environment: [String: String]) {
    self.init(validator: validator, environment: environment, mappings: MappingLimit())
  }

  init(validator: PluginValidator, environment: [String: String], mappings: MappingLimit) {
    self.validator = validator
    self.mappings = mappings
    places = CopyPlaces(environment: environment)
  }

  /// The number of builds of plugins in memory; none is ever unloaded.
  public var mappedBuilds: Int { state.withLock { $0.loaded.count } }

  /// The number of builds in memory from which the user should be warned.
  public static let manyBuilds = 200

  /// Reads and validates a file; none of its code runs.
  ///
  /// - Parameters:
  ///   - path: the file, as ``PluginLocator`` found it.
  ///   - name: the plugin's name, if it was asked for by name.
  ///   - trust: whose files are accepted.
  /// - Returns: the plugin, to be passed to ``load(_:)``.
  /// - Throws: a problem of stage `read` or `validated`.
  public func open(
    path: String, expecting name: String? = nil, trust: FileTrust = .all
  ) throws(PluginError) -> ValidatedPlugin {
    try trust.checkFolder(of: path)
    return try validator.validate(try PluginFile(path: path, trust: trust), expecting: name)
  }

  /// Makes the private copies of a plugin and of the libraries it brings along; none of its code
  /// runs.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``.
  /// - Complexity: O(*n*), where *n* is the size of the files, which are copied or compared.
  public func prepare(_ plugin: ValidatedPlugin) throws(PluginError) -> PreparedPlugin {
    try prepare(plugin, seal: nil)
  }

  /// The same of a plugin that is to be sealed: its copies are named by its seal then.
  ///
  /// What the seal says must be what the loader finds. So no other user may be able to put a library in
  /// its way, whatever the plugin's trust allows.
  ///
  /// - Parameters:
  ///   - plugin: the plugin.
  ///   - check: looks at the seal before anything is written.
  /// - Returns: what can be scanned and loaded.
  /// - Throws: what `check` throws, or a problem of stage ``PluginError/Stage/loaded``.
  package func prepareSealed(
    _ plugin: ValidatedPlugin,
    _ check: (ValidatedPlugin, PluginDigests) throws(PluginError) -> Void = { _, _ in }
  ) throws(PluginError) -> PreparedPlugin {
    let seal = PluginDigests(plugin)
    try check(plugin, seal)
    return try prepare(plugin, seal: seal)
  }

  private func prepare(
    _ plugin: ValidatedPlugin, seal: PluginDigests?
  ) throws(PluginError) -> PreparedPlugin {
    if seal != nil {
      do throws(Rejection) {
        try Dependencies.checkSearch(at: plugin.dependencies.searched, isGuarding: true)
      } catch {
        throw PluginError(.validated, path: plugin.file.path, error.ofSealed)
      }
    }
    let copies: PluginCopies
    do throws(Rejection) {
      copies = try places.copies(of: plugin, seal)
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
      span: plugin.file.elf.segments.end, seal: seal)
  }

  /// Loads a plugin; its initializers run.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``.
  /// - Complexity: O(*n*), where *n* is the size of the files, which are copied or compared.
  public func load(_ plugin: ValidatedPlugin) throws(PluginError) -> OpenedPlugin {
    try load(try prepare(plugin))
  }

  /// Loads a plugin whose copies are made; its initializers run.
  ///
  /// If the copies are gone or have changed, the plugin is read and validated again.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``, or one of
  ///   ``open(path:expecting:trust:)`` if the plugin has to be read again; `changedSinceChecked` if
  ///   its bytes have changed.
  /// - Complexity: one `stat` for each copy, besides the time of `dlopen`.
  public func load(_ plugin: PreparedPlugin) throws(PluginError) -> OpenedPlugin {
    if let loaded = state.withLock({ $0.loaded[plugin.loadedKey] }) {
      plugin.discardTemporaryCopies()
      return OpenedPlugin(
        name: loaded.name, path: plugin.path, identity: plugin.identity,
        generation: loaded.generation, copyPath: loaded.copyPath, entry: loaded.entry)
    }
    var sound = plugin
    if !plugin.hasSoundCopies {
      let validated = try open(path: plugin.path, expecting: plugin.name, trust: plugin.trust)
      // The seal, where there is one, is what nobody can find other bytes for.
      let seal = plugin.seal.map { _ in PluginDigests(validated) }
      guard validated.digest == plugin.digests, seal == plugin.seal else {
        throw PluginError(.loaded, path: plugin.path, .changedSinceChecked)
      }
      sound = try prepare(validated, seal: seal)
    }
    defer { sound.discardTemporaryCopies() }
    do throws(Rejection) {
      return try state.withLock { state throws(Rejection) in
        try mappings.check(builds: state.loaded.count)
        let loaded = try Self.load(sound)
        state.loaded[plugin.loadedKey] = loaded
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

/// A plugin whose code is in this process; only its initializers have run.
///
/// It stays loaded until the process ends: closing a Swift library leaves pointers to its
/// metadata behind.
public struct OpenedPlugin: Sendable {
  /// The C type of a plugin's entry: a function without arguments that returns a pointer.
  public typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?

  /// The plugin's name.
  public let name: String
  /// The path that was read.
  public let path: String
  /// The identity of the file at the time it was read.
  public let identity: FileIdentity
  /// The digest of the file as 16 hexadecimal digits: equal for equal files, whatever their path.
  public let generation: String
  /// The private copy that the loader was given.
  public let copyPath: String
  /// The plugin's entry; loading does not call it.
  public let entry: Entry
}
