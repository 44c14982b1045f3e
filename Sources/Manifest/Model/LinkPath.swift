public import Diagnostics

/// The shape of a link: segments, then optional parameters, as in `device/{id}?tab={tab}`.
public struct LinkPath: Hashable, Sendable {
  /// One part of a path between slashes.
  public enum Segment: Hashable, Sendable {
    /// Text that must be there, percent-decoded.
    case literal(String)

    /// A value, under the parameter's name.
    case parameter(String)
  }

  /// One `key={parameter}` behind the `?`.
  public struct QueryItem: Hashable, Sendable {
    /// The key in the address, percent-decoded.
    public let key: String

    /// The parameter's name.
    public let parameter: String
  }

  /// The path as written.
  public let text: String

  /// The segments, in order.
  public let segments: [Segment]

  /// The optional parameters, in order.
  public let query: [QueryItem]

  /// The parameters with their places, segments first.
  public let parameters: [Located<String>]

  /// Where the path stands.
  public let range: SourceRange
}
