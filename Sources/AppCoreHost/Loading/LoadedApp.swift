internal import AppCore
public import AppCoreRuntime
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Shell

/// An app that was read and checked, and not yet run.
public struct LoadedApp: Sendable {
  let graph: Graph
  let plugins: [(name: String, witness: PluginWitness, configuration: Value, path: String?)]
  /// Warnings and notes, as they are printed; empty where there are none.
  public let remarks: String
  /// The path of the manifest, as it was given.
  public let path: String
  let options: AppOptions
  /// The links, as they are drawn.
  let links: [GraphDrawing.Link]
  /// The names that the manifest gives.
  let names: ManifestNames

  /// The names of its plugins, sorted.
  public var pluginNames: [String] { plugins.map(\.name) }

  /// Its plugins by name, each with its version and its file; `nil` for one that is linked.
  public var pluginSummaries: [(name: String, version: String, path: String?)] {
    plugins.map { ($0.name, $0.witness.version, $0.path) }
  }

  /// The app's title.
  public var title: String { graph.title }

  /// Reads a manifest, gets its plugins and checks everything.
  ///
  /// - Parameters:
  ///   - path: the manifest.
  ///   - options: what it is loaded with.
  ///   - linked: plugins that are part of this process; they win over files of the same name.
  /// - Returns: what ``App`` runs.
  /// - Throws: ``AppLoadError`` with every problem.
  public static func load(
    _ path: String, options: AppOptions = AppOptions(), linked: [PluginWitness] = []
  ) throws(AppLoadError) -> LoadedApp {
    try load(ManifestReport(path, options: options, linked: linked), path, options)
  }

  /// Checks a manifest that is given as text, and gets its plugins.
  ///
  /// - Parameters:
  ///   - text: the manifest.
  ///   - path: what it is called in messages; what it includes, and plugins given by path, are
  ///     found relative to its folder.
  ///   - options: what it is loaded with.
  ///   - linked: plugins that are part of this process; they win over files of the same name.
  /// - Returns: what ``App`` runs.
  /// - Throws: ``AppLoadError`` with every problem.
  public static func load(
    text: String, path: String, options: AppOptions = AppOptions(), linked: [PluginWitness] = []
  ) throws(AppLoadError) -> LoadedApp {
    try load(
      ManifestReport(text: text, path: path, options: options, linked: linked), path, options)
  }

  private static func load(
    _ report: ManifestReport, _ path: String, _ options: AppOptions
  ) throws(AppLoadError) -> LoadedApp {
    guard let graph = report.graph else { throw .problems(report) }
    let plugins = report.plugins.members.sorted { $0.key < $1.key }.map { name, member in
      (
        name: name, witness: member.witness,
        configuration: report.configurations[name]?.resolved(.null) ?? .object([:]),
        path: member.path
      )
    }
    return LoadedApp(
      graph: graph, plugins: plugins, remarks: report.text, path: path, options: options,
      links: report.links, names: report.names)
  }
}
