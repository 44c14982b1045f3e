@_spi(Host) package import AppCore
package import Navigation
internal import Support

/// The secrets that an app has used, to redact copies of them in plain texts: in recordings, kept
/// sessions, and what commands print.
///
/// They are those of the manifest and of links, what is typed into secret fields, and what the
/// states and actions of features hold as `Secret`.
///
/// A secret that is shorter than ``minimum`` is not searched for: it may be part of any text by
/// chance. It is removed only where its type is `Secret`.
package final class SecretTexts: Sendable {
  /// The length from which a secret is searched for, in characters.
  package static let minimum = 4
  private static let limit = 64
  /// What stands for a secret, as `dump` shows it, too.
  package static let mark = "<secret>"

  private struct Texts {
    var given: Set<String> = []
    /// The latest of the others, oldest first.
    var used: [String] = []
  }

  private let texts = Locked(Texts())

  package init() {}

  /// Creates those that are in the states and arguments of an image.
  package init(of image: SessionImage) {
    let instances = image.moment.instances.values.filter { $0.redaction != nil }
    add(instances.sorted { $0.id < $1.id }.flatMap(\.secretTexts))
  }

  package func add(given secrets: some Sequence<String>) {
    texts.withLock { $0.given.formUnion(secrets.filter(Self.isLong)) }
  }

  /// Adds secrets that the app has used; only the latest 64 are kept.
  ///
  /// A Boolean is not searched for: its word may be part of any text.
  package func add(_ secrets: some Sequence<String>) {
    let long = secrets.filter { Self.isLong($0) && Bool($0) == nil }
    guard !long.isEmpty else { return }
    texts.withLock { texts in
      for secret in long where texts.used.last != secret {
        texts.used.removeAll { $0 == secret }
        texts.used.append(secret)
      }
      if texts.used.count > Self.limit { texts.used.removeFirst(texts.used.count - Self.limit) }
    }
  }

  package func add(of change: ImageChange) {
    add(change.state.wholeInstances.flatMap(\.secretTexts))
  }

  private static func isLong(_ secret: String) -> Bool {
    secret.count >= minimum && secret != mark
  }

  private var all: [String] { texts.withLock { Array($0.given) + $0.used } }

  package func redact(_ text: String) -> String { Self.redact(text, all) }

  /// The value with each secret in its texts and field names replaced by `<secret>`.
  package func redact(_ value: Value) -> Value {
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
  /// `shown` is the same value as it is shown to people.
  package func secretTexts(shownAs shown: Value) -> [String] {
    if isSame(as: shown) { return [] }
    if shown == .string(SecretTexts.mark) || shown == .null { return scalarTexts }
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

  private var scalarTexts: [String] {
    switch self {
    case .string(let text): [text]
    case .bool(let flag): ["\(flag)"]
    case .int(let number): ["\(number)"]
    case .double(let number): ["\(number)"]
    case .array(let values): values.flatMap(\.scalarTexts)
    case .object(let fields): fields.values.flatMap(\.scalarTexts)
    default: []
    }
  }
}

extension LinkPlan {
  package func holdsSecret(in graph: Graph) -> Bool {
    !arguments.allSatisfy { node, arguments in
      graph.nodes[node].shape.withoutSecrets(arguments) == arguments
    }
  }

  package func secretTexts(in graph: Graph) -> [String] {
    arguments.flatMap { node, arguments in
      graph.nodes[node].shape.secretTexts(in: arguments)
    }
  }
}

extension SavedInstance {
  /// The texts in its arguments and state that are secrets.
  fileprivate var secretTexts: [String] {
    guard let redaction else { return [] }
    return arguments.secretTexts(shownAs: redaction.arguments)
      + (state.value?.secretTexts(shownAs: redaction.state ?? .null) ?? [])
  }

  /// A copy for a file: without its secrets, and without copies of any.
  func open(without secrets: SecretTexts) -> SavedInstance {
    var open = withoutSecrets
    open.arguments = secrets.redact(open.arguments)
    switch open.state {
    case .container: break
    case .value(let value): open.state = .value(secrets.redact(value))
    case .notEncodable(let reason): open.state = .notEncodable(reason: secrets.redact(reason))
    case .suspended(let value, let reason, let isWholePlugin):
      open.state = .suspended(
        secrets.redact(value), reason: secrets.redact(reason), isWholePlugin: isWholePlugin)
    }
    return open
  }
}

extension ImageChange {
  /// A copy that may be written to a file on disk: without secrets, and without copies of any.
  ///
  /// A waiting link with a secret is left out.
  func open(without secrets: SecretTexts) -> ImageChange {
    var open = self
    open.state.instances = state.wholeInstances.map { .whole($0.open(without: secrets)) }
    if var conversation = conversation?.withoutSecrets {
      conversation.line = secrets.redact(conversation.line)
      conversation.cursor = min(conversation.cursor, conversation.line.count)
      conversation.sentLine = conversation.sentLine.map(secrets.redact)
      conversation.places = conversation.places?.map {
        SavedConversation.Place(instance: $0.instance, state: secrets.redact($0.state))
      }
      open.conversation = conversation
    }
    if case .some(let link?) = state.waitingLink,
      isWaitingLinkPrivate || secrets.redact(link) != link
    {
      open.state.waitingLink = .some(nil)
    }
    return open
  }
}

extension Value {
  /// A copy with a placeholder for each secret text that is not empty, and `null` for other secrets.
  ///
  /// `shown` is the same value as users see it, with a mark for each secret. The result is `nil` if
  /// the secrets can't be told from the rest.
  package func withoutSecrets(shownAs shown: Value, placeholder: String = "") -> Value? {
    if isSame(as: shown) { return self }
    if shown == .string(SecretTexts.mark) {
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
