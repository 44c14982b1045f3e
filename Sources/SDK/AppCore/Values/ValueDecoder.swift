/// Makes a `Decodable` value of a ``Value``.
public struct ValueDecoder {
  private let takesOver: Bool

  /// Creates a decoder.
  public init() { takesOver = false }

  /// - Parameter takesOver: whether it reads what was encoded for another build of the feature.
  package init(takesOver: Bool) { self.takesOver = takesOver }

  /// A value of `type` with the content of `value`.
  ///
  /// An integer is accepted where a floating-point number is due, and a string where the case of an
  /// enum is due that carries nothing; nothing else is converted.
  ///
  /// - Throws: `DecodingError` with the path of the field that does not fit.
  public func decode<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
    try decode(type, from: .leaf(value))
  }

  /// The same of a tree that an encoder wrote.
  func decode<T: Decodable>(_ type: T.Type, from item: CodingItem) throws -> T {
    try ReadingPlace(takesOver ? .takingOver : .storage, item).read(type)
  }
}
