/// Encodes `Encodable` values as ``Value``.
public struct ValueEncoder {
  /// What a value is encoded for.
  package enum Purpose: Sendable {
    /// For another feature or a file: as the types say.
    case storage
    /// For people: without secrets.
    case people
    /// For another build of the same feature, in this process: with what is not part of a stored form.
    case takingOver

    /// What types see of the purpose when they are coded.
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

  /// Whether secrets are left out: a ``Secret`` is encoded as `"<secret>"`.
  public var redactsSecrets: Bool {
    get { purpose == .people }
    set { purpose = newValue ? .people : .storage }
  }

  /// Creates an encoder.
  ///
  /// - Parameter redactsSecrets: whether secrets are left out, as in all that people are shown.
  public init(redactsSecrets: Bool = false) { purpose = redactsSecrets ? .people : .storage }

  package init(for purpose: Purpose) { self.purpose = purpose }

  /// The structural form of `value`.
  ///
  /// - Throws: what the type's own `encode(to:)` throws, and `EncodingError` for an integer that
  ///   does not fit 64 signed bits.
  public func encode(_ value: some Encodable) throws -> Value {
    let root = EncodingNode(purpose, at: .root)
    try root.encode(value)
    return root.value
  }
}
