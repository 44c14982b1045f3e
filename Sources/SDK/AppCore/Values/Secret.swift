/// A value that is never shown: not in logs, states, paths, JSON, history or errors.
///
/// It is encoded as the wrapped value, so that it can be an argument and pass through routes. If
/// the encoder's `userInfo` sets ``redaction``, as in everything that is encoded for people, it is
/// encoded as `"<secret>"` instead.
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
let redactedSecret = "<secret>"

extension Secret {
  /// The `userInfo` key that an encoder sets to `true` to redact secrets.
  public static var redaction: CodingUserInfoKey? { CodingUserInfoKey.redaction }
}

extension CodingUserInfoKey {
  static let redaction = CodingUserInfoKey(rawValue: "appcore.redactsSecrets")
  /// `true` if a state is carried over to another build of its feature, in this process.
  static let takingOver = CodingUserInfoKey(rawValue: "appcore.takesOver")
}

extension Secret: Equatable where Wrapped: Equatable {}
extension Secret: Hashable where Wrapped: Hashable {}

extension Secret: Decodable where Wrapped: Decodable {
  /// Decodes the wrapped value.
  ///
  /// - Throws: `DecodingError`, which does not quote the value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self.init(try container.decode(Wrapped.self))
    } catch {
      // An error's text may quote the value, whoever threw it.
      func context(_ path: [any CodingKey], _ text: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path, debugDescription: text)
      }
      switch error as? DecodingError {
      case .typeMismatch(let type, let own):
        throw DecodingError.typeMismatch(
          type, context(own.codingPath, "expected \(type) in the secret"))
      case .valueNotFound(let type, let own):
        throw DecodingError.valueNotFound(
          type, context(own.codingPath, "expected \(type) in the secret, found null"))
      case .keyNotFound(let key, let own):
        throw DecodingError.keyNotFound(
          key, context(own.codingPath, "the secret has no '\(key.stringValue)'"))
      case .dataCorrupted(let own):
        throw DecodingError.dataCorrupted(
          context(own.codingPath, "the secret is not a valid \(Wrapped.self)"))
      default:
        throw DecodingError.dataCorrupted(
          context(decoder.codingPath, "the secret is not a valid \(Wrapped.self)"))
      }
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
      } catch {
        // It may hold the value, and its text may quote it.
        var path = encoder.codingPath
        if case EncodingError.invalidValue(_, let context) = error { path = context.codingPath }
        throw EncodingError.invalidValue(
          redactedSecret,
          .init(
            codingPath: path,
            debugDescription: "the secret \(Wrapped.self) can't be encoded"))
      }
    }
  }
}

/// A type of which dumps show only the description.
protocol Redacted: CustomDebugStringConvertible {}

extension Secret: Redacted, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  public var description: String { redactedSecret }
  public var debugDescription: String { redactedSecret }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
