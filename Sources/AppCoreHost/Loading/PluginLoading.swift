internal import AppCoreRuntime
internal import PluginHost

/// Takes the plugins of one manifest through their lives.
///
/// Up to being scanned at first, and later to being loaded and registered; where nothing scans they
/// are loaded at once. ``get(name:)`` or ``get(path:)`` for each, then ``finish()``, then ``member(of:)``.
final class PluginLoading {
  /// A plugin on its way.
  enum Found {
    /// Its code is here.
    case loaded(PluginMember)
    /// It is being scanned; its place in the answers, and the folder that it was built of.
    case scanned(PreparedPlugin, place: Int, folder: String?)
  }

  private let locator: PluginLocator
  private let environment: [String: String]
  private let trust: FileTrust
  private let scanner: PluginScanner?
  private var answers: [Result<[UInt8], PluginProblem>] = []

  /// One loader for the whole process: the same bytes are loaded once.
  static let loader = PluginLoader(contract: hostContract, environment: ProcessVariables.all)

  init(locator: PluginLocator, options: AppOptions) {
    self.locator = locator
    environment = options.environment
    trust = options.allowsWritable ? .all : .guarded
    scanner = options.scanner.map { program in
      PluginScanner(
        process: ScanProcess(
          executable: program, arguments: [ScannerProgram.command],
          environment: options.environment, limits: ScanLimits(time: options.scanLimit)),
        form: PluginInfo.form,
        cache: ScanCache(
          environment: options.environment, form: PluginInfo.form, contract: hostContract),
        rescans: options.rescans)
    }
  }

  func get(name: String) throws(PluginProblem) -> Found {
    try get(file: locator.locate(name: name), expecting: name)
  }

  func get(path: String) throws(PluginProblem) -> Found {
    let found = try locator.locate(path: path)
    let file = try PluginFolder.file(at: found, environment: environment)
    return try get(file: file, expecting: nil, folder: file == found ? nil : found)
  }

  /// One plugin alone, scanned; for those that are got one at a time.
  func member(path: String) throws(PluginProblem) -> PluginMember {
    let found = try get(path: path)
    finish()
    return try member(of: found)
  }

  /// Judges and scans a file, and loads nothing unless nothing scans.
  func examine(file: String) throws(PluginProblem) {
    let found = try get(file: file, expecting: nil)
    finish()
    _ = try member(of: found)
  }

  private func get(
    file: String, expecting name: String?, folder: String? = nil
  ) throws(PluginProblem) -> Found {
    guard let scanner else {
      let judged = try Self.loader.open(path: file, expecting: name, trust: trust)
      var member = PluginMember(try Self.register(Self.loader.load(judged)), path: file)
      member.folder = folder
      member.digest = judged.digest
      return .loaded(member)
    }
    try trust.checkFolder(of: file)
    if let known = scanner.known(file, trust: trust), name == nil || name == known.name {
      return .scanned(known, place: scanner.add(known), folder: folder)
    }
    let prepared = try Self.loader.prepare(
      Self.loader.open(path: file, expecting: name, trust: trust))
    return .scanned(prepared, place: scanner.add(prepared), folder: folder)
  }

  /// Waits for the scans.
  func finish() { answers = scanner?.finish() ?? [] }

  /// What came of a plugin.
  func member(of found: Found) throws(PluginProblem) -> PluginMember {
    switch found {
    case .loaded(let member): return member
    case .scanned(let plugin, let place, let folder):
      let bytes = try answers[place].get()
      guard let info = PluginInfo(bytes: bytes[...]) else {
        throw PluginProblem(
          .scanned, path: plugin.path, .scanOutput("\(bytes.count) bytes that say nothing"))
      }
      var member = PluginMember(info, path: plugin.path) { [trust] () throws(PluginProblem) in
        try Self.register(Self.load(plugin, trust))
      }
      member.folder = folder
      member.digest = plugin.contentDigest
      return member
    }
  }

  /// Loads what was scanned: a file of which only the times are others is the same file.
  private static func load(
    _ plugin: PreparedPlugin, _ trust: FileTrust
  ) throws(PluginProblem) -> LoadedPlugin {
    guard PluginFile.identity(of: plugin.path) != plugin.identity else {
      return try loader.load(plugin)
    }
    let now = try loader.prepare(
      loader.open(path: plugin.path, expecting: plugin.name, trust: trust))
    guard now.hasSameContent(as: plugin) else {
      throw PluginProblem(.loaded, path: plugin.path, .changedSinceChecked)
    }
    return try loader.load(now)
  }

  /// Calls the plugin's entry and checks what it says of itself.
  static func register(_ plugin: LoadedPlugin) throws(PluginProblem) -> PluginWitness {
    func refuse(_ why: String) -> PluginProblem {
      PluginProblem(.registered, path: plugin.path, .registration(why))
    }
    guard let exported = plugin.entry() else {
      throw refuse("its entry returned nothing; it must return what 'export' makes")
    }
    let witness = PluginWitness(exported: exported)
    guard witness.name == plugin.name else {
      throw refuse(
        "its entry is named '\(plugin.name)', but it calls itself '\(witness.name)'; "
          + "name the function 'appcore_plugin_\(witness.name)'")
    }
    var seen: Set<String> = []
    for feature in witness.features where !seen.insert(feature.name).inserted {
      throw refuse("it registers the feature '\(feature.name)' twice; give one of them a 'name:'")
    }
    return witness
  }
}
