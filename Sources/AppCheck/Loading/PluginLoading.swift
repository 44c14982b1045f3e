@_spi(Host) package import AppCore
internal import CrashReporting
package import Diagnostics
internal import Lock
internal import Manifest
package import PluginHost

/// Takes the plugins of one manifest through their lives.
///
/// Up to being scanned, and later to being loaded and registered; where nothing scans they are loaded
/// at once. ``get(name:)`` or ``get(path:)`` for each, then ``finish()``, then ``member(of:)``.
package final class PluginLoading {
  /// A plugin on its way.
  package struct Found {
    package enum State {
      /// Its code is here.
      case loaded(PluginMember)
      /// It is being scanned, or loaded when all were compared with a lock; its place in the answers.
      case scanned(PreparedPlugin, Int)
    }

    package let state: State
    /// The folder of sources that its file was built of.
    package var folder: String?
    /// What to say of a plugin that the lock does not have.
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
  /// Plugins of an app that is held to a lock: they are scanned, or loaded where nothing scans, when
  /// all were compared.
  private var pending: [PreparedPlugin] = []
  private var loaded: [Result<PluginMember, PluginError>] = []
  /// The name that a plugin must have that is given by its path.
  private var expected: String?
  /// The plugins that there are.
  private var names: Set<String> = []
  /// Those that are given by their paths and that the lock does not have, by their places.
  private var newcomers: Set<Int> = []
  /// Whether the lock refuses a plugin: then none is scanned.
  package private(set) var isHeldBack = false

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

  /// Gets a plugin by its path; where that leads to its sources, they are built first.
  package func get(path: String) throws(PluginError) -> Found {
    let found = try locator.locate(path: path)
    try checkForm(of: found)
    let file = try PluginFolder.file(at: found, options: options)
    var plugin = try get(file: file, expecting: expected, isBuilt: file != found)
    if file != found { plugin.folder = found }
    return plugin
  }

  /// Refuses a folder of sources where the lock has a file, before anything is compiled.
  private func checkForm(of path: String) throws(PluginError) {
    guard let held = options.heldLock, let name = PluginFolder.name(at: path),
      let plugin = held.lock.plugins[name], !plugin.isFolder
    else { return }
    isHeldBack = true
    throw PluginError(.found, path: path, .folderForFile(name, held.demand))
  }

  /// Takes note of a plugin that has no file here: it is linked into the program, or a mock.
  func note(_ name: String) { names.insert(name) }

  /// What the file of a plugin is, without running any of its code; of a folder, what is built of it.
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
    let build = AppLock.Build(PluginSeal(plugin), libraries: plugin.libraryNames)
    return (plugin.name, build, isFolder)
  }

  /// One plugin by its path, from being found to being scanned; where its name is known, a lock does not
  /// look for others.
  package func member(
    path: String, expecting name: String? = nil
  ) throws(PluginError) -> PluginMember {
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
        if name == nil, options.heldLock?.lock.plugins[plugin.name] == nil {
          newcomers.insert(place)
        }
      }
      return found
    } catch {
      if lock.isHolding { isHeldBack = true }
      throw error
    }
  }

  private func get(
    file: String, expecting name: String?, _ lock: PluginLock
  ) throws(PluginError) -> Found {
    guard let scanner else {
      let (prepared, remark) = try prepare(file, expecting: name, lock)
      guard options.heldLock == nil else {
        pending.append(prepared)
        return Found(.scanned(prepared, pending.count - 1), remark: remark)
      }
      var member = PluginMember(try Self.register(Self.load(prepared)), path: file)
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

  /// Reads a plugin and makes its copies; where there is a lock, after it was compared.
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

  /// Has a plugin scanned: at once, or when all plugins of the app were compared with its lock.
  ///
  /// - Returns: its place in the answers.
  private func add(_ plugin: PreparedPlugin, to scanner: PluginScanner) -> Int {
    guard options.heldLock != nil else { return scanner.add(plugin) }
    pending.append(plugin)
    return pending.count - 1
  }

  /// Waits for the scans.
  package func finish() {
    // A file that calls itself something else may be in the place of one that was locked.
    let gone = newcomers.isEmpty ? [] : missing
    if !gone.isEmpty { isHeldBack = true }
    guard !isHeldBack else {
      pending.forEach { $0.discardTemporaryCopies() }
      let errors = pending.enumerated().map { place, plugin in
        !gone.isEmpty && newcomers.contains(place)
          ? PluginError(.validated, path: plugin.path, .inPlace(of: gone, options.heldLock?.demand))
          : PluginError(.scanned, path: plugin.path, .heldBack)
      }
      answers = errors.map { .failure($0) }
      loaded = errors.map { .failure($0) }
      return
    }
    guard let scanner else {
      loaded = pending.map { plugin in
        Result { () throws(PluginError) in
          var member = PluginMember(try Self.register(Self.load(plugin)), path: plugin.path)
          member.take(plugin)
          return member
        }
      }
      return
    }
    for plugin in pending { _ = scanner.add(plugin) }
    answers = scanner.finish()
  }

  /// The plugins that the lock has and that there are no files of.
  private var missing: [String] {
    (options.heldLock?.lock.plugins.keys.filter { !names.contains($0) } ?? []).sorted()
  }

  /// What came of a plugin.
  package func member(of found: Found) throws(PluginError) -> PluginMember {
    var member = try member(of: found.state)
    member.folder = found.folder
    return member
  }

  private func member(of state: Found.State) throws(PluginError) -> PluginMember {
    switch state {
    case .loaded(let member): return member
    case .scanned(let plugin, let place):
      guard scanner != nil else { return try loaded[place].get() }
      let bytes = try answers[place].get()
      guard let info = PluginInfo(bytes: bytes[...]) else {
        throw PluginError(
          .scanned, path: plugin.path, .scanOutput("\(bytes.count) bytes that say nothing"))
      }
      var member = PluginMember(info, path: plugin.path) { [trust] () throws(PluginError) in
        try Self.register(Self.load(plugin, trust))
      }
      member.take(plugin)
      return member
    }
  }

  /// Loads what was scanned: a file of which only the times are others is the same file.
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

  /// Calls the plugin's entry and checks what it says of itself.
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
