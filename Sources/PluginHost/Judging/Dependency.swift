/// A library that a plugin brings along: needed, and not loaded by the host itself.
struct Dependency: Sendable {
  /// The name under which it is needed.
  let name: String
  let file: PluginFile
  /// Whether it is found by its place beside the plugin, which is another place beside a copy.
  let isBesidePlugin: Bool
}
