import Support
import Testing

@Suite("Paths with letters beyond ASCII")
struct PathTests {
  @Test(
    "A path in a folder is its own from there", arguments: ["jose", "josé", "jose\u{301}", "日本"])
  func inside(name: String) {
    let folder = "/home/\(name)/app"
    #expect(FilePath.inside(folder, folder + "/parts/x.yaml") == "parts/x.yaml")
    #expect(FilePath.inside(folder, folder) == nil)
    #expect(FilePath.inside(folder, folder + "s/x.yaml") == nil)
    #expect(FilePath.inside("/", folder) == "home/\(name)/app")
  }

  @Test("A slash that a mark follows separates names too")
  func marks() {
    #expect(FilePath.folder(of: "a/b/\u{301}c") == "a/b")
    #expect(FilePath.name(of: "a/b/\u{301}c") == "\u{301}c")
  }
}
