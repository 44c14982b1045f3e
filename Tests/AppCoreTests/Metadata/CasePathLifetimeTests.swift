import AppCore
import Testing

@Suite("References in a CasePath")
struct CasePathLifetimeTests {
  struct Load: Sendable {
    var object: Counted
    var text: String
    var others: [Counted]
  }

  enum Action: Sendable {
    case object(Counted)
    case optional(Counted?)
    case load(Load)
    indirect case boxed(Load)
    indirect case boxedObject(Counted)
    case left([Counted])
    case right([Counted])
    case none
  }

  private func load(_ count: LifeCount) -> Load {
    Load(
      object: Counted(1, count), text: "longer than fits into sixteen bytes",
      others: [Counted(2, count), Counted(3, count)])
  }

  /// Extracts many times from one root, keeps the last value beyond the root, and looks at it.
  private func exercise<Payload>(
    _ path: CasePath<Action, Payload>, make: (LifeCount) -> Action, objects: Int,
    numbers: (Payload) -> [Int], expected: [Int], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let count = LifeCount()
    var kept: Payload?
    do {
      let root = make(count)
      for _ in 0..<10_000 { kept = path.extract(root) }
      #expect(count.alive == objects, sourceLocation: sourceLocation)
    }
    // The root is gone: the value must hold what it refers to, and nobody else.
    #expect(count.alive == objects, sourceLocation: sourceLocation)
    #expect(kept.map(numbers) == expected, sourceLocation: sourceLocation)
    kept = nil
    #expect(count.alive == 0, sourceLocation: sourceLocation)
    for _ in 0..<10_000 { _ = path.extract(make(count)) }
    #expect(count.alive == 0, sourceLocation: sourceLocation)
  }

  @Test("A payload, direct or in a heap box, is neither leaked nor released twice")
  func payloads() {
    exercise(
      /Action.object, make: { .object(Counted(5, $0)) }, objects: 1, numbers: { [$0.number] },
      expected: [5])
    exercise(
      /Action.optional, make: { .optional(Counted(5, $0)) }, objects: 1,
      numbers: { $0.map { [$0.number] } ?? [] }, expected: [5])
    exercise(
      /Action.load, make: { .load(load($0)) }, objects: 3,
      numbers: { [$0.object.number] + $0.others.map(\.number) }, expected: [1, 2, 3])
    exercise(
      /Action.boxed, make: { .boxed(load($0)) }, objects: 3,
      numbers: { [$0.object.number] + $0.others.map(\.number) }, expected: [1, 2, 3])
    exercise(
      /Action.boxedObject, make: { .boxedObject(Counted(5, $0)) }, objects: 1,
      numbers: { [$0.number] }, expected: [5])
  }

  @Test("Telling cases with one payload type apart holds on to nothing")
  func ambiguous() {
    let count = LifeCount()
    for _ in 0..<1000 {
      // A new path each time: finding out is what is tested.
      let path = /Action.left
      #expect(path.extract(.right([Counted(1, count)])) == nil)
      #expect(path.extract(.left([Counted(1, count), Counted(2, count)]))?.count == 2)
    }
    #expect(count.alive == 0)
  }

  @Test("A root in another case is left alone")
  func otherCase() {
    let count = LifeCount()
    let root = Action.boxed(load(count))
    for _ in 0..<10_000 { #expect((/Action.object).extract(root) == nil) }
    #expect(count.alive == 3)
    guard case .boxed(let load) = root else { return }
    #expect(load.others.map(\.number) == [2, 3])
  }
}
