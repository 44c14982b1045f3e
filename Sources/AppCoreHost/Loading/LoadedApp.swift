// Exported because a host needs the options of an app and the error of loading it.
@_exported public import AppCheck
@_spi(Host) package import AppCore
internal import Manifest
package import Navigation
internal import PluginHost
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

  /// A copy of the app with another build of one of its plugins.
  func replacing(_ plugin: Plugin, in report: ManifestReport, _ graph: Graph) -> LoadedApp {
    with(graph.following(self.graph), plugins.map { $0.name == plugin.name ? plugin : $0 }, report)
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

  private func with(_ graph: Graph, _ plugins: [Plugin], _ report: ManifestReport) -> LoadedApp {
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
