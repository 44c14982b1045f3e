internal import Glibc
internal import Support

/// Brings a plugin's code into the process.
///
/// The life of a plugin, in this order. Each step can refuse it, with a ``PluginError``:
/// 1. found: ``PluginLocator`` turns a name into a path.
/// 2. read: ``PluginFile`` reads the bytes into memory and checks every value that the dynamic
///    loader would trust. No code runs.
/// 3. validated: ``ValidatedPlugin`` compares the contract and checks the plugin's imports.
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
  private let places: CopyPlaces
  /// The most memory mappings of a process; `nil` if the system does not tell them.
  private let mappingLimit: Int?
  private let loaded = Locked<[String: OpenedPlugin]>([:])

  public convenience init(environment: [String: String]) {
    self.init(environment: environment, mappingLimit: Self.systemMappingLimit)
  }

  init(environment: [String: String], mappingLimit: Int?) {
    self.mappingLimit = mappingLimit
    places = CopyPlaces(environment: environment)
  }

  /// The number of builds of plugins in memory; none is ever unloaded.
  public var mappedBuilds: Int { loaded.withLock { $0.count } }

  /// The number of builds in memory from which the user should be warned.
  public static let manyBuilds = 200

  /// Reads and validates a file; none of its code runs.
  ///
  /// - Throws: a problem of stage `read` or `validated`.
  public func open(
    path: String, expecting name: String? = nil, trust: FileTrust = .all
  ) throws(PluginError) -> ValidatedPlugin {
    try trust.checkFolder(of: path)
    return try ValidatedPlugin(try PluginFile(path: path, trust: trust), expecting: name)
  }

  /// Makes the private copies of a plugin and of the libraries it brings along; none of its code
  /// runs.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/loaded``.
  /// - Complexity: O(*n*), where *n* is the size of the files, which are copied or compared.
  public func prepare(_ plugin: ValidatedPlugin) throws(PluginError) -> PreparedPlugin {
    try prepare(plugin, nil)
  }

  /// The same; with digests, the copies are named by them.
  ///
  /// Then the loader must find exactly what the digests are of. So no other user may be able to put
  /// a library in its way, whatever the plugin's trust allows.
  package func prepare(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?
  ) throws(PluginError) -> PreparedPlugin {
    if digests != nil {
      do throws(Rejection) {
        try Dependencies.checkSearch(at: plugin.dependencies.searched, isGuarding: true)
      } catch {
        guard error.rule == .pluginWritable else {
          throw PluginError(.validated, path: plugin.file.path, error)
        }
        // To accept the folder as it is does not help here.
        throw PluginError(
          .validated, path: plugin.file.path,
          Rejection(
            error.rule,
            error.message + "; the loader searches there for a library of the plugin's",
            remedy: "make the folder writable for its owner alone, or link the plugin's libraries "
              + "with `-soname`"))
      }
    }
    do throws(Rejection) { return try places.prepare(plugin, digests) } catch {
      throw PluginError(.loaded, path: plugin.file.path, error)
    }
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
  ///   ``open(path:expecting:trust:)`` if the plugin has to be read again; `plugin-changed` if its
  ///   bytes have changed.
  /// - Complexity: one `stat` for each copy, besides the time of `dlopen`.
  public func load(_ plugin: PreparedPlugin) throws(PluginError) -> OpenedPlugin {
    if let opened = loaded.withLock({ $0[plugin.loadedKey] }) {
      plugin.discardTemporaryCopies()
      return OpenedPlugin(plugin: plugin, copyPath: opened.copyPath, entry: opened.entry)
    }
    let sound = plugin.hasSoundCopies ? plugin : try reread(plugin, trust: plugin.trust)
    defer { sound.discardTemporaryCopies() }
    do throws(Rejection) {
      return try loaded.withLock { loaded throws(Rejection) in
        try checkMappings(builds: loaded.count)
        let opened = try OpenedPlugin(opening: sound)
        loaded[plugin.loadedKey] = opened
        return opened
      }
    } catch {
      throw PluginError(.loaded, path: plugin.path, error)
    }
  }

  /// Reads a plugin again whose copies or whose file may have changed.
  ///
  /// - Throws: `plugin-changed` if its bytes have changed.
  package func reread(
    _ plugin: PreparedPlugin, trust: FileTrust
  ) throws(PluginError) -> PreparedPlugin {
    let validated = try open(path: plugin.path, expecting: plugin.name, trust: trust)
    let digests = plugin.digests.map { _ in PluginDigests(validated) }
    guard validated.contentID == plugin.contentID, digests == plugin.digests else {
      throw PluginError(
        .loaded, path: plugin.path,
        Rejection(
          .pluginChanged, "the file has changed since the manifest was checked",
          remedy: "start the app again, so that its manifest is checked with the new file"))
    }
    return try prepare(validated, digests)
  }

  /// The number of builds from which the limit of mappings is checked: counting many takes long.
  private static let fewBuilds = 64

  static var systemMappingLimit: Int? {
    let bytes = try? WholeFile.read("/proc/sys/vm/max_map_count")
    return bytes.flatMap { Int(String(decoding: $0.prefix { $0 > 32 }, as: UTF8.self)) }
  }

  /// Throws if less than 1/16 of the mappings is left for another plugin and for the program's own
  /// use.
  ///
  /// At the limit any allocation may fail, which ends a process; each build of a plugin takes a few,
  /// for as long as the process lives.
  ///
  /// - Complexity: O(*n*), where *n* is the number of mappings; O(1) for fewer than 64 builds.
  private func checkMappings(builds: Int) throws(Rejection) {
    guard builds >= Self.fewBuilds, let mappingLimit,
      let mappings = try? WholeFile.read("/proc/self/maps")
    else { return }
    let count = mappings.count { $0 == 0x0a }
    if count > mappingLimit - mappingLimit / 16 {
      throw Rejection(
        .pluginTooManyMappings,
        "the program has \(count) of at most \(mappingLimit) mappings of memory, and a plugin "
          + "needs some")
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

  public let plugin: PreparedPlugin
  /// The private copy that the loader was given.
  public let copyPath: String
  /// The plugin's entry; loading does not call it.
  public let entry: Entry

  public var name: String { plugin.name }
  public var path: String { plugin.path }
}

extension OpenedPlugin {
  /// Opens a plugin's copies with `dlopen`; its initializers run.
  init(
    opening plugin: PreparedPlugin, _ makeRoom: () -> Void = {}
  ) throws(Rejection) {
    let before = LoadedLibraries.mapped
    // Needed libraries are opened first, each by its path: then the loader knows them by name, and
    // does not search. SwiftPM gives libraries no `DT_SONAME`; the copy of a library without one is
    // beside the plugin's copy, where `$ORIGIN` leads to it.
    for library in plugin.systemLibraries { try Self.open(library.path, of: plugin.file) }
    for library in plugin.libraries {
      if library.isKnownByName, LoadedLibraries.shared.has(library) { continue }
      try Self.open(library.copy, of: library)
      LoadedLibraries.shared.insert(library)
    }
    makeRoom()
    let handle = try Self.open(plugin.file.copy, of: plugin.file)
    LoadedLibraries.shared.insert(plugin: plugin.name, handle: handle)
    if !plugin.trust.allowsAll, let path = plugin.unsafeObject(mappedSince: before) {
      throw Rejection(
        .pluginMappedOther,
        "with it the loader has loaded '\(path)', which other users can change",
        remedy: "end the app; then remove '\(path)', or make it and its folder unwritable for "
          + "others")
    }
    guard let address = dlsym(handle, plugin.entrySymbol) else {
      throw Rejection(
        .pluginEntryNotLoaded, "the loader does not find '\(plugin.entrySymbol)'")
    }
    self.init(
      plugin: plugin, copyPath: plugin.file.copy, entry: unsafeBitCast(address, to: Entry.self))
  }

  @discardableResult
  private static func open(
    _ path: String, of file: PreparedPlugin.File
  ) throws(Rejection) -> UnsafeMutableRawPointer {
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      let text = dlerror().map { String(cString: $0) } ?? "no reason given"
      throw .notOpened(file, text)
    }
    return handle
  }
}

// What the dynamic loader refuses, in our words.
extension Rejection {
  static func loader(_ text: String) -> Rejection {
    Rejection(.pluginLoader, "the loader refuses: \(text)")
  }

  static func libraryNotFound(_ library: String) -> Rejection {
    Rejection(
      .pluginLibraryNotFound, "it needs '\(library)', which is not found",
      remedy: "install '\(library)'; if it is beside the plugin, link the plugin with a run path "
        + "of `$ORIGIN`")
  }

  /// Why `dlopen` fails for a plugin's file; it is read again for details that the loader does not
  /// give.
  static func notOpened(_ file: PreparedPlugin.File, _ text: String) -> Rejection {
    guard let original = try? PluginFile(path: file.path),
      let dependencies = try? Dependencies(of: original)
    else { return .loader(text) }
    return notOpened(text, copy: file.copy, original, dependencies)
  }

  /// Parses an error of `dlopen`, if its meaning is known.
  static func notOpened(
    _ text: String, copy: String, _ file: PluginFile, _ dependencies: Dependencies,
    runsNoCode: (String) -> Bool = PrivateFolder.runsNoCode
  ) -> Rejection {
    var text = text
    if let range = text.firstRange(of: copy + ": ") { text.removeSubrange(range) }
    if let range = text.firstRange(of: ": cannot open shared object file"),
      case let library = String(text[..<range.lowerBound]), file.metadata.needed.contains(library)
    {
      return .libraryNotFound(library)
    }
    // The message is the same if memory runs out.
    if text.hasPrefix("failed to map segment"), runsNoCode(copy) {
      return .notExecutable(folder: FilePath.folder(of: copy))
    }
    guard let range = text.firstRange(of: "undefined symbol: ") else { return .loader(text) }
    let first = String(text[range.upperBound...].prefix { !$0.isWhitespace && $0 != "," })
    let symbols = undefinedSymbols(of: file, dependencies, first: first)
    return Rejection(
      .pluginUndefinedSymbols, "it needs \(counted(symbols.count, "symbol")) that nothing defines",
      details: lines(of: symbols))
  }

  /// All undefined symbols of a plugin; the loader names only the first one.
  private static func undefinedSymbols(
    of file: PluginFile, _ dependencies: Dependencies, first: String
  ) -> [String] {
    // The symbols of a library that is not loaded are unknown here.
    for library in file.metadata.needed
    where LoadedLibraries.shared.kind(of: library) == .absent {
      return [first]
    }
    var symbols: Set<String> = [first]
    // Every symbol was checked when the file was read, so a second walk can't fail.
    try? file.elf.forEachSymbol { symbol in
      guard symbols.count < ValidatedPlugin.listedSymbols, symbol.isMissingHere else { return }
      symbols.insert(symbol.string)
    }
    dependencies.removeExports(from: &symbols)
    symbols.insert(first)
    return symbols.sorted()
  }

  /// The first 8 of some mangled symbols, demangled, and the number of the others.
  static func lines(of symbols: [String]) -> [String] {
    let limit = 8
    return symbols.prefix(limit).map { "symbol: \(Demangler.readable($0))" }
      + (symbols.count > limit ? ["and \(counted(symbols.count - limit, "other"))"] : [])
  }
}
