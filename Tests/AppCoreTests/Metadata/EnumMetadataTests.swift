import Testing

@testable import AppCore

@Suite("EnumMetadata and TupleMetadata")
struct EnumMetadataTests {
  enum Empty {}
  enum Single { case only }
  enum SingleLoaded { case only(String) }
  enum Several {
    case none
    case number(Int)
    case labelled(name: String)
    case pair(Int, String)
    case mixed(Int, label: String)
    case all(width: Int, height: Double)
    case other
    case function(@Sendable (Int) -> String)
    case void(Void)
  }
  enum Weightless { case bare, loaded(Nothing) }
  struct Nothing {}
  enum Partly {
    case direct(Int)
    indirect case boxed(Partly)
  }
  indirect enum Wholly { case a(Int), b(Wholly, Wholly), c }
  enum Generic<Element, Other> {
    case one(Element)
    case many([Other])
    case both(Element, Other)
    case neither
    struct Inner {}
    enum Nested { case inside(Element), outside(Other?) }
  }
  struct NoEnum { var a = 1 }
  final class NoEnumEither {}

  @Test("An enum's cases have names and payload types, and come in the compiler's order")
  func cases() {
    let types: [(type: Any.Type, cases: [String]?)] = [
      // Those whose payload takes space come first.
      (
        Several.self,
        [
          "number(Int)", "labelled((name: String))", "pair((Int, String))",
          "mixed((Int, label: String))", "all((width: Int, height: Double))",
          "function(@Sendable (Int) -> String)", "none", "other", "void(())",
        ]
      ),
      (Single.self, ["only"]), (SingleLoaded.self, ["only(String)"]), (Empty.self, []),
      (Never.self, []),
      // One by one or all.
      (Partly.self, ["direct(Int)", "indirect boxed(Partly)"]),
      (Wholly.self, ["indirect a(Int)", "indirect b((Wholly, Wholly))", "c"]),
      // Resolved with the arguments of the type.
      (
        Generic<Int, String>.self,
        ["one(Int)", "many(Array<String>)", "both((Int, String))", "neither"]
      ),
      (
        Generic<[Bool], Single>.Nested.self, ["inside(Array<Bool>)", "outside(Optional<Single>)"]
      ),
      (Int?.self, ["some(Int)", "none"]),
      (Result<Int, any Error>.self, ["success(Int)", "failure(Error)"]),
      // Types that are not enums.
      (NoEnum.self, nil), (NoEnumEither.self, nil), ((Int, Int).self, nil),
      ((() -> Void).self, nil), ((any Error).self, nil), (Int.self, nil),
    ]
    for (type, cases) in types {
      let found = EnumMetadata(type)?.cases.map { entry in
        let payload = entry.payload.map { "(\($0))" } ?? ""
        return (entry.isIndirect ? "indirect " : "") + entry.name + payload
      }
      #expect(found == cases, "\(type)")
    }
  }

  @Test("The tag of a value is the index of its case")
  func tags() throws {
    let metadata = try #require(EnumMetadata(Several.self))
    let values: [Several] = [
      .number(1), .labelled(name: "a"), .pair(1, "b"), .mixed(1, label: "c"),
      .all(width: 1, height: 2), .function { "\($0)" }, .none, .other, .void(()),
    ]
    #expect(values.map { metadata.tag(of: $0) } == Array(values.indices))
    #expect(metadata.tag(named: "other") == 7)
    #expect(metadata.tag(named: "another") == nil)
    let wholly = try #require(EnumMetadata(Wholly.self))
    let trees: [Wholly] = [.a(1), .b(.c, .c), .c]
    #expect(trees.map { wholly.tag(of: $0) } == [0, 1, 2])
    #expect(try #require(EnumMetadata(Int?.self)).tag(of: Int?.none) == 1)
  }

  @Test("A case without a payload can be made from its tag, one with a payload can't")
  func bareValues() throws {
    let metadata = try #require(EnumMetadata(Several.self))
    guard case .other? = metadata.bareValue(Several.self, tag: 7) else {
      Issue.record("tag 7 is 'other'")
      return
    }
    #expect(metadata.bareValue(Several.self, tag: 0) == nil)
    #expect(metadata.bareValue(Several.self, tag: 8) == nil)
    #expect(metadata.bareValue(Several.self, tag: 9) == nil)
    #expect(try #require(EnumMetadata(Single.self)).bareValue(Single.self, tag: 0) == .only)
  }

  @Test("Only enums of bare cases are plain")
  func plain() {
    // To its layout, `Weightless` is an enum of bare cases.
    let types: [Any.Type] = [
      Single.self, SingleLoaded.self, Several.self, Weightless.self, Empty.self, NoEnum.self,
      Int?.self,
    ]
    #expect(types.map { EnumMetadata.isPlain($0) } == types.map { $0 == Single.self })
  }

  @Test("A tuple's elements have labels, types and places")
  func tuples() throws {
    let elements = try #require(TupleMetadata((Int8, name: String, Bool).self)).elements
    #expect(elements.map(\.label) == [nil, "name", nil])
    #expect(elements.map { "\($0.type)" } == ["Int8", "String", "Bool"])
    #expect(elements.map(\.offset) == [0, 8, 24])
    #expect(try #require(TupleMetadata((Int, Int).self)).elements.map(\.label) == [nil, nil])
    #expect(try #require(TupleMetadata(Void.self)).elements.isEmpty)
    #expect(TupleMetadata(Int.self) == nil)
    #expect(TupleMetadata(NoEnum.self) == nil)
  }
}
