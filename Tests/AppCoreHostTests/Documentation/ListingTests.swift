import Foundation
import Testing

/// What the documentation shows is what is compiled and run here.
@Suite("The listings of the documents")
struct ListingTests {
  /// The listings: each block of code, under the path that the line before it names.
  static func listings(
    in documents: [String] = ["docs/testing.md", "docs/testing-files.md"]
  ) throws -> [(path: String, text: String)] {
    let lines = try documents.flatMap { try Project.text($0).components(separatedBy: "\n") }
    var listings: [(path: String, text: String)] = []
    var open: (path: String, lines: [String])?
    for (index, line) in lines.enumerated() {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        listings.append((block.path, block.lines.map { $0 + "\n" }.joined()))
        open = nil
      } else {
        // `<!-- listing: PATH -->`
        let mark = index > 0 ? lines[index - 1] : ""
        let path = mark.dropFirst("<!-- listing: ".count).dropLast(" -->".count)
        open = (mark.hasPrefix("<!-- listing: ") ? String(path) : "", [])
      }
    }
    return listings
  }

  @Test("Each names its file, and is that file or a part of it, word for word")
  func wordForWord() throws {
    let listings = try Self.listings()
    #expect(listings.count >= 6)
    for (path, text) in listings {
      #expect(!path.isEmpty, "a listing without a file:\n\(text)")
      guard !path.isEmpty else { continue }
      #expect(try Project.text(path).contains(text), "not in \(path):\n\(text)")
    }
  }

  @Test(
    "So is what other pages show of files", arguments: ["docs/plugins.md", "docs/interfaces.md"])
  func otherPages(page: String) throws {
    let marked = try Self.listings(in: [page]).filter { !$0.path.isEmpty }
    #expect(!marked.isEmpty)
    for (path, text) in marked { #expect(try Project.text(path).contains(text), "not in \(path)") }
  }

  @Test("Every file of examples is shown whole")
  func whole() throws {
    let listings = try Self.listings()
    let names = ["TestingAManifest", "TestingAFeature", "TestingAStore", "TestingAPluginFile"]
    for name in names {
      let path = "Tests/AppCoreHostTests/Documentation/\(name).swift"
      let text = try Project.text(path)
      #expect(listings.contains { $0.path == path && $0.text == text }, "\(path)")
    }
  }

  @Test("The table of what a test can see lists what the harness has")
  func names() throws {
    let rows = try Project.text("docs/testing.md").split(separator: "\n")
      .drop { $0 != "What a test can see:" }.dropFirst(3).prefix { $0.hasPrefix("| `") }
    let names = rows.compactMap { $0.split(separator: "|").first }
      .flatMap { $0.matches(of: /`([a-zA-Z]+)/).map { String($0.output.1) } }
    #expect(names.contains("refusedRoutes"))
    let folder = "Sources/AppCoreHostTesting/Harness/"
    let sources = try ["AppHarness", "AppHarness+Seeing"].map {
      try Project.text("\(folder)\($0).swift")
    }.joined()
    for name in names {
      #expect(
        sources.contains("var \(name): ") || sources.contains("func \(name)("), "\(name)")
    }
  }
}
