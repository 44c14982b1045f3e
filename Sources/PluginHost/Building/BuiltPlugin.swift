/// A plugin's library, as it was built from a folder of sources.
public struct BuiltPlugin: Sendable {
  /// The plugin's name.
  public let name: String
  /// The library: `.build/appcore/<configuration>/lib<name>.so` in the folder.
  public let path: String
  /// Whether the compiler ran; otherwise the library was up to date.
  public let didCompile: Bool
  /// What the compiler said, which are warnings; empty where it did not run.
  public let diagnostics: String
  /// The sources, as paths from the folder, sorted.
  public let sources: [String]
}
