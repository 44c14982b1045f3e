// Exported because a host needs the options of an app and the error of loading it.
@_exported public import AppCheck
@_spi(Host) package import AppCore
internal import Manifest
package import Navigation
internal import PluginHost
package import Sessions
package import Shell
internal import Supervision
internal import Support

/// An app whose manifest and plugins have been read and checked; ``App`` runs it.
public struct LoadedApp: Sendable {
  /// A plugin of the app, with its configuration from the manifest.
  package struct Plugin: Sendable {
    package let name: String
    package let member: AppPlugin
    package let configuration: Value
    /// Whether its code is loaded only when it is first needed.
    package let isLazy: Bool
  }

  package let graph: Graph
  /// The plugins, sorted by name.
  package let plugins: [Plugin]
  /// The path of the manifest, as it was given.
  public let path: String
  package let options: AppOptions
  package let report: ManifestReport
  /// The SHA-256 digest of the lock beside the manifest when that was read, for reports of crashes; `nil`
  /// without a lock.
  let lock: String?

  /// The warnings and notes as they are printed; empty if there are none.
  public var remarks: String { report.text }

  /// The names of its plugins, sorted.
  public var pluginNames: [String] { plugins.map(\.name) }

  /// The plugins, sorted by name, each with its version and file; a linked plugin has no file.
  public var pluginSummaries: [(name: String, version: String, path: String?)] {
    plugins.map { ($0.name, $0.member.info.version, $0.member.path) }
  }

  package var name: String { graph.name }

  /// Whether the manifest lets the app be restored after a crash.
  package var isKept: Bool { report.manifest?.keeping?.value != .some(.none) }

  /// Whether the manifest asks for the session to be kept in a file.
  package var isKeptInFile: Bool { report.manifest?.keeping?.value == .disk }
  /// Whether the app is full screen on a terminal, unless the person asks for lines.
  package var isFullScreen: Bool { report.manifest?.display?.value == .fullScreen }

  /// The colors of the app, full screen.
  var theme: Theme { report.manifest?.theme ?? Theme() }

  /// The commands that people may type.
  package var commands: Set<ShellCommand> {
    switch report.commands {
    case .none: ShellCommand.ofControls
    case .user: ShellCommand.ofUsers
    case .all: Set(ShellCommand.all)
    }
  }

  public var title: String { graph.title }

  /// The plugin with a name; `nil` if the app has none.
  package func plugin(_ name: String) -> Plugin? { plugins.first { $0.name == name } }

  /// Whether the code of a plugin is loaded; `nil` if the app has no such plugin.
  ///
  /// A lazy plugin is loaded when it is first needed.
  public func isLoaded(plugin name: String) -> Bool? {
    plugin(name)?.member.isLoaded
  }

  /// Reads a manifest, finds its plugins, checks everything, and loads the plugins.
  ///
  /// Only the plugins that the start node needs are loaded, unless the manifest says `lazy` or
  /// `eager`.
  ///
  /// - Throws: ``AppLoadError`` with every problem.
  public static func load(
    _ path: String, options: AppOptions = AppOptions()
  ) throws(AppLoadError) -> LoadedApp {
    let options = options.namingPlugins
    return try load(ManifestReport(path, options: options), path, options)
  }

  /// Loads an app as ``load(_:options:)`` does, from the text of a manifest.
  ///
  /// Messages name the file at `path`; included files and plugins given by path are found relative
  /// to its folder.
  ///
  /// - Throws: ``AppLoadError`` with every problem.
  public static func load(
    text: String, path: String, options: AppOptions = AppOptions()
  ) throws(AppLoadError) -> LoadedApp {
    let options = options.namingPlugins
    return try load(ManifestReport(text: text, path: path, options: options), path, options)
  }

  private static let lockLimit = 16 << 20

