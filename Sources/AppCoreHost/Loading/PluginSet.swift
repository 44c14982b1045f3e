internal import AppCoreRuntime
internal import Manifest
internal import Navigation
internal import PluginHost

/// The plugins of one manifest: found, read, judged, scanned, loaded and registered.
struct PluginSet: Sendable {
  /// A plugin that could be had.
  struct Member: Sendable {
    let witness: PluginWitness
    /// The file; `nil` for a plugin that is linked into this process.
    let path: String?
  }

  /// The name of each of the manifest's plugins, in its order; `nil` where none could be told.
  private(set) var names: [String?] = []
  private(set) var members: [String: Member] = [:]
  private(set) var problems: [String: PluginProblem] = [:]

  /// No plugins.
  init() {}

  /// Gets the manifest's plugins; those that are linked into this process win over files.
  init(_ manifest: Manifest, path: String, options: AppOptions, linked: [PluginWitness]) {
    let linked = Dictionary(linked.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let locator = PluginLocator(
      pluginPath: options.pluginPath, manifestFolder: Self.folder(of: path),
      executableFolder: PluginLocator.executableFolder(), libraryPlugins: SDKLibrary.pluginFolder,
      environment: options.environment)
    let loading = PluginLoading(locator: locator, options: options)
    for plugin in manifest.plugins {
      switch plugin.reference {
      case .name(let name):
        names.append(name)
        if let witness = linked[name] {
          members[name] = Member(witness: witness, path: nil)
        } else {
          add(name: name) { () throws(PluginProblem) in try loading.load(name: name) }
        }
      case .path(let resolved, let written):
        let guess = PluginFolder.name(at: resolved) ?? Self.name(of: written)
        names.append(guess)
        if let witness = linked[guess] {
          members[guess] = Member(witness: witness, path: nil)
        } else {
          add(name: guess) { () throws(PluginProblem) in try loading.load(path: resolved) }
        }
      }
      if let requirement = plugin.version?.value { checkLast(requirement) }
    }
  }

  /// Refuses the plugin that was added last where its version is not one that is asked for.
  private mutating func checkLast(_ requirement: VersionRequirement) {
    guard let name = names.last ?? nil, let member = members[name] else { return }
    let version = member.witness.version
    guard requirement.allows(version) != true else { return }
    members[name] = nil
    problems[name] = PluginProblem(
      .registered, path: member.path ?? name,
      .registration("it is version '\(version)', and the manifest asks for '\(requirement.text)'"))
  }

  /// What the checks know of the plugins.
  var catalog: FeatureCatalog {
    var catalog = FeatureCatalog()
    for (name, member) in members {
      catalog[name] = .available(
        configuration: member.witness.configuration, features: member.witness.features)
    }
    for (name, problem) in problems { catalog[name] = .unavailable(cause: problem.summary) }
    return catalog
  }

  private mutating func add(
    name: String, _ load: () throws(PluginProblem) -> (LoadedPlugin, PluginWitness)
  ) {
    do throws(PluginProblem) {
      let (plugin, witness) = try load()
      members[plugin.name] = Member(witness: witness, path: plugin.path)
      if plugin.name != name { names[names.count - 1] = plugin.name }
    } catch {
      problems[name] = error
    }
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  }

  /// The name that a path to a plugin suggests: `Devices` for `../lib/libDevices.so`.
  private static func name(of path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    if name.hasPrefix("lib"), name.hasSuffix(".so") {
      name = String(name.dropFirst(3).dropLast(3))
    }
    return name
  }
}

extension PluginProblem {
  /// The problem in one line, for a message that has a place of its own.
  ///
  /// What the compiler refuses has a path of its own.
  var summary: String {
    if case .notBuilt(.compiler) = cause { return message }
    return stage == .found ? message : "\(path): \(message)"
  }
}
