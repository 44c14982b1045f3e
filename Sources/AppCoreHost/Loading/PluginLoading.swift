internal import AppCoreRuntime
internal import PluginHost

/// Takes one plugin through its life, up to being registered.
struct PluginLoading {
  let locator: PluginLocator
  let options: AppOptions

  /// One loader for the whole process: the same bytes are loaded once.
  private static let loader = PluginLoader(
    contract: hostContract, environment: ProcessVariables.all)

  func member(name: String) throws(PluginProblem) -> PluginMember {
    try member(file: locator.locate(name: name), expecting: name)
  }

  func member(path: String) throws(PluginProblem) -> PluginMember {
    let found = try locator.locate(path: path)
    let file = try PluginFolder.file(at: found, environment: options.environment)
    var member = try member(file: file, expecting: nil)
    if file != found { member.folder = found }
    return member
  }

  private func member(
    file: String, expecting name: String?
  ) throws(PluginProblem) -> PluginMember {
    let judged = try Self.loader.open(path: file, expecting: name)
    var member = try member(judged, file: file)
    member.digest = judged.digest
    return member
  }

  private func member(
    _ judged: JudgedPlugin, file: String
  ) throws(PluginProblem) -> PluginMember {
    guard let info = try scan(judged) else {
      return PluginMember(try Self.register(Self.loader.load(judged)), path: file)
    }
    return PluginMember(info, path: file) { () throws(PluginProblem) in
      guard PluginFile.identity(of: file) == judged.file.identity else {
        throw PluginProblem(.loaded, path: file, .changedSinceChecked)
      }
      return try Self.register(Self.loader.load(judged))
    }
  }

  /// Judges and scans a file, and loads nothing.
  func examine(file: String) throws(PluginProblem) {
    _ = try scan(try Self.loader.open(path: file))
  }

  /// What a scan finds the plugin to be; `nil` where nothing scans.
  private func scan(_ judged: JudgedPlugin) throws(PluginProblem) -> PluginInfo? {
    guard let scanner = options.scanner else { return nil }
    let process = ScanProcess(
      executable: scanner, arguments: [ScannerProgram.command],
      environment: options.environment)
    let cache = ScanCache(environment: options.environment, form: PluginInfo.form)
    let output = try PluginScanner(process: process, cache: cache).scan(judged)
    return try PluginScan.info(output, path: judged.file.path)
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

  /// What the hidden command does: the whole way, in this process, with a word at the end.
  static func scan(_ path: String) throws(PluginProblem) -> String {
    let judged = try loader.open(path: path)
    let loaded = try loader.load(judged)
    do throws(PluginProblem) {
      return PluginScan.report(PluginInfo(try register(loaded)))
    } catch {
      // The host says it in its own words: the plugin ran, and nothing went wrong but this.
      guard case .registration(let why) = error.cause else { throw error }
      return PluginScan.refusal(why)
    }
  }
}

/// What a scan writes, and how it is read.
enum PluginScan {
  private static let mark = "appcore-scan \(PluginInfo.form) "
  private static let refusalMark = "appcore-scan-refused \(PluginInfo.form) "

  static func report(_ info: PluginInfo) -> String {
    "\(mark)" + info.bytes.map { String($0, radix: 16) }.joined(separator: ",") + "\n"
  }

  static func refusal(_ why: String) -> String {
    refusalMark + why.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
  }

  /// What a scan found the plugin to be, where it came to its end and nothing was refused.
  static func info(_ output: [UInt8], path: String) throws(PluginProblem) -> PluginInfo {
    // A plugin may write while it is loaded; only the last line counts.
    let text = String(decoding: output, as: UTF8.self)
    let last = text.split(separator: "\n").last
    if let last, last.hasPrefix(refusalMark) {
      let why = String(last.dropFirst(refusalMark.count))
      throw PluginProblem(.registered, path: path, .registration(why))
    }
    let bytes = last?.dropFirst(mark.count).split(separator: ",").compactMap {
      UInt8($0, radix: 16)
    }
    guard let last, last.hasPrefix(mark), let bytes, let info = PluginInfo(bytes: bytes[...])
    else {
      throw PluginProblem(.scanned, path: path, .scanOutput(String(text.suffix(200))))
    }
    return info
  }
}
