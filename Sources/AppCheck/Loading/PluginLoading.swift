@_spi(Host) package import AppCore
internal import CrashReporting
internal import Diagnostics
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
      /// It is being scanned; its place in the answers.
      case scanned(PreparedPlugin, Int)
    }

    package let state: State
    /// The folder of sources that its file was built of.
    package var folder: String?

    package init(_ state: State) { self.state = state }
  }

  private let locator: PluginLocator
  private let options: AppOptions
  private let trust: FileTrust
  private let scanner: PluginScanner?
  private var answers: [Result<[UInt8], PluginError>] = []

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
    try get(file: locator.locate(name: name), expecting: name)
  }

  /// Gets a plugin by its path; where that leads to its sources, they are built first.
  package func get(path: String) throws(PluginError) -> Found {
    let found = try locator.locate(path: path)
    let file = try PluginFolder.file(at: found, options: options)
    var plugin = try get(file: file, expecting: nil)
    if file != found { plugin.folder = found }
    return plugin
  }

  /// One plugin by its path, from being found to being scanned.
  package func member(path: String) throws(PluginError) -> PluginMember {
    let found = try get(path: path)
    finish()
    return try member(of: found)
  }

  private func get(file: String, expecting name: String?) throws(PluginError) -> Found {
    guard let scanner else {
      let validated = try Self.loader.open(path: file, expecting: name, trust: trust)
      let loaded = try Self.load(Self.loader.prepare(validated))
      var member = PluginMember(try Self.register(loaded), path: file)
      member.digest = validated.digest
      return Found(.loaded(member))
    }
    try trust.checkFolder(of: file)
    if let known = scanner.known(file, trust: trust), name == nil || name == known.name {
      return Found(.scanned(known, scanner.add(known)))
    }
    let prepared = try Self.loader.prepare(
      Self.loader.open(path: file, expecting: name, trust: trust))
    return Found(.scanned(prepared, scanner.add(prepared)))
  }

  /// Waits for the scans.
  package func finish() { answers = scanner?.finish() ?? [] }

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
      let bytes = try answers[place].get()
      guard let info = PluginInfo(bytes: bytes[...]) else {
        throw PluginError(
          .scanned, path: plugin.path, .scanOutput("\(bytes.count) bytes that say nothing"))
      }
      var member = PluginMember(info, path: plugin.path) { [trust] () throws(PluginError) in
        try Self.register(Self.load(plugin, trust))
      }
      member.digest = plugin.digests
      return member
    }
  }

  /// Loads what was scanned: a file of which only the times are others is the same file.
  private static func load(
    _ plugin: PreparedPlugin, _ trust: FileTrust
  ) throws(PluginError) -> OpenedPlugin {
    var current = plugin
    if PluginFile.identity(of: plugin.path) != plugin.identity {
      current = try loader.prepare(
        loader.open(path: plugin.path, expecting: plugin.name, trust: trust))
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
