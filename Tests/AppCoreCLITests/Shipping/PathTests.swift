import Foundation
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

@Suite("Files by their folders")
struct FolderPathTests {
  private let root = NSTemporaryDirectory() + "appcore-tests-" + UUID().uuidString

  @Test("A way along a link that leads to itself ends")
  func loops() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: root) }
    for (link, target) in [("a", "a"), ("b", "c"), ("c", "b"), ("d", "d/x")] {
      try files.createSymbolicLink(atPath: "\(root)/\(link)", withDestinationPath: target)
    }
    let real = try #require(FilePath.resolved(root))
    #expect(FilePath.links(along: root + "/a/x").isSuperset(of: [real + "/a"]))
    #expect(FilePath.links(along: root + "/b").isSuperset(of: [real + "/b", real + "/c"]))
    #expect(FilePath.links(along: root + "/d").isSuperset(of: [real + "/d"]))
  }

  @Test(
    "A path from a folder does not depend on how either is called, and follows links before '..'")
  func relative() throws {
    let files = FileManager.default
    for folder in ["app/lib", "far/deep", "far/lib"] {
      try files.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    defer { try? files.removeItem(atPath: root) }
    for (link, target) in [("link", "app"), ("app/out", "../far/deep"), ("app/same", "lib")] {
      try files.createSymbolicLink(atPath: "\(root)/\(link)", withDestinationPath: target)
    }
    for (path, folder, expected) in [
      ("app/lib/x", "app", "lib/x"), ("app/lib/x", "link", "lib/x"),
      ("link/lib/x", "app", "lib/x"), ("link/./lib//x", "link", "lib/x"),
      ("app/same/x", "app", "same/x"), ("link/same/x", "link", "same/x"),
      ("app/lib/../lib/x", "app", "lib/x"), ("app/same/../x", "link", "x"),
      ("app/out/../lib/x", "app", nil), ("app/../far/lib/x", "app", nil),
      ("apps/x", "app", nil), ("app", "app", nil), ("app/lib/..", "app", nil),
      ("app/\u{301}x", "app", "\u{301}x"), ("jose\u{301}/x", "jos\u{e9}", nil),
    ] {
      let found = FilePath.relative("\(root)/\(path)", to: "\(root)/\(folder)")
      #expect(found == expected, "\(path) in \(folder)")
    }
    #expect(FilePath.relative("lib/x", to: ".") == "lib/x")
    #expect(FilePath.relative("../lib/x", to: ".") == nil)
  }

  @Test("A file is replaced whatever the length of its name")
  func longName() throws {
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = "\(root)/" + String(repeating: "x", count: 255)
    for text in ["one", "two"] {
      try FileReplacement.write(Array(text.utf8), to: path, newMode: 0o600)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root).count == 1)
  }
}
