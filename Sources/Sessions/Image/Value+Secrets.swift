@_spi(Host) package import AppCore
internal import Navigation

extension Value {
  /// The mark by which `dump` replaces each secret.
  private static let mark = Value.string("<secret>")

  /// A copy with a placeholder for each secret text that is not empty, and `null` for other secrets.
  ///
  /// `shown` is the same value as users see it, with a mark for each secret. The result is `nil` if
  /// the secrets can't be told from the rest.
  package func withoutSecrets(shownAs shown: Value, placeholder: String = "") -> Value? {
    if self == shown { return self }
    if shown == Self.mark {
      guard case .string(let text) = self else { return .null }
      // Screens show that a secret is empty, too.
      return text.isEmpty ? self : .string(placeholder)
    }
    switch (self, shown) {
    case (.array(let own), .array(let others)) where own.count == others.count:
      let copies = zip(own, others).map {
        $0.withoutSecrets(shownAs: $1, placeholder: placeholder)
      }
      return copies.contains(nil) ? nil : .array(copies.compactMap(\.self))
    case (.object(let own), .object(let others))
    where own.count == others.count && own.keys.allSatisfy { others[$0] != nil }:
      var copy: [String: Value] = [:]
      for (name, value) in own {
        guard
          let field = others[name].flatMap({
            value.withoutSecrets(shownAs: $0, placeholder: placeholder)
          })
        else { return nil }
        copy[name] = field
      }
      return .object(copy)
    case (.object(var own), _):
      // A shared value is shown without its key and edition.
      guard own["edition"] != nil,
        let value = own["value"]?.withoutSecrets(shownAs: shown, placeholder: placeholder)
      else { return nil }
      own["value"] = value
      return .object(own)
    default: return nil
    }
  }
}

extension Schema {
  /// A copy of arguments of this shape, with a placeholder or `null` in place of each secret.
  ///
  /// Values whose shape is not known are left out as well.
  package func withoutSecrets(_ value: Value, placeholder: String = "") -> Value {
    func open(_ schema: Schema, _ value: Value) -> Value {
      schema.withoutSecrets(value, placeholder: placeholder)
    }
    return switch (self, value) {
    case (_, .null): value
    case (.secret, .string): .string(placeholder)
    case (.secret, _), (.opaque, _): .null
    case (.optional(let inner), _): open(inner, value)
    case (.array(let inner), .array(let values)): .array(values.map { open(inner, $0) })
    case (.dictionary(let inner), .object(let fields)):
      .object(fields.mapValues { open(inner, $0) })
    case (.object(let shapes), .object(let fields)):
      .object(
        fields.reduce(into: [:]) { copy, field in
          let shape = shapes.first { $0.name == field.key }?.schema
          copy[field.key] = shape.map { open($0, field.value) } ?? field.value
        })
    // An enum with a payload that may contain a secret is left out as a whole.
    case (.variant(let cases), _):
      cases.contains { $0.payload?.mayHoldSecret ?? false } ? .null : value
    default: value
    }
  }

  /// The texts in a value of this shape that are secrets or may be, including empty ones.
  package func secretTexts(in value: Value) -> [String] {
    value.secretTexts(shownAs: withoutSecrets(value, placeholder: SecretTexts.mark))
  }
}
