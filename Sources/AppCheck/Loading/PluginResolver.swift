@_spi(Host) internal import AppCore
internal import Manifest
package import PluginHost
package import Support

/// Finds, builds, validates and scans plugins, and compares them with the app's lock.
///
/// A scanned plugin's code is loaded when it is needed; without a scanner it is loaded at once.
package struct PluginResolver {
  /// What a manifest or a command asks for.
  package enum Request {
    /// A file on the search path.
    case name(String)
    /// A file, or a folder of sources, which is built first; with a name, it must be that plugin.
    case path(String, expecting: String? = nil)
    /// A plugin without a file: it is linked into the program, or a mock.
    case given(String, Result<AppPlugin, PluginError>)

    init(_ reference: Manifest.Plugin.Reference) {
      switch reference {
      case .name(let name): self = .name(name)
      case .path(let path, _): self = .path(path)
      }
    }
  }

  /// A plugin that may be scanned, or has to wait until all are compared with the lock.
  private struct Candidate {
    let plugin: PreparedPlugin
    /// The folder of sources that its file was built of.
    let folder: String?
    let warning: DiagnosticMessage?
  }

  private let locator: PluginLocator
  private let options: AppOptions
  private let trust: FileTrust
  private var lock: LockEnforcement? { options.lockEnforcement }

  /// One loader for the whole process: the same bytes are loaded once.
  package static let loader = PluginLoader(environment: ProcessVariables.all)

  package init(locator: PluginLocator, options: AppOptions) {
    self.locator = locator
    self.options = options
    trust = options.allowsWritable ? .all : .guarded
  }

  /// Resolves a single plugin; with a name, the lock's other plugins are not missed.
  package func resolve(
    path: String, expecting name: String? = nil
  ) throws(PluginError) -> AppPlugin {
    try resolve([.path(path, expecting: name)]).plugins[0].get()
  }

  /// Resolves plugins; several are scanned side by side.
  ///
  /// If the lock refuses one of them, no code of any is run.
  ///
  /// - Returns: the plugin of each request, in the same order, the warnings about plugins that are
  ///   not in the lock, by the index of their requests, and whether the lock refuses a plugin.
  package func resolve(_ requests: [Request]) -> (
    plugins: [Result<AppPlugin, PluginError>], lockWarnings: [Int: DiagnosticMessage],
    isBlockedByLock: Bool
  ) {
    let scanner = scanner()
    var plugins: [Result<AppPlugin, PluginError>?] = []
    var candidates: [(index: Int, Candidate)] = []
    var names: Set<String> = []
    /// The indices of plugins that are given by their paths and are not in the lock.
    var newcomers: Set<Int> = []
    var isBlocked = false
    for (index, request) in requests.enumerated() {
      if case .given(let name, let plugin) = request {
        names.insert(name)
        plugins.append(plugin)
        continue
      }
      do throws(PluginError) {
        let candidate = try candidate(request, scanner, &isBlocked)
        candidates.append((index, candidate))
        names.insert(candidate.plugin.name)
        if case .path(_, nil) = request, lock?.lock.plugins[candidate.plugin.name] == nil {
          newcomers.insert(index)
        }
        plugins.append(nil)
        // With a lock, all plugins are compared before one is scanned.
        if lock == nil { scanner?.add(candidate.plugin) }
      } catch {
        plugins.append(.failure(error))
      }
    }
    // A plugin of another name may be in the place of one that was locked.
    let gone = newcomers.isEmpty ? [] : lock?.missing(among: names) ?? []
    isBlocked = isBlocked || !gone.isEmpty
    if !isBlocked, lock != nil {
      for (_, candidate) in candidates { scanner?.add(candidate.plugin) }
    }
    let answers = isBlocked ? nil : scanner?.finish()
    for (place, (index, candidate)) in candidates.enumerated() {
      plugins[index] = Result { () throws(PluginError) in
        guard !isBlocked else {
          candidate.plugin.discardTemporaryCopies()
          throw blocked(candidate, gone: newcomers.contains(index) ? gone : [])
        }
        return try plugin(candidate, answers?[place])
      }
    }
    let warnings = candidates.compactMap { index, candidate in
      candidate.warning.map { (index, $0) }
    }
    return (
      plugins.compactMap { $0 }, Dictionary(uniqueKeysWithValues: warnings), isBlocked
    )
  }

  private func scanner() -> PluginScanner? {
    options.scanner.map { program in
      var process = ScanProcess(
        executable: program, arguments: [ScanReport.command], environment: options.environment)
      process.time = options.scanLimit
      return PluginScanner(
        process: process, form: PluginInfo.form, cache: cache(), rescans: options.rescans)
    }
  }

  private func cache() -> ScanCache? {
    ScanCache(environment: options.environment, form: PluginInfo.form)
  }

  /// Finds and prepares what is asked for; none of its code runs.
  ///
  /// - Throws: why there is no such plugin; if the lock holds it, `isBlocked` is set.
  private func candidate(
    _ request: Request, _ scanner: PluginScanner?, _ isBlocked: inout Bool
  ) throws(PluginError) -> Candidate {
    let (file, name, folder) = try file(of: request, &isBlocked)
    let lock = lock.flatMap { $0.compares(isBuilt: folder != nil) ? $0 : nil }
    do throws(PluginError) {
      let (plugin, warning) = try prepare(file, expecting: name, lock, scanner)
      return Candidate(plugin: plugin, folder: folder, warning: warning)
    } catch {
      if lock != nil { isBlocked = true }
      throw error
    }
  }

  /// The file of what is asked for, its name if it must have one, and the folder that it is built of.
  private func file(
    of request: Request, _ isBlocked: inout Bool
  ) throws(PluginError) -> (String, name: String?, folder: String?) {
    switch request {
    case .name(let name): return (try locator.locate(name: name), name, nil)
    case .path(let path, let expected):
      let found = try locator.locate(path: path)
      do throws(Rejection) {
        if let lock, let name = PluginFolder.name(at: found) {
          try lock.checkFolder(at: found, ofPlugin: name)
        }
      } catch {
        isBlocked = true
        throw PluginError(.found, path: found, error)
      }
      let built = try PluginFolder.file(at: found, options: options)
      return (built, expected, built == found ? nil : found)
    case .given: preconditionFailure("a plugin without a file can't be prepared")
    }
  }

  /// Reads a plugin, compares it with the lock if there is one, and makes its private copies.
  private func prepare(
    _ file: String, expecting name: String?, _ lock: LockEnforcement?, _ scanner: PluginScanner?
  ) throws(PluginError) -> (PreparedPlugin, DiagnosticMessage?) {
    func compare(
      _ plugin: String, _ digests: PluginDigests?
    ) throws(PluginError) -> DiagnosticMessage? {
      guard let lock, let digests else { return nil }
      do throws(Rejection) {
        return try lock.check(plugin, digests, isNamed: name != nil)
      } catch {
        throw PluginError(.validated, path: file, error)
      }
    }
    let needsDigests = lock != nil || options.lockUse == .write
    if let scanner {
      try trust.checkFolder(of: file)
      if let known = scanner.known(file, trust: trust, hasDigests: needsDigests),
        name == nil || name == known.name
      {
        return (known, try compare(known.name, known.digests))
      }
    }
    let plugin = try Self.loader.open(path: file, expecting: name, trust: trust)
    let digests = needsDigests ? PluginDigests(plugin) : nil
    let warning = try compare(plugin.name, digests)
    return (try Self.loader.prepare(plugin, digests), warning)
  }

  private func blocked(_ candidate: Candidate, gone: [String]) -> PluginError {
    guard let lock, !gone.isEmpty else {
      return PluginError(.scanned, path: candidate.plugin.path, LockEnforcement.blocked)
    }
    return PluginError(.validated, path: candidate.plugin.path, lock.replacement(of: gone))
  }

  /// The plugin, from what it answered when it was scanned; without a scan it is loaded.
  private func plugin(
    _ candidate: Candidate, _ answer: Result<[UInt8], PluginError>?
  ) throws(PluginError) -> AppPlugin {
    let plugin = candidate.plugin
    guard let answer else {
      return AppPlugin(try load(plugin), from: plugin, folder: candidate.folder)
    }
    let bytes = try answer.get()
    guard let info = PluginInfo(bytes: bytes[...]) else {
      throw PluginError(
        .scanned, path: plugin.path, .scanOutput("\(bytes.count) bytes that say nothing"))
    }
    return AppPlugin(info, from: plugin, folder: candidate.folder) { () throws(PluginError) in
      // The file may have been touched since, but not changed.
      let isSame = PluginFile.identity(of: plugin.path) == plugin.identity
      return try load(isSame ? plugin : Self.loader.reread(plugin, trust: trust))
    }
  }

  private func load(_ plugin: PreparedPlugin) throws(PluginError) -> LoadedPlugin {
    let didLoad = options.willRunPlugin?(plugin.name, plugin.copies)
    let opened: OpenedPlugin
    do {
      defer { didLoad?() }
      opened = try Self.loader.load(plugin)
    }
    // Its copies were made anew; otherwise each start from now on would read it again.
    if opened.plugin != plugin { cache()?.keep(opened.plugin) }
    let didRegister = options.willRunPlugin?(plugin.name, nil)
    defer { didRegister?() }
    return try Self.register(opened)
  }

  /// Calls the plugin's entry and checks the registration.
  static func register(_ plugin: OpenedPlugin) throws(PluginError) -> LoadedPlugin {
    func refuse(_ why: String) -> PluginError {
      .notRegistered(plugin.path, why)
    }
    guard let exported = plugin.entry() else {
      throw refuse("its entry returned nothing; it must return what 'export' makes")
    }
    let loaded = LoadedPlugin(exported: exported)
    guard loaded.name == plugin.name else {
      throw refuse(
        "its entry is named '\(plugin.name)', but it calls itself '\(loaded.name)'; "
          + "name the function 'appcore_plugin_\(loaded.name)'")
    }
    var seen: Set<String> = []
    for feature in loaded.features where !seen.insert(feature.name).inserted {
      throw refuse("it registers the feature '\(feature.name)' twice; give one of them a 'name:'")
    }
    return loaded
  }

  /// A plugin as a lock has it, without running any of its code, which alone knows its version; a
  /// folder of sources is built first.
  func build(
    of request: Request
  ) throws(PluginError) -> (name: String, plugin: AppLock.Plugin) {
    var isBlocked = false
    let (file, name, folder) = try file(of: request, &isBlocked)
    let plugin = try Self.loader.open(path: file, expecting: name, trust: trust)
    return (
      plugin.name,
      AppLock.Plugin(
        version: "unknown", builds: [.current: PluginDigests(plugin)], isFolder: folder != nil)
    )
  }
}
