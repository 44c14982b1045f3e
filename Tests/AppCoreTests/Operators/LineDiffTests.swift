@_spi(Host) import AppCore
import Testing

@Suite("LineDiff")
struct LineDiffTests {
  private func lines(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  @Test("Lines that went come before those that came, with some around them")
  func changes() {
    let changes = [
      ("", "", ""), ("a b", "a b", ""), ("", "a b", "+ a,+ b"), ("a b", "", "- a,- b"),
      ("a a", "b", "- a,- a,+ b"),
      (
        "a b c d e f g h i j", "a b c d x f g h i",
        "  …,  c,  d,- e,+ x,  f,  g,  h,  i,- j"
      ),
      ("a 1 2 3 4 5 6 b", "1 2 3 4 5 6", "- a,  1,  2,  …,  5,  6,- b"),
    ]
    for (old, new, changed) in changes {
      #expect(LineDiff.changes(from: lines(old), to: lines(new)).joined(separator: ",") == changed)
    }
  }

  /// Lines between the same first and last ones.
  private func text(_ mark: String, _ count: Int) -> [String] {
    ["begin", "begins"] + (0..<count).map { "\(mark) \($0)" } + ["ends", "end"]
  }

  @Test(
    "Of many different lines all that went come before all that came", .timeLimit(.minutes(1)))
  func manyDifferences() {
    let count = 50_000
    let changes = LineDiff.changes(from: text("old", count), to: text("new", count))
    let removed = (0..<count).map { "- old \($0)" }
    let added = (0..<count).map { "+ new \($0)" }
    let isExpected = changes == ["  begin", "  begins"] + removed + added + ["  ends", "  end"]
    #expect(isExpected)
  }

  @Test("Few changes of many lines are shown by themselves, however far apart they are")
  func manyLines() {
    let old = text("same", 50_000)
    var new = old
    new[0] = "first"
    new.append("last")
    #expect(
      LineDiff.changes(from: old, to: new)
        == [
          "- begin", "+ first", "  begins", "  same 0", "  …", "  ends", "  end", "+ last",
        ])
    #expect(LineDiff.changes(from: old, to: old) == [])
  }
}
