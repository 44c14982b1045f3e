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
    public let parameter: String

    package init(key: String, parameter: String) {
      self.key = key
      self.parameter = parameter
    }
  }

  public let text: String
  public let segments: [Segment]
  /// The optional parameters, in order.
  public let query: [QueryItem]
  /// The parameters with their places, segments first.
  public let parameters: [Located<String>]
  public let range: SourceRange

  package init(
    text: String, segments: [Segment], query: [QueryItem], parameters: [Located<String>],
    range: SourceRange
  ) {
    self.text = text
    self.segments = segments
    self.query = query
    self.parameters = parameters
    self.range = range
  }
}
