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
  /// The features of the plugins that are made, by their names.
  private var made: [String: [String: LoadedFeature]] = [:]
  /// The same of builds that are to replace others.
  private var candidates: [String: [String: LoadedFeature]] = [:]

  init(_ loaded: LoadedApp, suspended: [String: String] = [:]) {
    let graph = loaded.graph
    self.suspended = suspended
    self.graph = graph
    plugins = Dictionary(
      loaded.plugins.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    nodes = Dictionary(
      grouping: graph.presentNodes.filter { graph.nodes[$0].feature != nil },
      by: { graph.plugin(of: $0) ?? "" })
  }

  /// Makes the features of a graph that follows another one's.
  ///
  /// Plugins that are what they were stay as they were made, or suspended.
  convenience init(_ loaded: LoadedApp, following former: AppFeatures) {
    self.init(loaded)
    for (name, plugin) in plugins where former.plugins[name]?.isSame(as: plugin) ?? false {
      suspended[name] = former.suspended[name]
      made[name] = former.made[name]
    }
  }

  /// Whether a plugin's features are those of other features, so that their instances continue.
  func shares(_ plugin: String, with other: AppFeatures) -> Bool {
    guard let own = plugins[plugin], let others = other.plugins[plugin] else { return false }
    return own.isSame(as: others)
  }

  /// The plugins that are not made, each with the reason.
  var suspensions: [String: String] { suspended }

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
  func replace(_ plugin: LoadedApp.Plugin) {
    plugins[plugin.name] = plugin
    made[plugin.name] = candidates.removeValue(forKey: plugin.name)
  }

  /// Makes a plugin: the features of its nodes.
  func make(_ plugin: LoadedApp.Plugin) throws -> [Int: LoadedFeature] {
    let byName = try featuresByName(plugin)
    var features: [Int: LoadedFeature] = [:]
    for node in nodes[plugin.name] ?? [] {
      features[node] = graph.nodes[node].feature.flatMap { byName[$0] }
    }
    return features
  }

  private func featuresByName(_ plugin: LoadedApp.Plugin) throws -> [String: LoadedFeature] {
    let isCurrent = plugins[plugin.name]?.isSame(as: plugin) ?? false
    if isCurrent, let known = made[plugin.name] { return known }
    let loaded = try plugin.member.load()
    let instance = try PluginStage.making.during(plugin.name) {
      try loaded.instantiate(configuration: plugin.configuration)
    }
    let byName = Dictionary(
      instance.map { ($0.info.name, $0) }, uniquingKeysWith: { first, _ in first })
    if isCurrent { made[plugin.name] = byName } else { candidates[plugin.name] = byName }
    return byName
  }
}

extension LoadedApp.Plugin {
  /// Whether it is the same build with the same configuration.
  func isSame(as other: LoadedApp.Plugin) -> Bool {
    member.hasSameCode(as: other.member) && member.info == other.member.info
      && configuration == other.configuration
  }
}
