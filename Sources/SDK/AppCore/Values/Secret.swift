/// A value that is never shown: not in logs, states, paths, JSON, history or errors.
///
/// It is coded as what it holds, so that it can be an argument and travel over routes. An encoder
/// whose `userInfo` says ``redaction`` gets `"<secret>"` instead: what is encoded for people is
/// encoded that way.
@frozen
public struct Secret<Wrapped: Sendable>: Sendable {
  /// The value itself.
  ///
  /// The caller is responsible for where it goes.
  public let revealed: Wrapped

  /// Wraps `value`.
  public init(_ value: Wrapped) { revealed = value }
}

/// The text written in place of a secret.
package let redactedSecret = "<secret>"

extension Secret {
  /// The key under which an encoder says, by `true`, that secrets are not to be encoded.
  public static var redaction: CodingUserInfoKey? { CodingUserInfoKey.redaction }
}

extension CodingUserInfoKey {
  static let redaction = CodingUserInfoKey(rawValue: "appcore.redactsSecrets")
  /// Says, by `true`, that a state goes over to another build of its feature, in this process.
  static let takingOver = CodingUserInfoKey(rawValue: "appcore.takesOver")
}

extension Secret: Equatable where Wrapped: Equatable {}
extension Secret: Hashable where Wrapped: Hashable {}

extension Secret: Decodable where Wrapped: Decodable {
  /// Decodes what is held.
  ///
  /// - Throws: `DecodingError`, without what could not be decoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self.init(try container.decode(Wrapped.self))
    } catch DecodingError.dataCorrupted(let context) {
      // Its text may quote the value.
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: context.codingPath,
          debugDescription: "the secret is not a valid \(Wrapped.self)"))
    }
  }
}

extension Secret: Encodable where Wrapped: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let redacts = CodingUserInfoKey.redaction.flatMap { encoder.userInfo[$0] as? Bool } ?? false
    if redacts {
      try container.encode(redactedSecret)
    } else {
      do {
        try container.encode(revealed)
      } catch EncodingError.invalidValue(_, let context) {
        // It holds the value, and its text may quote it.
        throw EncodingError.invalidValue(
          redactedSecret,
          .init(
            codingPath: context.codingPath,
            debugDescription: "the secret \(Wrapped.self) can't be encoded"))
      }
    }
  }
}

/// What dumps show by its description alone.
protocol Redacted: CustomDebugStringConvertible {}

extension Secret: Redacted, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { redactedSecret }
  public var debugDescription: String { redactedSecret }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
