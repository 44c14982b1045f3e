import AppCore
import Testing

@Suite("The errors of ValueEncoder and ValueDecoder")
struct ValueCodingErrorTests {
  struct Port: Codable { var number: UInt16 }
  struct Device: Codable { var ports: [Port] }
  struct Site: Codable { var devices: [String: Device] }
  struct Big: Codable { var counts: [UInt64] }

  @Test(
    "What does not fit is reported with its path through objects and lists",
    arguments: [
      (
        ["devices": ["a": ["ports": [["number": 1], ["number": "x"]]]]],
        "devices.a.ports.1.number", "expected UInt16, found a string"
      ),
      (
        ["devices": ["a": ["ports": [["number": 70_000]]]]], "devices.a.ports.0.number",
        "70000 does not fit UInt16"
      ),
      (
        ["devices": ["a": ["ports": [["nmber": 1]]]]], "devices.a.ports.0", "no field 'number'"
      ),
      (["devices": []], "devices", "found a list"),
      (["devices": ["a": ["ports": [:]]]], "devices.a.ports", "found an object"),
    ] as [(Value, String, String)])
  func refused(_ value: Value, path: String, ending: String) throws {
    let error = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode(Site.self, from: value)
    }
    let context = try #require(error.context)
    #expect(context.codingPath.map(\.stringValue).joined(separator: ".") == path)
    #expect(context.debugDescription.hasSuffix(ending))
  }

  @Test("A list that ends early is an error, not a trap")
  func shortList() {
    struct Three: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for _ in 0..<3 { _ = try container.decode(Int.self) }
      }
    }
    #expect(throws: DecodingError.self) { try ValueDecoder().decode(Three.self, from: [1, 2]) }
  }

  @Test("The keys of a path are of the types that the containers have")
  func keyTypes() throws {
    enum Keys: String, CodingKey { case outer = "out", inner }
    struct Nested: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .outer)
        try nested.encode(UInt64.max, forKey: .inner)
      }
    }
    let error = #expect(throws: EncodingError.self) { try ValueEncoder().encode(Nested()) }
    guard case .invalidValue(_, let context) = try #require(error) else { return }
    #expect(context.codingPath.map { $0 as? Keys } == [.outer, .inner])
  }

  @Test("An integer beyond 64 signed bits is refused with its path")
  func encodingOverflow() throws {
    let error = #expect(throws: EncodingError.self) {
      try ValueEncoder().encode(Big(counts: [1, .max]))
    }
    guard case .invalidValue(_, let context) = try #require(error) else { return }
    #expect(context.codingPath.map(\.stringValue) == ["counts", "1"])
    #expect(context.codingPath.map(\.intValue) == [nil, 1])
    #expect(context.debugDescription == "18446744073709551615 does not fit 64 signed bits")
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context), .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
