/// Decodes `Decodable` values from ``Value``.
public struct ValueDecoder {
  private let purpose: ValueEncoder.Purpose

  /// Creates a decoder.
  public init() { purpose = .storage }

  /// - Parameter purpose: what the values were encoded for.
  package init(for purpose: ValueEncoder.Purpose) { self.purpose = purpose }

  /// A value of `type` with the content of `value`.
  ///
  /// An integer is accepted as a floating-point number, and a string as an enum case without a
  /// payload; nothing else is converted.
  ///
  /// - Throws: `DecodingError` with the path of the field that does not fit.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try DecodingNode(value, for: purpose, at: .root).decode(type)
  }
}
