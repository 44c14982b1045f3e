/// For what a plugin is compiled.
public enum BuildConfiguration: String, CaseIterable, Hashable, Sendable {
  /// Compiled fast, with checks and what a debugger needs.
  case debug
  /// Optimized.
  case release
}
