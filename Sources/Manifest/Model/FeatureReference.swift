public import Diagnostics

/// A feature's full name, `Plugin.Feature`, where a node names it.
public struct FeatureReference: Hashable, Sendable {
  /// The plugin's part of the name.
  public let plugin: String

  /// The feature's part of the name.
  public let feature: String

  /// Where the full name stands.
  public let range: SourceRange

  /// Where the plugin's part stands, in a name without quotes.
  package var pluginRange: SourceRange {
    let column = range.start.column + plugin.unicodeScalars.count
    return SourceRange(
      file: range.file, start: range.start,
      end: SourcePosition(line: range.start.line, column: column))
  }

  /// The full name, `Plugin.Feature`.
  public var name: String { "\(plugin).\(feature)" }
}
