import AppCore
import Navigation
import Sessions
import TestSupport
import Testing

@Suite("Differences between values")
struct ValueEditTests {
  /// A random value, of which parts are often those of another one.
  private func value(
    _ depth: Int, numbers: [Double] = [0, 0.5, 1, 1.5], _ random: inout SplitMix64
  ) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: .null
    case 1: .bool(Bool.random(using: &random))
    case 2: .int(Int.random(in: -3...3, using: &random))
    case 3: .double(numbers.randomElement(using: &random) ?? 0)
    case 4:
      .string(
        ["", "a", "<secret>", "\u{e4}\n", "a\u{308}\n"].randomElement(using: &random) ?? "")
    case 5:
      .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          value(depth - 1, numbers: numbers, &random)
        })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            (
              ["a", "b", "c", "d"].randomElement(using: &random) ?? "",
              value(depth - 1, numbers: numbers, &random)
            )
          }, uniquingKeysWith: { $1 }))
    }
  }

  @Test("Edits make one value of another, also when they were written and read")
  func edits() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<2_000 {
      let numbers = [0, -0.0, 1.5, .infinity, .nan]
      let old = value(3, numbers: numbers, &random)
      let new = value(3, numbers: numbers, &random)
      var step = RecordedStep(number: 1, origin: .screen, text: ".view(.tapped)")
      step.change.instances = [.state(InstanceID(number: 1 << 32), old.edits(to: new))]
      let line = try RecordingLine(Array(RecordingLine.step(step).text.utf8))
      guard case .step(let read) = line, case .state(_, let edits) = read.change.instances[0] else {
        Issue.record("it is read as \(line)")
        continue
      }
      var made = old
      for edit in edits {
        let isDone = made.apply(edit)
        #expect(isDone)
      }
      #expect(made.edits(to: new).isEmpty)
      #expect(old.edits(to: old).isEmpty)
    }
  }

  @Test("A change that only the bytes of a value have is a change")
  func bytes() {
    #expect(!Value.string("\u{e4}").edits(to: .string("a\u{308}")).isEmpty)
    #expect(!Value.double(0).edits(to: .double(-0.0)).isEmpty)
    #expect(Value.double(.nan).edits(to: .double(.nan)).isEmpty)
    #expect(Value.array([.double(.nan), 1]).edits(to: .array([.double(.nan), 2])).count == 1)
  }

  @Test("What is not there can't be changed")
  func missing() {
    var value: Value = ["items": [1, 2], "name": "a"]
    let edits = [
      ValueEdit([.field("items"), .index(2)], .set(3)), ValueEdit([.field("nome")], .remove),
      ValueEdit([.field("items")], .splice(start: 1, removed: 2, inserted: [])),
      ValueEdit([.field("items")], .splice(start: -1, removed: 0, inserted: [])),
      ValueEdit([.field("name"), .field("first")], .set("b")),
    ]
    for edit in edits {
      let isDone = value.apply(edit)
      #expect(!isDone, "\(edit)")
    }
    #expect(value == ["items": [1, 2], "name": "a"])
  }

  @Test("Edits are in the order of their fields, and their paths are pointers of RFC 6901")
  func pointers() {
    func pointers(_ old: Value, _ new: Value) -> [String] { old.edits(to: new).map(\.pointer) }
    #expect(
      pointers(
        ["name": "", "old": 1, "tags": ["a"], "same": true],
        ["name": "Ada", "new": 2, "tags": ["a", "b"], "same": true])
        == ["/name", "/new", "/old", "/tags"])
    #expect(pointers(["a/b": ["~": [1, 2]]], ["a/b": ["~": [1, 3]]]) == ["/a~1b/~0/1"])
  }

  @Test("One element that is inserted in a long list is one small edit")
  func insertion() {
    let list = (0..<1000).map { Value.int($0) }
    let old: Value = ["items": .array(list)]
    let new: Value = ["items": .array(Array(list[..<500]) + ["new"] + Array(list[500...]))]
    #expect(
      old.edits(to: new)
        == [ValueEdit([.field("items")], .splice(start: 500, removed: 0, inserted: ["new"]))])
  }

  @Test("Equal values have equal digests, whatever the order of their fields; others have others")
  func digests() {
    var random = SplitMix64(seed: 7)
    var seen: [UInt64: Value] = [:]
    for _ in 0..<5_000 {
      let value = value(3, &random)
      let digest = StateDigest.digest(value)
      if let other = seen.updateValue(value, forKey: digest) { #expect(other == value) }
    }
    let fields = (0..<40).map { ("field\($0)", Value.int($0)) }
    let one = Dictionary(fields, uniquingKeysWith: { $1 })
    let other = Dictionary(fields.reversed(), uniquingKeysWith: { $1 })
    #expect(StateDigest.digest(.object(one)) == StateDigest.digest(.object(other)))
  }
}
