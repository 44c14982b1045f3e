import Testing

@testable import AppCore

@Suite("SchemaProbe")
struct SchemaProbeTests {
  struct Scalars: Codable {
    var flag: Bool
    var text: String
    var count: Int
    var small: UInt8
    var ratio: Double
    var height: Float
    var anything: Value
  }

  struct Renamed: Codable {
    var first: Int
    var second: String?
    enum CodingKeys: String, CodingKey {
      case first = "1st"
      case second = "2nd"
    }
  }

  struct Nested: Codable {
    var list: [Renamed]
    var table: [String: [Int]]
    var numbered: [Int: Bool]
    var flags: [Bool: Int]
    var unique: Set<String>
    var pair: Renamed?
    var deep: [[Int?]]
  }

  enum Color: String, Codable { case red = "r", green }
  enum Plain: Codable { case one, two }
  enum Level: Int, Codable { case low = 1, high }
  enum Share: Double, Codable { case half = 0.5 }
  enum Shape: Codable {
    case point
    case circle(Double)
    case box(width: Int, height: Int)
    case named(name: String)
    case tinted(Color)
  }

  private func field(_ name: String, _ schema: Schema) -> Schema.Field {
    Schema.Field(name: name, schema: schema)
  }

  @Test("A struct has its fields in the order of decoding")
  func structs() {
    #expect(
      SchemaProbe.schema(of: Scalars.self)
        == .object([
          field("flag", .bool), field("text", .string), field("count", .int),
          field("small", .int), field("ratio", .double), field("height", .double),
          field("anything", .any),
        ]))
  }

  @Test("Coding keys give the names, and optionals need not be there")
  func codingKeys() {
    let schema = SchemaProbe.schema(of: Renamed.self)
    #expect(schema == .object([field("1st", .int), field("2nd", .optional(.string))]))
    guard case .object(let fields) = schema else { return }
    #expect(fields.map(\.isRequired) == [true, false])
  }

  @Test("Lists, sets, dictionaries and nested structs are looked into")
  func containers() {
    let renamed = SchemaProbe.schema(of: Renamed.self)
    #expect(
      SchemaProbe.schema(of: Nested.self)
        == .object([
          field("list", .array(renamed)), field("table", .dictionary(.array(.int))),
          field("numbered", .dictionary(.bool)), field("flags", .array(.any)),
          field("unique", .array(.string)), field("pair", .optional(renamed)),
          field("deep", .array(.array(.optional(.int)))),
        ]))
  }

  @Test("An enum without payloads is a choice of what it is coded as")
  func choices() {
    #expect(SchemaProbe.schema(of: Color.self) == .choice(["r", "green"]))
    #expect(SchemaProbe.schema(of: Plain.self) == .choice(["one", "two"]))
  }

  @Test("Every integer is one, the standard library's and others")
  func integers() {
    let types: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, UInt128.self,
    ]
    for type in types { #expect(SchemaProbe.schema(of: type) == .int, "\(type)") }
  }

  @Test("An enum whose raw values are numbers is a number")
  func numericChoices() {
    #expect(SchemaProbe.schema(of: Level.self) == .int)
    #expect(SchemaProbe.schema(of: Share.self) == .double)
  }

  @Test(
    "An enum with payloads is a variant; a single value stands for itself")
  func variants() {
    #expect(
      SchemaProbe.schema(of: Shape.self)
        == .variant([
          CaseSchema(name: "circle", payload: .double),
          CaseSchema(
            name: "box", payload: .object([field("width", .int), field("height", .int)])),
          CaseSchema(name: "named", payload: .object([field("name", .string)])),
          CaseSchema(name: "tinted", payload: .choice(["r", "green"])),
          CaseSchema(name: "point", payload: nil),
        ]))
  }

  @Test("A secret string is known as such, and optional ones too")
  func secrets() {
    struct Login: Codable {
      var password: Secret<String>
      var token: Secret<String>?
      var pin: Secret<Int>
    }
    #expect(
      SchemaProbe.schema(of: Login.self)
        == .object([
          field("password", .secret), field("token", .optional(.secret)), field("pin", .int),
        ]))
  }

  @Test("Decoding agrees with the schema: the type's own coding produces its shape")
  func agreement() throws {
    struct Whole: Codable {
      var color = Color.red
      var plain = Plain.two
      var level = Level.low
      var numbered = [3: true]
    }
    guard case .object(let fields) = SchemaProbe.schema(of: Whole.self) else {
      Issue.record("a struct with defaults is an object")
      return
    }
    let value = try ValueEncoder().encode(Whole())
    #expect(
      fields.map(\.schema) == [
        .choice(["r", "green"]), .choice(["one", "two"]), .int,
        .dictionary(.bool),
      ])
    #expect(value == ["color": "r", "plain": "two", "level": 1, "numbered": ["3": true]])
  }
}
