internal import AppCheck
@_spi(Host) internal import AppCore
internal import Navigation
internal import PluginHost
internal import Supervision
internal import Support

/// Instantiates the plugins of an app, which gives the features of its nodes.
///
/// Most plugins are instantiated when the app begins, lazy ones when an instance of one of their
/// nodes is first needed, and each of them once. Used on the app's store thread only.
package final class FeatureFactory {
  /// Why a lazy plugin can't be used, in one line; the reason of the refused step.
  struct Unavailable: Error, CustomStringConvertible {
    let description: String
  }

  private let loaded: LoadedApp
  /// The nodes of each plugin's features, by the plugin's name.
  private let nodes: [String: [Int]]

  private(set) var suspended: [String: String]
  /// The features of each instantiated plugin, by the names of the plugin and the feature.
  private var made: [String: [String: LoadedFeature]] = [:]

  init(_ loaded: LoadedApp, suspended: [String: String] = [:]) {
    let graph = loaded.graph
    self.suspended = suspended
    self.loaded = loaded
    nodes = Dictionary(
      grouping: graph.presentNodes.filter { graph.nodes[$0].feature != nil },
      by: { graph.plugin(of: $0) ?? "" })
  }

  /// Creates the features of a changed graph.
  ///
  /// Unchanged plugins keep their instances, and stay suspended if they were.
  convenience init(_ loaded: LoadedApp, following former: FeatureFactory) {
    self.init(loaded)
    for name in loaded.pluginNames where shares(name, with: former) {
      suspended[name] = former.suspended[name]
      made[name] = former.made[name]
    }
  }

  /// Whether a plugin is unchanged since `other`, so that its instances continue with their
  /// effects.
  func shares(_ plugin: String, with other: FeatureFactory) -> Bool {
    guard let own = loaded.plugin(plugin), let others = other.loaded.plugin(plugin) else {
      return false
    }
    return own.isSame(as: others)
  }

  /// The table of the features that are needed when the app begins; it adds the others on demand.
  ///
  /// - Throws: ``AppLoadError/plugin(name:reason:)`` if a plugin can't be instantiated.
  func table() throws(AppLoadError) -> FeatureTable {
    var features = [LoadedFeature?](repeating: nil, count: graph.nodes.count)
    var pending: Set<Int> = []
    for plugin in loaded.plugins {
      guard suspended[plugin.name] == nil, !plugin.isLazy || plugin.member.isLoaded else {
        pending.formUnion(nodes[plugin.name] ?? [])
        continue
      }
      do {
        for (node, feature) in try make(plugin) { features[node] = feature }
      } catch {
        throw .plugin(name: plugin.name, reason: "\(error)")
      }
    }
    return FeatureTable(features, pending: pending) { node in try self.features(neededBy: node) }
  }

  /// Loads and instantiates the plugin of a node, and returns the features of all of its nodes.
  private func features(neededBy node: Int) throws -> [Int: LoadedFeature] {
    guard let name = graph.plugin(of: node), let plugin = loaded.plugin(name) else { return [:] }
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

  private var graph: Graph { loaded.graph }

  func wake(_ plugin: String) { suspended[plugin] = nil }

  /// The feature of a node, whether its plugin is suspended or not.
  func feature(of node: Int) throws -> LoadedFeature? {
    guard let plugin = graph.plugin(of: node).flatMap(loaded.plugin) else { return nil }
    return try make(plugin)[node]
  }

  /// The features of a plugin's nodes, by the nodes' indexes; it is loaded and instantiated unless
  /// that has been done.
  private func make(_ plugin: LoadedApp.Plugin) throws -> [Int: LoadedFeature] {
    if made[plugin.name] == nil {
      let loaded = try plugin.member.load()
      let end = PluginStage.making.begin(plugin.name)
      defer { end() }
      let features = try loaded.instantiate(configuration: plugin.configuration)
      made[plugin.name] = Dictionary(
        features.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
    var features: [Int: LoadedFeature] = [:]
    for node in nodes[plugin.name] ?? [] {
      features[node] = graph.nodes[node].feature.flatMap { made[plugin.name]?[$0] }
    }
    return features
  }
}

extension LoadedApp.Plugin {
  func isSame(as other: LoadedApp.Plugin) -> Bool {
    member.hasSameCode(as: other.member) && member.info == other.member.info
      && configuration == other.configuration
  }
}
