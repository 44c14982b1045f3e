public import Diagnostics

/// The result of loading a manifest.
public struct ManifestResult: Sendable {
  /// The manifest; nil only when the first file could not be read as YAML at all.
  public let manifest: Manifest?

  /// All problems, sorted by position, each once.
  public let problems: [Diagnostic]

  /// The files that were read, for printing problems.
  public let sources: SourceMap

  /// Whether every file could be read.
  ///
  /// If not, an unread file may define or use names, so unknown and unused names were not reported,
  /// and other checks should not report them either.
  public let isComplete: Bool

  /// How many steps the checks took.
  package let steps: Int
}
