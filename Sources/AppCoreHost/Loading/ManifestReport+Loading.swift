internal import AppCheck
internal import Diagnostics
internal import Manifest
internal import Navigation

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
