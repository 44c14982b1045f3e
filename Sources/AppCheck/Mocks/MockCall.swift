package import AppCore

/// A delegate or input action of a mock: the case's name and payload.
///
/// Encoded like the actions of features: one field, named for the case, with the payload. A log
/// shows the payload only if its secrets are known, so that they can be hidden.
package struct MockCall: Codable, Sendable {
  package let name: String
  package let payload: Value
  /// The payload without its secrets; `nil` if it is not known which parts are secret.
  private let shown: Value?

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(name: String, payload: Value, shown: Value? = nil) {
    self.name = name
    self.payload = payload
    self.shown = shown
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "an action is one field, its name"))
    }
    self.init(name: key.stringValue, payload: try container.decode(Value.self, forKey: key))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(payload, forKey: Name(stringValue: name))
  }
}

extension MockCall: Hashable {
  package static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.payload == right.payload
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(payload)
  }
}

extension MockCall: CustomReflectable {
  package var customMirror: Mirror {
    let text = payload == [:] ? name : "\(name) \(shown?.description ?? "…")"
    return Mirror(self, unlabeledChildren: [text], displayStyle: .struct)
  }
}
