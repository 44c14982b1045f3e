internal import Diagnostics
internal import Manifest
internal import PluginHost
internal import Support

// Looks for other builds of the plugins: one that is found first on another machine, or tomorrow,
// should not be another plugin under the same version.
extension PluginSet {
  /// Warns of each plugin of which another build has the same version and another interface.
  ///
  /// Looked at are the files that a search would find without the one that is used, and of a mock
  /// the plugin's own file; what can't be loaded is passed over.
  ///
  /// - Complexity: a scan of each file that was not scanned before.
  func otherBuilds(of manifest: Manifest, _ loading: PluginLoading) -> [Diagnostic] {
    var others: [(plugin: Manifest.Plugin, used: PluginMember, found: [PluginLoading.Found])] = []
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

  /// How many other files of one plugin are looked at: people have fewer folders.
  private static let otherLimit = 8
}
