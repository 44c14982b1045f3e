// What an app is loaded with, and why it was refused: part of what a host deals with.
@_exported public import AppCheck
@_spi(Host) package import AppCore
internal import Diagnostics
internal import Manifest
package import Navigation
internal import PluginHost

/// An app that was read and checked, and not yet run.
public struct LoadedApp: Sendable {
  /// A plugin of the app, with what the manifest says of it.
  package struct Plugin: Sendable {
    package let name: String
    package let member: PluginMember
    package let configuration: Value
    /// Whether its code is loaded when it is first needed, and not before the app begins.
    package let isLazy: Bool
  }

  package let graph: Graph
  /// The plugins, by name.
  package let plugins: [Plugin]
  /// Warnings and notes, as they are printed; empty where there are none.
  public let remarks: String
  /// The path of the manifest, as it was given.
  public let path: String
  package let options: AppOptions
  /// The links, as they are drawn.
  package let links: [GraphDrawing.Link]
  /// The names that the manifest gives.
  package let names: ManifestNames
  /// What it was made of.
  package let report: ManifestReport

  /// The names of its plugins, sorted.
  public var pluginNames: [String] { plugins.map(\.name) }

  /// Its plugins by name, each with its version and its file; `nil` for one that is linked.
  public var pluginSummaries: [(name: String, version: String, path: String?)] {
    plugins.map { ($0.name, $0.member.info.version, $0.member.path) }
  }

  /// The app's name.
  package var name: String { graph.name }

  /// Whether the manifest lets the running app continue after a crash.
  package var isKept: Bool { report.manifest?.keeping?.value != .some(.none) }

  /// Whether the manifest has the running app kept in a file.
  package var isKeptInFile: Bool { report.manifest?.keeping?.value == .disk }

  /// The app's title.
  public var title: String { graph.title }

  /// Whether the code of a plugin is in this process; `nil` where the app has no such plugin.
  ///
  /// A plugin that is loaded when it is first needed is not, until then.
  public func isLoaded(plugin name: String) -> Bool? {
    plugins.first { $0.name == name }?.member.isLoaded
  }

  /// Reads a manifest, gets its plugins, checks everything, and loads the plugins that the start
  /// needs and those that are to be loaded `eager`.
  ///
  /// - Parameters:
  ///   - path: the manifest.
  ///   - options: what it is loaded with.
  /// - Returns: what ``App`` runs.
  /// - Throws: ``AppLoadError`` with every problem.
  public static func load(
    _ path: String, options: AppOptions = AppOptions()
  ) throws(AppLoadError) -> LoadedApp {
    try load(ManifestReport(path, options: options), path, options)
  }

  /// The same with a manifest that is given as text.
  ///
  /// - Parameters:
  ///   - text: the manifest.
  ///   - path: what it is called in messages; what it includes, and plugins given by path, are
  ///     found relative to its folder.
  ///   - options: what it is loaded with.
  /// - Returns: what ``App`` runs.
  /// - Throws: ``AppLoadError`` with every problem.
  public static func load(
    text: String, path: String, options: AppOptions = AppOptions()
  ) throws(AppLoadError) -> LoadedApp {
    try load(ManifestReport(text: text, path: path, options: options), path, options)
  }

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
    return LoadedApp(
      graph: graph, plugins: plugins, remarks: report.text, path: path, options: options,
      links: report.links, names: report.names, report: report)
  }

  /// The app with another build of one of its plugins.
  func replacing(_ plugin: Plugin, in report: ManifestReport, _ graph: Graph) -> LoadedApp {
    with(graph.following(self.graph), plugins.map { $0.name == plugin.name ? plugin : $0 }, report)
  }

  /// The app as it follows one that runs: its nodes have the numbers that they had, and plugins that
  /// are the same builds are those that are loaded.
  func following(_ former: LoadedApp) -> LoadedApp {
    let known = Dictionary(
      former.plugins.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let plugins = plugins.map { plugin -> Plugin in
      guard let other = known[plugin.name], other.member.hasSameCode(as: plugin.member),
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
      graph: graph, plugins: plugins, remarks: remarks, path: path, options: options,
      links: report.links, names: names, report: report)
  }
}

extension ManifestReport {
  /// The plugins whose code need not be loaded before the app begins: those that `start` does not
  /// need, unless the manifest wants them `eager`, and those that it wants `lazy`.
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
