public import Support

extension Manifest {
  /// A plugin that the manifest asks for.
  public struct Plugin: Sendable {
    /// The plugin's name or path.
    public let reference: Reference
    /// The versions that are accepted; `nil` accepts any.
    public internal(set) var version: Located<VersionRequirement>?
    /// When to load it; `nil` if the manifest leaves the choice to the host.
    public internal(set) var load: Located<Loading>?
    /// The plugin's configuration, which can't refer to a payload.
    public internal(set) var with: Expression?
    /// The whole entry.
    public let range: SourceRange
    /// Where `path` and its value are written; `nil` for a plugin that is given by its name.
    package var pathEntry: (key: SourceRange, value: SourceRange)?
  }
}

extension Manifest.Plugin {
  /// How a manifest names a plugin.
  public enum Reference: Hashable, Sendable {
    /// By name: `libName.so` on the plugin path.
    case name(String)
    /// By path: `written` as in the file, `resolved` relative to the working directory, not to the
    /// manifest's folder.
    case path(resolved: String, written: String)
  }

  /// When a plugin's code is loaded.
  public enum Loading: String, Hashable, Sendable, CaseIterable {
    /// When the first node needs it.
    case lazy
    /// Before the app starts.
    case eager
  }
  /// Whether another entry says the same about a plugin.
  func saysTheSame(as other: Self) -> Bool {
    guard version?.value == other.version?.value, load?.value == other.load?.value else {
      return false
    }
    switch (with, other.with) {
    case (nil, nil): return true
    case (let mine?, let others?): return mine.isEqual(to: others)
    default: return false
    }
  }
}

extension Manifest.Plugin.Reference: CustomStringConvertible {
  /// The name, or the resolved path.
  public var description: String {
    switch self {
    case .name(let name): name
    case .path(let path, _): path
    }
  }
}
