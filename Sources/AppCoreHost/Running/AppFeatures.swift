internal import AppCheck
@_spi(Host) internal import AppCore
internal import CrashReporting
internal import Diagnostics
internal import Navigation
internal import PluginHost

/// Makes the plugins of one app, and with them the features of its nodes: some as the app begins, and
/// the lazy ones when an instance of a node of theirs is first needed.
///
/// Each plugin is made once. Used on the app's store thread only.
package final class AppFeatures {
  /// Why a lazy plugin can't be loaded, in one line: it becomes the reason of a refused step.
  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  private let graph: Graph
  private var plugins: [String: LoadedApp.Plugin]
  /// The nodes whose features come from each plugin.
  private let nodes: [String: [Int]]

  /// The plugins that are not made, each with the reason.
  private var suspended: [String: String]

  init(_ loaded: LoadedApp, suspended: [String: String] = [:]) {
    let graph = loaded.graph
    self.suspended = suspended
    self.graph = graph
    plugins = Dictionary(
      loaded.plugins.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    nodes = Dictionary(
      grouping: graph.nodes.indices.filter { graph.nodes[$0].feature != nil },
      by: { graph.plugin(of: $0) ?? "" })
  }

  /// The features as the app begins.
  ///
  /// - Throws: ``AppLoadError/plugin(name:reason:)`` where a plugin can't be made.
  func table() throws(AppLoadError) -> FeatureTable {
    var features = [LoadedFeature?](repeating: nil, count: graph.nodes.count)
    var pending: Set<Int> = []
    for (name, plugin) in plugins.sorted(by: { $0.key < $1.key }) {
      guard suspended[name] == nil, !plugin.isLazy || plugin.member.isLoaded else {
        pending.formUnion(nodes[name] ?? [])
        continue
      }
      do {
        for (node, feature) in try make(plugin) { features[node] = feature }
      } catch {
        throw .plugin(name: name, reason: "\(error)")
      }
    }
    return FeatureTable(features, pending: pending) { node in try self.features(neededBy: node) }
  }

  /// Loads and makes the plugin of a node.
  private func features(neededBy node: Int) throws -> [Int: LoadedFeature] {
    guard let name = graph.plugin(of: node), let plugin = plugins[name] else { return [:] }
    if let reason = suspended[name] {
      throw Unavailable(description: "the plugin '\(name)' is suspended: \(reason)")
    }
    do {
      return try make(plugin)
    } catch let problem as PluginError {
      throw Unavailable(
        description: "the plugin '\(name)' can't be loaded: \(problem.summary); "
          + "\(problem.remedy) [\(problem.code)]")
    } catch {
      throw Unavailable(description: "the plugin '\(name)' can't be made: \(error)")
    }
  }

  /// Whether a plugin is suspended.
  func isSuspended(_ plugin: String) -> Bool { suspended[plugin] != nil }

  /// Lets a plugin be made again that was suspended.
  func wake(_ plugin: String) { suspended[plugin] = nil }

  /// The feature of a node, made for this once, whether its plugin is suspended or not.
  func feature(of node: Int) throws -> LoadedFeature? {
    guard let name = graph.plugin(of: node), let plugin = plugins[name] else { return nil }
    return try make(plugin)[node]
  }

  /// Takes another build of a plugin, so that one that is still to be made is made of it.
  func replace(_ plugin: LoadedApp.Plugin) { plugins[plugin.name] = plugin }

  /// Makes a plugin: the features of its nodes.
  func make(_ plugin: LoadedApp.Plugin) throws -> [Int: LoadedFeature] {
    let loaded = try plugin.member.load()
    let made = try PluginStage.making.during(plugin.name) {
      try loaded.instantiate(configuration: plugin.configuration)
    }
    let byName = Dictionary(
      made.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    var features: [Int: LoadedFeature] = [:]
    for node in nodes[plugin.name] ?? [] {
      features[node] = graph.nodes[node].feature.flatMap { byName[$0] }
    }
    return features
  }
}

extension Graph {
  /// The plugin whose feature a node shows; `nil` for a container.
  package func plugin(of node: Int) -> String? {
    guard let feature = nodes[node].feature, let dot = feature.firstIndex(of: ".") else {
      return nil
    }
    return String(feature[..<dot])
  }
}
