@_spi(Host) package import AppCore
internal import Manifest
package import PluginHost
internal import Supervision
package import Support

/// Finds, validates and scans the plugins of one manifest.
///
/// Call ``get(name:)`` or ``get(path:)`` for each plugin, then ``finish()``, then ``member(of:)``
/// for each result. A scanned plugin's code is loaded when it is needed; without a scanner it is
/// loaded at once.
package final class PluginResolver {
  /// A plugin that was found, and may still be being scanned.
  package struct Found {
    package enum State {
      /// It is loaded in this process.
      case loaded(AppPlugin)
      /// It is prepared, and is being scanned or waits for that; its index in the answers.
      case scanned(PreparedPlugin, Int)
    }

    package let state: State
    /// The folder of sources that its file was built of.
    package var folder: String?
    /// The warning about a plugin that is not in the lock.
    package var remark: Finding?

    package init(_ state: State, remark: Finding? = nil) {
      self.state = state
      self.remark = remark
    }
  }

  private let locator: PluginLocator
  private let options: AppOptions
  private let trust: FileTrust
  private let scanner: PluginScanner?
  private var answers: [Result<[UInt8], PluginError>] = []
  /// With a lock, the plugins that wait until all are compared with it.
  private var pending: [PreparedPlugin] = []
  private var loaded: [Result<AppPlugin, PluginError>] = []
  /// The name that a plugin given by its path must have.
  private var expected: String?
  /// The names of the plugins that were found.
  private var names: Set<String> = []
  /// The indices of plugins that are given by their paths and are not in the lock.
  private var newcomers: Set<Int> = []
  /// Whether the lock refuses a plugin, so that none is scanned.
  package private(set) var isBlockedByLock = false

  /// One loader for the whole process: the same bytes are loaded once.
  package static let loader = PluginLoader(
    environment: ProcessVariables.all)

  package init(locator: PluginLocator, options: AppOptions) {
    self.locator = locator
    self.options = options
    trust = options.allowsWritable ? .all : .guarded
    scanner = options.scanner.map { program in
      PluginScanner(
        process: ScanProcess(
          executable: program, arguments: [ScannerProgram.command],
          environment: options.environment, limits: ScanLimits(time: options.scanLimit)),
        form: PluginInfo.form,
        cache: ScanCache(
          environment: options.environment, form: PluginInfo.form),
        rescans: options.rescans)
    }
  }

  package func get(name: String) throws(PluginError) -> Found {
    try get(file: locator.locate(name: name), expecting: name, isBuilt: false)
  }

  /// Gets a plugin by its path; a folder of sources is built first.
  package func get(path: String) throws(PluginError) -> Found {
    let found = try locator.locate(path: path)
    try checkForm(of: found)
    let file = try PluginFolder.file(at: found, options: options)
    var plugin = try get(file: file, expecting: expected, isBuilt: file != found)
    if file != found { plugin.folder = found }
    return plugin
  }

  /// Refuses a folder of sources if the plugin was locked as a file, before anything is compiled.
  private func checkForm(of path: String) throws(PluginError) {
    guard let held = options.lockEnforcement, let name = PluginFolder.name(at: path),
      let plugin = held.lock.plugins[name], !plugin.isFolder
    else { return }
    isBlockedByLock = true
    throw PluginError(.found, path: path, .folderForFile(name, held.requirement))
  }

  /// Takes note of a plugin without a file: it is linked into the program, or a mock.
  func note(_ name: String) { names.insert(name) }

  /// The digests of a plugin, without running any of its code; a folder of sources is built first.
  func build(
    _ reference: Manifest.Plugin.Reference
  ) throws(PluginError) -> (name: String, build: AppLock.Build, isFolder: Bool) {
    let (file, name, isFolder): (String, String?, Bool)
    switch reference {
    case .name(let given): (file, name, isFolder) = (try locator.locate(name: given), given, false)
    case .path(let path, _):
      let found = try locator.locate(path: path)
      let built = try PluginFolder.file(at: found, options: options)
      (file, name, isFolder) = (built, nil, built != found)
    }
    let plugin = try Self.loader.open(path: file, expecting: name, trust: trust)
    let build = AppLock.Build(PluginDigests(plugin), libraries: plugin.libraryNames)
    return (plugin.name, build, isFolder)
  }

  /// Gets and scans a single plugin; with a name, the lock's other plugins are not missed.
  package func member(
    path: String, expecting name: String? = nil
  ) throws(PluginError) -> AppPlugin {
    if let name { expected = name }
    let found = try get(path: path)
    finish()
    return try member(of: found)
  }

  private func get(
    file: String, expecting name: String?, isBuilt: Bool
  ) throws(PluginError) -> Found {
    let lock = PluginLock(options, isBuilt: isBuilt, isNamed: name != nil)
    do throws(PluginError) {
      let found = try get(file: file, expecting: name, lock)
      if case .scanned(let plugin, let place) = found.state {
        names.insert(plugin.name)
        if name == nil, options.lockEnforcement?.lock.plugins[plugin.name] == nil {
          newcomers.insert(place)
        }
      }
      return found
    } catch {
      if lock.isHolding { isBlockedByLock = true }
      throw error
    }
  }

  private func get(
    file: String, expecting name: String?, _ lock: PluginLock
  ) throws(PluginError) -> Found {
    guard let scanner else {
      let (prepared, remark) = try prepare(file, expecting: name, lock)
      guard options.lockEnforcement == nil else {
        pending.append(prepared)
        return Found(.scanned(prepared, pending.count - 1), remark: remark)
      }
      var member = AppPlugin(try Self.register(Self.load(prepared)), path: file)
      member.take(prepared)
      return Found(.loaded(member), remark: remark)
    }
    try trust.checkFolder(of: file)
    if let known = scanner.known(file, trust: trust, isSealed: lock.isSealing),
      name == nil || name == known.name
    {
      let remark = try lock.check(known)
      return Found(.scanned(known, add(known, to: scanner)), remark: remark)
    }
    let (prepared, remark) = try prepare(file, expecting: name, lock)
    return Found(.scanned(prepared, add(prepared, to: scanner)), remark: remark)
  }

  /// Reads a plugin, compares it with the lock if there is one, and makes its private copies.
  private func prepare(
    _ file: String, expecting name: String?, _ lock: PluginLock
  ) throws(PluginError) -> (PreparedPlugin, Finding?) {
    let validated = try Self.loader.open(path: file, expecting: name, trust: trust)
    guard lock.isSealing else { return (try Self.loader.prepare(validated), nil) }
    var remark: Finding?
    let prepared = try Self.loader.prepareSealed(validated) { plugin, seal throws(PluginError) in
      remark = try lock.check(plugin, seal)
    }
    return (prepared, remark)
  }

  /// Has a plugin scanned: at once, or with a lock when all plugins were compared with it.
  ///
  /// - Returns: its index in the answers.
  private func add(_ plugin: PreparedPlugin, to scanner: PluginScanner) -> Int {
    guard options.lockEnforcement != nil else { return scanner.add(plugin) }
    pending.append(plugin)
    return pending.count - 1
  }

  /// Waits for the scans.
  package func finish() {
    // A plugin of another name may be in the place of one that was locked.
    let gone = newcomers.isEmpty ? [] : missing
    if !gone.isEmpty { isBlockedByLock = true }
    guard !isBlockedByLock else {
      pending.forEach { $0.discardTemporaryCopies() }
      let errors = pending.enumerated().map { place, plugin in
        !gone.isEmpty && newcomers.contains(place)
          ? PluginError(
            .validated, path: plugin.path, .inPlace(of: gone, options.lockEnforcement?.requirement))
          : PluginError(.scanned, path: plugin.path, .heldBack)
      }
      answers = errors.map { .failure($0) }
      loaded = errors.map { .failure($0) }
      return
    }
    guard let scanner else {
      loaded = pending.map { plugin in
        Result { () throws(PluginError) in
          var member = AppPlugin(try Self.register(Self.load(plugin)), path: plugin.path)
          member.take(plugin)
          return member
        }
      }
      return
    }
    for plugin in pending { _ = scanner.add(plugin) }
    answers = scanner.finish()
  }

  /// The names of locked plugins that were not found.
  private var missing: [String] {
    (options.lockEnforcement?.lock.plugins.keys.filter { !names.contains($0) } ?? []).sorted()
  }

  /// The plugin, after its scan.
  package func member(of found: Found) throws(PluginError) -> AppPlugin {
    var member = try member(of: found.state)
    member.folder = found.folder
    return member
  }

  private func member(of state: Found.State) throws(PluginError) -> AppPlugin {
    switch state {
    case .loaded(let member): return member
    case .scanned(let plugin, let place):
      guard scanner != nil else { return try loaded[place].get() }
      let bytes = try answers[place].get()
      guard let info = PluginInfo(bytes: bytes[...]) else {
        throw PluginError(
          .scanned, path: plugin.path, .scanOutput("\(bytes.count) bytes that say nothing"))
      }
      var member = AppPlugin(info, path: plugin.path) { [trust] () throws(PluginError) in
        try Self.register(Self.load(plugin, trust))
      }
      member.take(plugin)
      return member
    }
  }

  /// Loads a plugin that was scanned; its file may have been touched since, but not changed.
  private static func load(
    _ plugin: PreparedPlugin, _ trust: FileTrust
  ) throws(PluginError) -> OpenedPlugin {
    var current = plugin
    if PluginFile.identity(of: plugin.path) != plugin.identity {
      let validated = try loader.open(path: plugin.path, expecting: plugin.name, trust: trust)
      current =
        try plugin.seal == nil
        ? loader.prepare(validated) : loader.prepareSealed(validated)
      guard current.hasSameContent(as: plugin) else {
        throw PluginError(.loaded, path: plugin.path, .changedSinceChecked)
      }
    }
    return try load(current)
  }

  private static func load(_ plugin: PreparedPlugin) throws(PluginError) -> OpenedPlugin {
    try PluginStage.loading.during(plugin.name, files: plugin.copies) {
      () throws(PluginError) in try loader.load(plugin)
    }
  }

  /// Calls the plugin's entry and checks the registration.
  package static func register(_ plugin: OpenedPlugin) throws(PluginError) -> LoadedPlugin {
    func refuse(_ why: String) -> PluginError {
      .notRegistered(plugin.path, why)
    }
    guard let exported = PluginStage.asking.during(plugin.name, { plugin.entry() }) else {
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
}
