/// Decodes `Decodable` values from ``Value``.
public struct ValueDecoder {
  private let purpose: ValueEncoder.Purpose

  /// Creates a decoder.
  public init() { purpose = .storage }

  /// Creates a decoder for values that were encoded for `purpose`.
  init(for purpose: ValueEncoder.Purpose) { self.purpose = purpose }

  /// Decodes a value of `type` from `value`.
  ///
  /// An integer is accepted as a floating-point number, and a string as an enum case without a
  /// payload; nothing else is converted.
  ///
  /// - Throws: `DecodingError` with the path of the field that does not fit.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try DecodingNode(value, for: purpose, at: .root).decode(type)
  }
}