  private static func load(
    _ report: ManifestReport, _ path: String, _ options: AppOptions
  ) throws(AppLoadError) -> LoadedApp {
    guard let graph = report.graph else { throw .problems(report) }
    let lazy = report.lazyPlugins(of: graph)
    var refused: [String: PluginError] = [:]
    let plugins = report.plugins.members.sorted { $0.key < $1.key }.map { name, member in
      if !lazy.contains(name) {
        do throws(PluginError) { _ = try member.load() } catch { refused[name] = error }
      }
      return Plugin(
        name: name, member: member,
        configuration: report.configurations[name]?.resolved(.null) ?? .object([:]),
        isLazy: lazy.contains(name))
    }
    guard refused.isEmpty else { throw .problems(report.refusing(refused)) }
    let lock = FilePath.join(FilePath.folder(of: FilePath.absolute(path)), AppLock.fileName)
    return LoadedApp(
      graph: graph, plugins: plugins, path: path, options: options, report: report,
      lock: (try? WholeFile.read(lock, limit: lockLimit)).map { "\(SHA256($0))" })
  }

  /// A copy of the app that can replace a running one.
  ///
  /// Nodes keep the indexes that they have there, and unchanged plugins are those already loaded.
  func following(_ former: LoadedApp) -> LoadedApp {
    let plugins = plugins.map { plugin -> Plugin in
      guard let other = former.plugin(plugin.name), other.member.hasSameCode(as: plugin.member),
        other.member.info == plugin.member.info
      else { return plugin }
      return Plugin(
        name: plugin.name, member: other.member, configuration: plugin.configuration,
        isLazy: plugin.isLazy)
    }
    return with(graph.following(former.graph), plugins, report)
  }

  func with(_ graph: Graph, _ plugins: [Plugin], _ report: ManifestReport) -> LoadedApp {
    LoadedApp(
      graph: graph, plugins: plugins, path: path, options: options, report: report, lock: lock)
  }
}

extension ManifestReport {
  /// The plugins that are loaded only when they are first needed.
  ///
  /// They are those that the start node does not need, except for the ones that are `eager` in the
  /// manifest, and those that are `lazy` in it.
  func lazyPlugins(of graph: Graph) -> Set<String> {
    let needed = Set(graph.nodesAtStart.compactMap { graph.plugin(of: $0) })
    var lazy = Set(plugins.members.keys).subtracting(needed)
    for (plugin, name) in zip(manifest?.plugins ?? [], plugins.names) {
      guard let name, plugins.members[name] != nil else { continue }
      switch plugin.load?.value {
      case .lazy?: lazy.insert(name)
      case .eager?: lazy.remove(name)
      case nil: break
      }
    }
    return lazy
  }
}

extension AppOptions {
  /// The options with which a fault or a hang names the plugin that is being loaded.
  fileprivate var namingPlugins: AppOptions {
    var options = self
    options.willRunPlugin = { name, files in
      files.map { PluginStage.loading.begin(name, files: $0) } ?? PluginStage.asking.begin(name)
    }
    return options
  }
}

