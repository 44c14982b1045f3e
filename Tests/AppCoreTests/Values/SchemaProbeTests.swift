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

  struct Folder: Codable {
    var name: String
    var folders: [Folder]
  }

  final class Chain: Codable {
    var next: Chain?
    init(next: Chain?) { self.next = next }
  }

  indirect enum Tree: Codable {
    case leaf
    case node(Tree, Tree)
  }

  /// Its second field depends on the value of the first.
  struct Tagged: Codable {
    var kind: String
    var size: Int
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(String.self, forKey: .kind)
      guard kind == "box" else { throw Refused() }
      size = try container.decode(Int.self, forKey: .size)
    }
  }

  /// Refuses empty names, but only when all is decoded.
  struct Checked: Codable {
    var name: String
    var size: Int
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      size = try container.decode(Int.self, forKey: .size)
      guard !name.isEmpty else { throw Refused() }
    }
  }

  struct Refused: Error {}
  struct NotDecodable {}

  struct Login: Codable {
    var password: Secret<String>
    var token: Secret<String>?
    var pin: Secret<Int>
  }

  private func object(_ fields: KeyValuePairs<String, Schema>) -> Schema {
    .object(fields.map { Schema.Field(name: $0, schema: $1) })
  }

  @Test("The schema of a type is what its own coding asks for")
  func schemas() {
    let renamed = object(["1st": .int, "2nd": .optional(.string)])
    let types: [(type: Any.Type, schema: Schema)] = [
      // A struct has its fields in the order of decoding, under its coding keys.
      (
        Scalars.self,
        object([
          "flag": .bool, "text": .string, "count": .int, "small": .int, "ratio": .double,
          "height": .double, "anything": .any,
        ])
      ),
      (Renamed.self, renamed),
      // Lists, sets, dictionaries and nested structs are looked into.
      (
        Nested.self,
        object([
          "list": .array(renamed), "table": .dictionary(.array(.int)),
          "numbered": .dictionary(.bool), "flags": .array(.any), "unique": .array(.string),
          "pair": .optional(renamed), "deep": .array(.array(.optional(.int))),
        ])
      ),
      // An enum without payloads is a choice of what it is coded as, or a number.
      (Color.self, .choice(["r", "green"])), (Plain.self, .choice(["one", "two"])),
      (Level.self, .int), (Share.self, .double),
      // One with payloads is a variant; a single value stands for itself.
      (
        Shape.self,
        .variant([
          CaseSchema(name: "circle", payload: .double),
          CaseSchema(name: "box", payload: object(["width": .int, "height": .int])),
          CaseSchema(name: "named", payload: object(["name": .string])),
          CaseSchema(name: "tinted", payload: .choice(["r", "green"])),
          CaseSchema(name: "point", payload: nil),
        ])
      ),
      (Login.self, object(["password": .secret, "token": .optional(.secret), "pin": .int])),
      // A type that refers to itself ends at its name.
      (Folder.self, object(["name": .string, "folders": .array(.recursive("Folder"))])),
      (Chain.self, object(["next": .optional(.recursive("Chain"))])),
      (
        Tree.self,
        .variant([
          CaseSchema(
            name: "node", payload: object(["_0": .recursive("Tree"), "_1": .recursive("Tree")])),
          CaseSchema(name: "leaf", payload: nil),
        ])
      ),
      // Refused midway, the made-up values leave fields unknown; refused in the end, they do not.
      (Tagged.self, .opaque("Tagged")), (Checked.self, object(["name": .string, "size": .int])),
      (NotDecodable.self, .opaque("NotDecodable")),
    ]
    for (type, schema) in types { #expect(SchemaProbe.schema(of: type) == schema, "\(type)") }
    guard case .object(let fields) = SchemaProbe.schema(of: Renamed.self) else { return }
    #expect(fields.map(\.isRequired) == [true, false])
  }

  @Test("Every integer is one, the standard library's and others")
  func integers() {
    let types: [Any.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, UInt128.self,
    ]
    for type in types { #expect(SchemaProbe.schema(of: type) == .int, "\(type)") }
  }

  @Test("A type that refers to ever other types ends as well")
  func polymorphicRecursion() {
    guard case .variant(let cases) = SchemaProbe.schema(of: Unfolding<Int>.self) else {
      Issue.record("an enum with payloads is a variant")
      return
    }
    #expect(cases.map(\.name) == ["next", "end"])
  }

  struct Twice<Part: Codable>: Codable {
    var first: Part
    var second: Part
  }

  @Test("Types that use the next one twice each are opaque when there are too many")
  func doubled() {
    typealias Eight<Part: Codable> = Twice<Twice<Twice<Part>>>
    guard case .object = SchemaProbe.schema(of: Eight<Eight<Int>>.self) else {
      Issue.record("128 are not too many")
      return
    }
    guard case .opaque = SchemaProbe.schema(of: Eight<Eight<Eight<Eight<Eight<Int>>>>>.self) else {
      Issue.record("32768 are too many")
      return
    }
  }
}

/// Holds itself with ever other arguments.
private indirect enum Unfolding<Element: Codable>: Codable {
  case end
  case next(Unfolding<[Element]>)
}
