/// Encodes `Encodable` values as ``Value``.
public struct ValueEncoder {
  /// The purpose of an encoding.
  enum Purpose: Sendable {
    /// For another feature or a file: as the types define it.
    case storage
    /// For people: without secrets.
    case people
    /// For another build of the same feature, in this process: with data that a stored form omits.
    case takingOver

    /// The `userInfo` by which types see the purpose while they are encoded or decoded.
    var userInfo: [CodingUserInfoKey: Any] {
      let key: CodingUserInfoKey? =
        switch self {
        case .storage: nil
        case .people: .redaction
        case .takingOver: .takingOver
        }
      return key.map { [$0: true] } ?? [:]
    }
  }
  private var purpose: Purpose

  /// Whether secrets are redacted: a ``Secret`` is encoded as `"<secret>"`.
  public var redactsSecrets: Bool {
    get { purpose == .people }
    set { purpose = newValue ? .people : .storage }
  }

  /// Creates an encoder.
  ///
  /// - Parameter redactsSecrets: whether secrets are redacted, as in everything that people see.
  public init(redactsSecrets: Bool = false) { purpose = redactsSecrets ? .people : .storage }

  init(for purpose: Purpose) { self.purpose = purpose }

  /// Encodes `value`.
  ///
  /// - Throws: what the type's own `encode(to:)` throws, and `EncodingError` for an integer that
  ///   does not fit 64 signed bits.
  public func encode(_ value: some Encodable) throws -> Value {
    let root = EncodingNode(purpose, at: .root)
    try root.encode(value)
    return root.value
  }
}

/// Decodes `Decodable` values from ``Value``.
public struct ValueDecoder {
  private let purpose: ValueEncoder.Purpose

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
