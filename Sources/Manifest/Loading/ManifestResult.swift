public import Diagnostics

/// What came of loading a manifest.
public struct ManifestResult: Sendable {
  /// The manifest; nil only when the first file could not be read as YAML at all.
  public let manifest: Manifest?

  /// All problems, sorted by position, each once.
  public let problems: [Problem]

  /// The files that were read, for printing problems.
  public let sources: SourceMap

  /// Whether every file could be read.
  ///
  /// If not, names may be defined in a file that could not, and
  /// nothing was said about names that are unknown or unused; nor should anybody else.
  public let isComplete: Bool

  /// How many steps the checks took.
  package let steps: Int
}
