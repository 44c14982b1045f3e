internal import Manifest
internal import PluginHost
internal import Support

// Compares plugins with other builds on the search path: on another machine, or later, one of them
// may be found first, and it should not have another interface under the same version.
extension PluginSet {
  /// Warns if another build of a plugin has the same version and another interface.
  ///
  /// Compares the files that a search would find without the one that is used, and for a mock the
  /// plugin's file; files that can't be loaded are skipped.
  ///
  /// - Complexity: a scan of each file that was not scanned before.
  func otherBuilds(of manifest: Manifest, _ loading: PluginResolver) -> [Diagnostic] {
    var others: [(plugin: Manifest.Plugin, used: AppPlugin, found: [PluginResolver.Found])] = []
    for (index, plugin) in manifest.plugins.enumerated() {
      guard let member = names[index].flatMap({ members[$0] }) else { continue }
      var seen = Set([member.path.flatMap(FilePath.resolved)])
      let found = candidates[index].filter { path in
        path.hasSuffix(".so") && FilePath.resolved(path).map { seen.insert($0).inserted } ?? false
      }.prefix(Self.otherLimit).compactMap { try? loading.get(path: $0) }
      if !found.isEmpty { others.append((plugin, member, found)) }
    }
    loading.finish()
    return others.compactMap { plugin, used, found in
      let interface = PluginInterface(used.info)
      for found in found {
        guard let other = try? loading.member(of: found), let path = other.path,
          other.info.name == used.info.name, other.info.version == used.info.version
        else { continue }
        let differences = PluginInterface(other.info).differences(from: interface)
        guard !differences.isEmpty else { continue }
        return Diagnostic(.buildsDiffer(interface, other: path, differences), at: plugin.range)
      }
      return nil
    }
  }

  /// The most files of one plugin that are compared; search paths have fewer folders.
  private static let otherLimit = 8
}
