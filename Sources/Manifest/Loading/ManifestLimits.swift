/// The limits on a manifest's size; exceeding one is a problem that names it.
///
/// libyaml takes time quadratic in nesting, and aliases can stand for any number of values, so
/// that a small file could otherwise cost minutes.
public struct ManifestLimits: Hashable, Sendable {
  /// The largest file, in bytes.
  public var bytes = 32 << 20

  /// Levels of lists and maps.
  public var nesting = 128

  /// Aliases in one file.
  public var aliases = 10_000

  /// Values that all aliases of one file stand for.
  public var expansion = 100_000

  /// Pairs of node and action that all routes stand for: lists multiply.
  public var pairs = 1_000_000

  /// Levels of includes.
  public var includes = 16

  /// The limits that suit every manifest a person writes.
  public init() {}
}
