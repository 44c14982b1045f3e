/// The limits on a manifest's size; exceeding one is a problem that names it.
///
/// Without them a small file could cost minutes: libyaml takes time quadratic in the nesting, and
/// aliases can expand to any number of values.
public struct ManifestLimits: Hashable, Sendable {
  /// The largest file, in bytes.
  public var bytes = 32 << 20
  /// The deepest nesting of lists and maps.
  public var nesting = 128
  /// The largest number of aliases in one file.
  public var aliases = 10_000
  /// The largest number of values that the aliases of one file expand to.
  public var expansion = 100_000
  /// The largest number of pairs of node and action that the routes expand to: `from` and `action`
  /// may both be lists.
  public var pairs = 1_000_000
  /// The deepest nesting of includes.
  public var includes = 16

  /// Creates the default limits, which suit every manifest that a person writes.
  public init() {}
}
