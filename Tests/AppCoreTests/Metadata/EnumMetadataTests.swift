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

  private func cases(_ type: Any.Type) -> [String]? {
    EnumMetadata(type)?.cases.map { entry in
      let payload = entry.payload.map { "(\($0))" } ?? ""
      return (entry.isIndirect ? "indirect " : "") + entry.name + payload
    }
  }

  @Test("Cases have names and payload types; those whose payload takes space come first")
  func names() {
    #expect(
      cases(Several.self) == [
        "number(Int)", "labelled((name: String))", "pair((Int, String))",
        "mixed((Int, label: String))", "all((width: Int, height: Double))",
        "function(@Sendable (Int) -> String)", "none", "other", "void(())",
      ])
  }

  @Test("Single-case and empty enums are read")
  func small() {
    #expect(cases(Single.self) == ["only"])
    #expect(cases(SingleLoaded.self) == ["only(String)"])
    #expect(cases(Empty.self) == [])
    #expect(cases(Never.self) == [])
  }

  @Test("Indirect cases are marked, one by one or all")
  func indirect() {
    #expect(cases(Partly.self) == ["direct(Int)", "indirect boxed(Partly)"])
    #expect(
      cases(Wholly.self) == ["indirect a(Int)", "indirect b((Wholly, Wholly))", "c"])
  }

  @Test("Generic payloads are resolved with the arguments of the type")
  func generic() {
    #expect(
      cases(Generic<Int, String>.self) == [
        "one(Int)", "many(Array<String>)", "both((Int, String))", "neither",
      ])
    #expect(
      cases(Generic<[Bool], Single>.Nested.self) == [
        "inside(Array<Bool>)", "outside(Optional<Single>)",
      ])
    #expect(cases(Int?.self) == ["some(Int)", "none"])
    #expect(cases(Result<Int, any Error>.self) == ["success(Int)", "failure(Error)"])
  }

  @Test("A type that is not an enum has no enum metadata")
  func others() {
    #expect(cases(NoEnum.self) == nil)
    #expect(cases(NoEnumEither.self) == nil)
    #expect(cases((Int, Int).self) == nil)
    #expect(cases((() -> Void).self) == nil)
    #expect(cases((any Error).self) == nil)
    #expect(cases(Int.self) == nil)
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
    #expect(EnumMetadata.isPlain(Single.self))
    #expect(!EnumMetadata.isPlain(SingleLoaded.self))
    #expect(!EnumMetadata.isPlain(Several.self))
    // To the layout this one is an enum of bare cases.
    #expect(!EnumMetadata.isPlain(Weightless.self))
    #expect(!EnumMetadata.isPlain(Empty.self))
    #expect(!EnumMetadata.isPlain(NoEnum.self))
    #expect(!EnumMetadata.isPlain(Int?.self))
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
