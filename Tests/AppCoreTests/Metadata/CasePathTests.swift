import AppCore
import Testing

@Suite("CasePath")
struct CasePathTests {
  struct Wide: Equatable, Sendable {
    var a = 1.5
    var b = "b"
    var c: [Int] = [1, 2]
  }

  enum Action: Sendable {
    case none
    case number(Int)
    case text(String)
    case labelled(name: Wide)
    case optional(Int?)
    case left(Bool)
    case right(Bool)
    case third(Bool)
    indirect case boxed(Wide)
    indirect case aligned(SIMD4<Float>)
    case void(Void)
    case pair((Int, String))
  }
  enum Single: Sendable { case only(String) }
  enum Generic<Element: Sendable>: Sendable {
    case one(Element)
    case list([Element])
    indirect case again(Generic<Element>)
  }
  struct NoEnum: Sendable { var number: Int }

  @Test("A path embeds into its case and extracts from no other")
  func simple() {
    let path = /Action.number
    #expect(path.extract(path.embed(7)) == 7)
    #expect(path.extract(.none) == nil)
    #expect(path.extract(.text("7")) == nil)
    #expect(
      (/Action.text).extract(.text("a text that is too long for a small string"))
        == "a text that is too long for a small string")
  }

  @Test("Labelled, indirect, aligned and optional payloads come out whole")
  func shapes() {
    #expect((/Action.labelled).extract(.labelled(name: Wide())) == Wide())
    #expect((/Action.boxed).extract(.boxed(Wide(a: 2))) == Wide(a: 2))
    #expect((/Action.aligned).extract(.aligned([1, 2, 3, 4])) == [1, 2, 3, 4])
    #expect((/Action.optional).extract(.optional(nil)) == .some(.none))
    #expect((/Action.optional).extract(.optional(3)) == 3)
    #expect((/Action.optional).extract(.number(3)) == .none)
    #expect((/Action.void).extract(.void(())) != nil)
    #expect((/Action.pair).extract(.pair((1, "x")))?.1 == "x")
    #expect((/Single.only).extract(.only("x")) == "x")
  }

  @Test(
    "Several cases with one payload type are distinguished, whichever comes first",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 1, 0, 2]])
  func samePayload(order: [Int]) {
    let paths = [/Action.left, /Action.right, /Action.third]
    let actions: [Action] = [.left(true), .right(false), .third(true)]
    for action in order {
      let found = paths.map { $0.extract(actions[action]) }
      var expected: [Bool?] = [nil, nil, nil]
      expected[action] = action != 1
      #expect(found == expected)
    }
    #expect(paths.allSatisfy { $0.extract(.none) == nil })
  }

  @Test("Generic enums have paths for each of their types")
  func generic() {
    #expect((/Generic<String>.one).extract(.one("x")) == "x")
    #expect((/Generic<Int>.list).extract(.list([1, 2])) == [1, 2])
    let inner = (/Generic<Int>.again).extract(.again(.one(5)))
    #expect(inner.flatMap((/Generic<Int>.one).extract) == 5)
    // Here `one` and `list` carry the same type.
    #expect((/Generic<[Int]>.one).extract(.one([1])) == [1])
    #expect((/Generic<[Int]>.one).extract(.list([[1]])) == nil)
  }

  @Test("A path of two functions serves any root")
  func functions() {
    let path = CasePath<NoEnum, Int>(
      embed: { NoEnum(number: $0) }, extract: { $0.number > 0 ? $0.number : nil })
    #expect(path.extract(path.embed(3)) == 3)
    #expect(path.extract(path.embed(-3)) == nil)
  }

  @Test("A function that makes no enum has a path that extracts nothing")
  func noEnum() {
    let path = /{ @Sendable (number: Int) in NoEnum(number: number) }
    #expect(path.extract(NoEnum(number: 1)) == nil)
  }
}
