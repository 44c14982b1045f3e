import Testing

@testable import AppCore

/// Holds itself with ever other arguments.
private indirect enum Unfolding<Element: Codable>: Codable {
  case end
  case next(Unfolding<[Element]>)
}

@Suite("The limits of SchemaProbe")
struct SchemaProbeLimitTests {
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

  private func field(_ name: String, _ schema: Schema) -> Schema.Field {
    Schema.Field(name: name, schema: schema)
  }

  @Test("A type that refers to itself ends at its name")
  func recursion() {
    #expect(
      SchemaProbe.schema(of: Folder.self)
        == .object([field("name", .string), field("folders", .array(.recursive("Folder")))]))
    #expect(
      SchemaProbe.schema(of: Chain.self)
        == .object([field("next", .optional(.recursive("Chain")))]))
    #expect(
      SchemaProbe.schema(of: Tree.self)
        == .variant([
          CaseSchema(
            name: "node",
            payload: .object([
              field("_0", .recursive("Tree")), field("_1", .recursive("Tree")),
            ])),
          CaseSchema(name: "leaf", payload: nil),
        ]))
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

  @Test("A type that refuses the made-up values midway is opaque: fields may be missing")
  func refusedMidway() {
    #expect(SchemaProbe.schema(of: Tagged.self) == .opaque("Tagged"))
  }

  @Test("A type that refuses the made-up values when it has asked for all fields is known")
  func refusedAtTheEnd() {
    #expect(
      SchemaProbe.schema(of: Checked.self)
        == .object([field("name", .string), field("size", .int)]))
  }

  @Test("A type that is not Decodable is opaque")
  func notDecodable() {
    #expect(SchemaProbe.schema(of: NotDecodable.self) == .opaque("NotDecodable"))
  }
}
