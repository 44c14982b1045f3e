/// A value that is never shown: not in logs, states, paths, JSON, history or errors.
public struct Secret<Wrapped: Sendable>: Sendable {
  /// The value itself.
  ///
  /// Whoever reads it answers for where it goes.
  public let revealed: Wrapped

  /// Wraps `value`.
  public init(_ value: Wrapped) { revealed = value }
}

extension Secret: Equatable where Wrapped: Equatable {}
extension Secret: Hashable where Wrapped: Hashable {}
extension Secret: Decodable where Wrapped: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Wrapped.self))
  }
}
extension Secret: Encodable where Wrapped: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(revealed)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<secret>" }
  public var debugDescription: String { "<secret>" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