extension LoadedApp {
  /// Creates the header for a recording of the app that began at this time, in seconds since 1970.
  package func recordingHeader(begun: Int) -> RecordingHeader {
    let secrets = givenSecrets
    let bytes = report.sources.files.first?.bytes ?? []
    return RecordingHeader(
      app: name,
      manifest: RecordingHeader.Manifest(
        path: path, digest: bytes.withUnsafeBytes { "\(ContentDigest($0))" },
        // The position of a secret in the text is not known; a variable's default can be one, too.
        text: secrets.isEmpty ? String(decoding: bytes, as: UTF8.self) : ""),
      plugins: plugins.map { plugin in
        SessionIdentity.Plugin(
          name: plugin.name, version: plugin.member.info.version,
          digest: plugin.member.digest ?? "",
          interface: try? Value(json: PluginInterface(plugin.member.info).json))
      },
      variables: variablesWithoutSecrets(secrets),
      nodes: graph.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) },
      secretPlugins: plugins.filter { plugin in
        plugin.member.info.configuration.secretTexts(in: plugin.configuration)
          .contains { !$0.isEmpty }
      }.map(\.name),
      begun: begun)
  }

  /// How the plugins of a recording differ from the app's, a line each, in the recording's order.
  package func compatibility(with header: RecordingHeader) -> [String] {
    header.plugins.map { recorded in
      let name = recorded.name
      guard let member = plugin(name)?.member else {
        return "\(name) \(recorded.version): the app has no such plugin"
      }
      let own = member.info.version
      let lead = "\(name) " + (recorded.version == own ? own : "\(recorded.version) → \(own)")
      if !recorded.digest.isEmpty, recorded.digest == member.digest {
        return lead + ": identical"
      }
      guard let former = recorded.interface.flatMap({ PluginInterface(value: $0) }) else {
        return lead + ": does not fit: its interface is not in the recording"
      }
      let breaks = InterfaceComparison(from: former, to: PluginInterface(member.info)).differences
        .filter { $0.breaks != nil }
      return breaks.isEmpty
        ? lead + ": another build, which fits"
        : lead + ": does not fit: "
          + breaks.prefix(3).map { "\($0.subject) \($0.change)" }.joined(separator: "; ")
    }
  }

  /// Describes the role of a file in the app, which must not be overwritten, such as "the manifest";
  /// `nil` if it has none.
  package func part(at path: String) -> String? {
    let source = report.sources.files.firstIndex { FilePath.areSame($0.path, path) }
    if let source { return source == 0 ? "the manifest" : "a file that the manifest includes" }
    let plugin = plugins.first { plugin in
      plugin.member.path.map { FilePath.areSame($0, path) } ?? false
    }
    return plugin.map { "the plugin '\($0.name)'" }
  }

  /// The values of the manifest's variables, except those that may be part of a secret or contain
  /// one.
  private func variablesWithoutSecrets(_ secrets: Set<String>) -> [String: String] {
    var found: [String: String] = [:]
    for variable in report.manifest?.variables ?? [] {
      guard case .scalar(let scalar)? = variable.value?.kind,
        // A secret may consist of several variables and the text between them.
        scalar.text.isEmpty
          || !secrets.contains(where: { secret in
            secret.contains(scalar.text)
              || (secret.count >= SecretTexts.minimum && scalar.text.contains(secret))
          })
      else { continue }
      found[variable.name.value] = scalar.text
    }
    return found
  }

  /// The values of variables without secrets, and of `$dir` and `$data` where they are used: what
  /// the states of features may be made of.
  package var openVariables: [String: String] {
    let folders = report.manifest?.folders ?? [:]
    return variablesWithoutSecrets(givenSecrets).merging(folders) { first, _ in first }
  }

  /// The texts of all secrets in the manifest, including empty ones.
  package var givenSecrets: Set<String> {
    let inputs = plugins.flatMap { $0.member.info.features }.flatMap(\.inputs)
    var values = plugins.map { ($0.member.info.configuration, $0.configuration) }
    values += graph.nodes.map { ($0.shape, $0.arguments.resolved(.null)) }
    values += targets.map { (graph.nodes[$0.node].shape, $0.arguments.resolved(.null)) }
    for verb in graph.allRoutes.flatMap(\.verbs) {
      guard case .notify(_, let name, let arguments, let others) = verb else { continue }
      for input in inputs where input.name == name {
        guard let payload = input.payload else { continue }
        for template in [arguments] + others.values {
          values.append((payload, template.resolved(.null)))
        }
      }
    }
    return Set(values.flatMap { $0.secretTexts(in: $1) })
  }

  /// All targets in the manifest that pass arguments to a node.
  private var targets: [Target] {
    var targets = [graph.start] + graph.background
    for node in graph.nodes {
      if case .tabs(let tabs) = node.content { targets += tabs }
    }
    targets += graph.links.flatMap(\.steps).map(\.target)
    for verb in graph.allRoutes.flatMap(\.verbs) {
      switch verb {
      case .push(let target, _, _), .present(let target, _), .replace(let target, _),
        .reset(let target):
        targets.append(target)
      case .select, .back, .dismiss, .popTo, .notify, .quit, .ignore: break
      }
    }
    return targets
  }
}
