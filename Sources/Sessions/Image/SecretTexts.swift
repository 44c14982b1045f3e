package import AppCore
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
  package static let mark = "<secret>"

  private struct Texts {
    var given: Set<String> = []
    /// The latest of the others, oldest first.
    var used: [String] = []
  }

  private let texts = Locked(Texts())

  package init() {}

  /// Creates those that are in the states and arguments of an image.
  package init(of image: SessionImage) { add(of: image.whole) }

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

  package func redact(_ text: String) -> String {
    let secrets = all
    return secrets.isEmpty ? text : Self.redact(text, secrets)
  }

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
    if self == shown { return [] }
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
      + (stateValue?.secretTexts(shownAs: redaction.state ?? .null) ?? [])
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
