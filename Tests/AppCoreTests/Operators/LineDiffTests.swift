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
}
