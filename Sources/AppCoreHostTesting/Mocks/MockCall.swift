internal import AppCore

/// A delegate or input action of a mock: the case's name and what it carries.
///
/// Coded as features' own actions are: one field, named for the case, with the payload.
struct MockCall: Codable, Hashable, Sendable {
  let name: String
  let payload: Value

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(name: String, payload: Value) {
    self.name = name
    self.payload = payload
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Name.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "an action is one field, its name"))
    }
    name = key.stringValue
    payload = try container.decode(Value.self, forKey: key)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    try container.encode(payload, forKey: Name(stringValue: name))
  }
}
