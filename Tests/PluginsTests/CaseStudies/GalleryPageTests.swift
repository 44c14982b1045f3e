import Foundation
import TestSupport
import Testing

/// The table of studies in docs/gallery.md, held against the sources.
@Suite("The page of the gallery")
struct GalleryPageTests {
  @Test("Its table has every study, with the lines of it and of TCA's; RECORD=1 writes it")
  func table() throws {
    let file = packageFolder.appendingPathComponent("docs/gallery.md")
    var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let rows = lines.indices.filter { lines[$0].hasPrefix("| [") }
    let first = try #require(rows.first)
    let expected =
      try LengthTests.linesInTCA.map { try row($0.path, "\($0.count)", "`\($0.name)`") }
      + LengthTests.others.sorted().map { try row($0, "", "") }
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      lines.replaceSubrange(first..<first + rows.count, with: expected)
      try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(lines.filter { $0.hasPrefix("| [") } == expected, "RECORD=1 writes the table")
  }

  private func row(_ path: String, _ count: String, _ name: String) throws -> String {
    let study = path.dropLast(".swift".count).replacing("Studies/", with: ".")
    let own = try LengthTests.lineCount(path)
    return "| [\(study)](../Plugins/CaseStudies/\(path)) | \(own) | \(count) | \(name) |"
  }
}
