@_spi(Host) import AppCore
import Testing

@Suite("LineDiff")
struct LineDiffTests {
  private func lines(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  @Test("Equal texts have no changes")
  func equal() {
    #expect(LineDiff.changes(from: [], to: []) == [])
    #expect(LineDiff.changes(from: ["a", "b"], to: ["a", "b"]) == [])
  }

  @Test("Lines that went come before those that came, with some around them")
  func changes() {
    #expect(
      LineDiff.changes(from: lines("a b c d e f g h i j"), to: lines("a b c d x f g h i")) == [
        "  …", "  c", "  d", "- e", "+ x", "  f", "  g", "  h", "  i", "- j",
      ])
    #expect(
      LineDiff.changes(from: lines("a 1 2 3 4 5 6 b"), to: lines("1 2 3 4 5 6")) == [
        "- a", "  1", "  2", "  …", "  5", "  6", "- b",
      ])
  }

  @Test("A text that came or went as a whole")
  func whole() {
    #expect(LineDiff.changes(from: [], to: ["a", "b"]) == ["+ a", "+ b"])
    #expect(LineDiff.changes(from: ["a", "b"], to: []) == ["- a", "- b"])
    #expect(LineDiff.changes(from: ["a", "a"], to: ["b"]) == ["- a", "- a", "+ b"])
  }
}
