public import Support

extension Manifest {
  /// An address that opens a place in the app.
  public struct Link: Sendable {
    /// The shape of the address.
    public let path: LinkPath

    /// The steps, which begin with an empty app; a bare node has become `push` or `select`.
    public internal(set) var open: [Step]

    /// Whether every step could be read; if not, some uses of the parameters are unknown.
    let isWhole: Bool

    /// The link waits until an instance of this node lives.
    public internal(set) var needs: NodeReference?

    /// The whole link.
    public let range: SourceRange
  }
}

/// The shape of a link: segments, then optional parameters, as in `device/{id}?tab={tab}`.
public struct LinkPath: Hashable, Sendable {
  /// One part of a path between slashes.
  public enum Segment: Hashable, Sendable {
    /// Text that must be there, percent-decoded.
    case literal(String)

    /// A value, under the parameter's name.
    case parameter(String)
  }

  /// One `key={parameter}` after the `?`.
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

  /// The path's place in the file.
  public let range: SourceRange
}
