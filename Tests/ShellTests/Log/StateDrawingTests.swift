import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite struct StateDrawingTests {
  private func lines(_ value: Value, before: Value? = nil, style: Style = .plain) -> [String] {
    StateDrawing(value, before: before).lines(width: 60, style: style)
  }

  @Test("A state is a tree, its fields by name")
  func tree() {
    #expect(
      lines(["name": "Ada", "tags": ["a", "b"], "none": [], "at": ["x": 1]]) == [
        "  at: {…}", "    x: 1", "  name: \"Ada\"", "  none: []", "  tags: (2)", "    0: \"a\"",
        "    1: \"b\"",
      ])
    #expect(lines(4) == ["  4"])
  }

  @Test("Changed values are marked with what they were; added and removed ones are marked too")
  func changes() {
    let before: Value = ["name": "", "old": 1, "tags": ["a"], "same": true]
    let after: Value = ["name": "Ada", "new": 2, "tags": ["a", "b"], "same": true]
    #expect(
      lines(after, before: before) == [
        "* name: \"Ada\"   ← was \"\"", "* new: 2   ← new", "  same: true",
        "* tags: (2)   ← was 1 long", "    0: \"a\"", "*   1: \"b\"   ← new",
        "* old: gone   ← was 1",
      ])
    #expect(StateDrawing(after, before: before).changes == ["/name", "/new", "/old", "/tags"])
    #expect(
      lines(["a": 1], before: ["a": 2], style: .linear) == ["a: 1 (changed, was 2)"])
  }

  @Test("Pointers escape what RFC 6901 escapes")
  func pointers() {
    #expect(
      StateDrawing(["a/b": ["~": 1]], before: ["a/b": ["~": 2]]).changes == ["/a~1b/~0"])
  }

  @Test("Of a long list the first are shown, and deep values come to an end")
  func limits() {
    let long = lines(.array((0..<1000).map { .int($0) }))
    #expect(long.count == 51 && long.last == "  … 950 more")
    var deep: Value = 1
    for _ in 0..<500 { deep = ["a": deep] }
    #expect(lines(deep).count < 40)
  }

  @Test("Text in a state can't move the cursor")
  func safe() {
    for line in lines(["\u{1b}[2J": "\u{1b}[2J\n"]) { #expect(!line.contains("\u{1b}")) }
  }
}
