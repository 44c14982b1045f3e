internal import AppCore
internal import Support

/// The secrets that an app has used, to redact copies of them in plain texts.
///
/// A secret that is shorter than ``minimum`` is not searched for: it may be part of any text by
/// chance. It is removed only where its type is `Secret`.
package final class SecretTexts: Sendable {
  /// The length from which a secret is searched for, in characters.
  package static let minimum = 4
  private static let limit = 64
  private static let mark = "<secret>"

  private let texts = Locked<[String]>([])

  package init() {}

  /// Adds secrets; only the latest 64 are kept.
  package func add(_ secrets: some Sequence<String>) {
    let long = secrets.filter { $0.count >= Self.minimum && $0 != Self.mark }
    guard !long.isEmpty else { return }
    texts.withLock { texts in
      for secret in long where !texts.contains(secret) { texts.append(secret) }
      if texts.count > Self.limit { texts.removeFirst(texts.count - Self.limit) }
    }
  }

  private var all: [String] { texts.withLock { $0 } }

  /// The text with each secret replaced by `<secret>`.
  package func redact(_ text: String) -> String {
    let secrets = all
    return secrets.isEmpty ? text : Self.redact(text, secrets)
  }

  /// The value with each secret in its texts and field names replaced by `<secret>`.
  func redact(_ value: Value) -> Value {
    let secrets = all
    return secrets.isEmpty ? value : Self.redact(value, secrets)
  }

  private static func redact(_ text: String, _ secrets: [String]) -> String {
    var text = text
    // Longest first: one secret may be part of another.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count })
    where text.contains(secret) {
      text = text.replacing(secret, with: mark)
    }
    return text
  }

  private static func redact(_ value: Value, _ secrets: [String]) -> Value {
    switch value {
    case .string(let text): .string(redact(text, secrets))
    case .array(let values): .array(values.map { redact($0, secrets) })
    case .object(let fields):
      .object(
        Dictionary(
          fields.map { (redact($0.key, secrets), redact($0.value, secrets)) },
          uniquingKeysWith: { first, _ in first }))
    default: value
    }
  }
}

extension Value {
  /// The texts of this value that are hidden from people.
  ///
  /// - Parameter shown: the same value as it is shown to people.
  /// - Returns: the texts, in any order.
  func secretTexts(shownAs shown: Value) -> [String] {
    if self == shown { return [] }
    switch (self, shown) {
    case (.array(let own), .array(let others)) where own.count == others.count:
      return zip(own, others).flatMap { $0.secretTexts(shownAs: $1) }
    case (.object(let own), .object(let others)):
      return own.flatMap { name, value in
        others[name].map { value.secretTexts(shownAs: $0) } ?? []
      }
    case (.object(let own), _):
      // A shared value is shown without its key and edition.
      return own["value"].map { $0.secretTexts(shownAs: shown) } ?? []
    case (.string(let text), _): return [text]
    default: return []
    }
  }
}
