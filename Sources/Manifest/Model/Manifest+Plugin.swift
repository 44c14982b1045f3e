public import Diagnostics

extension Manifest {
  /// A plugin that the manifest asks for.
  public struct Plugin: Sendable {
    /// Where the plugin is to be found.
    public let reference: Reference

    /// The versions that will do.
    public let version: Located<VersionRequirement>?

    /// When to load it; nil if the manifest leaves the choice to the host.
    public let load: Located<Loading>?

    /// The plugin's configuration, without payload.
    public let with: Expression?

    /// The whole entry.
    public let range: SourceRange
  }
}

extension Manifest.Plugin {
  /// How a manifest names a plugin.
  public enum Reference: Hashable, Sendable {
    /// By name: `libName.so` on the plugin path.
    case name(String)

    /// By path: `resolved` relative to the working directory, `written` as in the file.
    case path(resolved: String, written: String)
  }

  /// When a plugin's code is loaded.
  public enum Loading: String, Hashable, Sendable, CaseIterable {
    /// When the first node needs it.
    case lazy

    /// Before the app starts.
    case eager
  }
}
