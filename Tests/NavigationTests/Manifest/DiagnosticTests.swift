import Foundation
import Support
import Testing

@testable import Manifest

@Suite("Diagnostic")
struct DiagnosticTests {
  private static let range = SourceRange(
    file: 0, start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 1, column: 2))

  @Test("Text from a manifest can't send codes to a terminal")
  func quotesSafely() {
    let problem = Diagnostic(
      .unknownNode("a\u{1B}[2J\n\u{202E}b", nearest: nil, allowed: []), at: Self.range)
    #expect(problem.message == "unknown node 'a\u{FFFD}[2J\\n\u{FFFD}b'")
  }
}

@Suite("Quoting in messages")
struct QuotingTests {
  private func messages(_ text: String) -> [String] {
    ManifestLoader(options: .init(environment: { _ in nil })).load(Array(text.utf8), path: "a.yaml")
      .problems.map(\.message)
  }

  @Test("A name is whole, however long")
  func wholeName() {
    let name = "n" + String(repeating: "o", count: 300)
    #expect(
      messages("appcore: 1\nstart: \(name)\nnodes: { a: { feature: A.A } }\n")
        == ["unknown node '\(name)'; nodes: 'a'"])
  }

  @Test("A path is whole, however long")
  func wholePath() {
    let path = String(repeating: "folder/", count: 120) + "part.yaml"
    #expect(
      messages("appcore: 1\nstart: a\ninclude: [\(path)]\nnodes: { a: { feature: A.A } }\n")
        == ["can't read the include '\(path)': No such file or directory"])
  }

  @Test("A name longer than any path loses its middle, not its end")
  func middle() throws {
    let name = "begins" + String(repeating: "o", count: 100_000) + "ends"
    let message = try #require(
      messages("appcore: 1\nstart: \(name)\nnodes: { a: { feature: A.A } }\n").first)
    #expect(message.hasPrefix("unknown node 'beginso"))
    #expect(message.hasSuffix("o…\(String(repeating: "o", count: 2044))ends'; nodes: 'a'"))
  }
}

@Suite("Columns of long lines")
struct LongLineTests {
  @Test("Each place of a long line has its column and its excerpt")
  func columns() throws {
    // One line, as programs write it: each key has letters of one to four bytes.
    let keys = (0..<3_000).map { "\"é🙂\($0)\": 1" }.joined(separator: ", ")
    let text =
      "{\"appcore\": 1, \"start\": \"a\", \"nodes\": {\"a\": {\"feature\": \"A.A\"}}, \(keys)}"
    let result = ManifestLoader().load(Array(text.utf8), path: "a.json")
    #expect(result.problems.count == 3_000)
    let columns = SourceColumns(result.sources)
    let renderer = DiagnosticRenderer(sources: result.sources)
    for (number, problem) in result.problems.enumerated() {
      let before = text[..<(try #require(text.firstRange(of: "\"é🙂\(number)\"")).lowerBound)]
      #expect(problem.range.start.column == before.unicodeScalars.count + 1)
      #expect(
        columns.utf16Column(of: problem.range.start, inFile: 0) == before.utf16.count + 1)
      let lines = renderer.render(problem).split(separator: "\n")
      #expect(lines[1].contains("\"é🙂\(number)\""))
      #expect(lines[2].hasSuffix("^"))
    }
  }

  @Test("Insertions in a long text have their columns")
  func insertions() throws {
    let text = (0..<2_000).map { "é{$.a\($0)}" }.joined()
    let result = ManifestLoader().load(
      Array("appcore: 1\nstart: a\nnodes: { a: { feature: A.A, with: { t: \"\(text)\" } } }".utf8),
      path: "a.yaml")
    #expect(result.problems.count == 2_000)
    #expect(
      result.problems.map(\.range.start.column)
        == result.problems.map(\.range.start.column).sorted())
    let line = "nodes: { a: { feature: A.A, with: { t: \"\(text)\" } } }"
    let last = try #require(line.firstRange(of: "$.a1999")).lowerBound
    #expect(
      result.problems.last?.range.start.column == line[..<last].unicodeScalars.count + 1)
  }
}

@Suite("NearestName")
struct NearestNameTests {
  @Test(
    "A name is near when few edits part them",
    arguments: [
      ("detial", "detail"), ("DETAIL", "detail"), ("detai", "detail"), ("detaill", "detail"),
      ("lst", "list"), ("zebra", nil), ("d", nil), ("", nil),
    ] as [(String, String?)])
  func findsNearest(name: String, expected: String?) {
    #expect(NearestName.of(name, among: ["list", "detail", "home"]) == expected)
  }

  @Test("Of equally near names the first one wins")
  func prefersTheFirst() {
    #expect(NearestName.of("node", among: ["nodes", "mode"]) == "nodes")
  }
}

@Suite("VersionRequirement")
struct VersionRequirementTests {
  @Test(
    "A version will do when every comparison holds",
    arguments: [
      (">=1.0 <2", "1.0.0", true), (">=1.0 <2", "1.99", true), (">=1.0 <2", "2", false),
      (">=1.0 <2", "0.9", false), ("1.2", "1.2.0", true), ("=1.2", "1.2.1", false),
      (">1", "1.0.1", true), ("<=1", "1.0", true), ("<=1", "1.0.1", false),
      (">=1.10", "1.9", false),
    ])
  func compares(text: String, version: String, expected: Bool) throws {
    #expect(try #require(VersionRequirement(text)).allows(version) == expected)
  }

  @Test("A malformed requirement is refused", arguments: ["", "~1", ">=", "1.x", "1..2", ">= 1"])
  func refuses(text: String) {
    #expect(VersionRequirement(text) == nil)
  }

  @Test("A version that is none is neither allowed nor refused")
  func doesNotCompareNonsense() throws {
    #expect(try #require(VersionRequirement(">=1")).allows("beta") == nil)
  }
}
