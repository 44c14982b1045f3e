internal import AppCoreRuntime
internal import PluginHost

/// Takes one plugin through its life, up to being registered.
struct PluginLoading {
  let locator: PluginLocator
  let options: AppOptions

  /// One loader for the whole process: the same bytes are loaded once.
  private static let loader = PluginLoader(
    contract: hostContract, environment: ProcessVariables.all)

  func load(name: String) throws(PluginProblem) -> (LoadedPlugin, PluginWitness) {
    try load(file: locator.locate(name: name), expecting: name)
  }

  func load(path: String) throws(PluginProblem) -> (LoadedPlugin, PluginWitness) {
    let found = try locator.locate(path: path)
    return try load(
      file: PluginFolder.file(at: found, environment: options.environment), expecting: nil)
  }

  private func load(
    file: String, expecting name: String?
  ) throws(PluginProblem) -> (LoadedPlugin, PluginWitness) {
    let judged = try Self.loader.open(path: file, expecting: name)
    try scan(judged)
    return try Self.register(Self.loader.load(judged))
  }

  /// Judges and scans a file, and loads nothing.
  func examine(file: String) throws(PluginProblem) {
    try scan(try Self.loader.open(path: file))
  }

  private func scan(_ judged: JudgedPlugin) throws(PluginProblem) {
    if let scanner = options.scanner {
      let process = ScanProcess(
        executable: scanner, arguments: [ScannerProgram.command],
        environment: options.environment)
      let cache = ScanCache(environment: options.environment, form: PluginScan.form)
      let output = try PluginScanner(process: process, cache: cache).scan(judged)
      try PluginScan.check(output, path: judged.file.path)
    }
  }

  /// Calls the plugin's entry and checks what it says of itself.
  static func register(
    _ plugin: LoadedPlugin
  ) throws(PluginProblem) -> (LoadedPlugin, PluginWitness) {
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
    return (plugin, witness)
  }

  /// What the hidden command does: the whole way, in this process, with a word at the end.
  static func scan(_ path: String) throws(PluginProblem) -> String {
    let judged = try loader.open(path: path)
    let loaded = try loader.load(judged)
    do throws(PluginProblem) {
      let (plugin, witness) = try register(loaded)
      return PluginScan.report(name: plugin.name, featureCount: witness.features.count)
    } catch {
      // The host says it in its own words: the plugin ran, and nothing went wrong but this.
      guard case .registration(let why) = error.cause else { throw error }
      return PluginScan.refusal(why)
    }
  }
}

/// What a scan writes, and how it is read.
enum PluginScan {
  /// Changes with what a scan writes, so that older verdicts are not read.
  static let form = "2"
  private static let mark = "appcore-scan \(form)"
  private static let refusalMark = "appcore-scan-refused \(form) "

  static func report(name: String, featureCount: Int) -> String {
    "\(mark) \(name) \(featureCount)\n"
  }

  static func refusal(_ why: String) -> String {
    refusalMark + why.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }

  /// Checks that a scan came to its end, and that nothing was refused there.
  static func check(_ output: [UInt8], path: String) throws(PluginProblem) {
    // A plugin may write while it is loaded; only the last line counts.
    let text = String(decoding: output, as: UTF8.self)
    let last = text.split(separator: "\n").last
    if let last, last.hasPrefix(refusalMark) {
      let why = String(last.dropFirst(refusalMark.count))
      throw PluginProblem(.registered, path: path, .registration(why))
    }
    guard let last, last.hasPrefix(mark) else {
      throw PluginProblem(.scanned, path: path, .scanOutput(String(text.suffix(200))))
    }
  }
}
