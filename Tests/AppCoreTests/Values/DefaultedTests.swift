import Testing

@testable import AppCore

@Suite("Defaulted arguments")
struct DefaultedTests {
  struct Settings: Codable, Equatable, Defaulted {
    var interval = 5
    var name = "x"
    var limit: Int?
  }

  struct Strict: Codable { var interval = 5 }

  @Test("Their schema has the defaults, and nothing in it is required")
  func schema() {
    #expect(
      Schema.ofArguments(Settings.self)
        == .object([
          .init(name: "interval", schema: .int, defaultValue: 5),
          .init(name: "name", schema: .string, defaultValue: "x"),
          .init(name: "limit", schema: .optional(.int)),
        ]))
  }

  @Test("A given value is kept; a missing or null one is the default")
  func decoding() throws {
    #expect(try decodeArguments(Settings.self, from: nil) == Settings())
    #expect(try decodeArguments(Settings.self, from: [:]) == Settings())
    #expect(
      try decodeArguments(Settings.self, from: ["name": "y", "interval": nil, "limit": 3])
        == Settings(interval: 5, name: "y", limit: 3))
  }

  @Test("Of an enum, the default is used only where nothing is given")
  func enumeration() throws {
    enum Page: Codable, Equatable, Defaulted {
      case list(scroll: Int), detail(name: String)
      init() { self = .list(scroll: 0) }
    }
    #expect(try decodeArguments(Page.self, from: nil) == Page())
    #expect(
      try decodeArguments(Page.self, from: ["detail": ["name": "a"]]) == .detail(name: "a"))
  }

  @Test("Without Defaulted an initial value is not a default")
  func withoutDefaults() {
    #expect(throws: DecodingError.self) { try decodeArguments(Strict.self, from: [:]) }
  }

  @Test("A default is no way around the type")
  func wrongType() {
    #expect(throws: DecodingError.self) {
      try decodeArguments(Settings.self, from: ["interval": "often"])
    }
  }
}
