import Foundation
import TestSupport
import Testing

/// Every command and listing in the documents is run.
///
/// A `console` block is commands after `$ ` and what they print; a block whose first line is a
/// comment with a file's name is that file. `RECORD=1` writes what was printed into the documents.
@Suite("The documents")
struct DocumentTests {
  @Test(
    "Commands print what the document says",
    arguments: CodeBlock.documents + CodeBlock.examples)
  func commands(_ document: String) async throws {
    try await expectOutput(of: TranscriptRunner(file: document, showsEndings: false, timeout: 900))
  }

  @Test("Links between documents lead somewhere", arguments: CodeBlock.documents)
  func links(_ document: String) throws {
    let file = packageFolder.appendingPathComponent(document)
    let text = try String(contentsOf: file, encoding: .utf8)
    for match in text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
      let target = file.deletingLastPathComponent().appendingPathComponent(String(match.1))
      #expect(
        FileManager.default.fileExists(atPath: target.path), "\(document) links to \(match.1)")
    }
  }

  @Test("No page but a reference is longer than 500 lines", arguments: CodeBlock.documents)
  func lengths(_ document: String) throws {
    let references = ["problems", "features", "manifest", "tca-api"].map { "docs/\($0).md" }
    guard !references.contains(document) else { return }
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(document), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 501)
  }

  @Test("The table of the command line has each command")
  func commandTable() async throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("docs/command-line.md"), encoding: .utf8)
    let rows = text.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.prefix { !$0.hasPrefix("| status") }.flatMap { row in
      (row.split(separator: "|").first ?? "").matches(of: /`([a-z]+)`/).map { String($0.1) }
    }
    let help = try await Program.appcore(["--help"]).output
    let commands =
      help.components(separatedBy: "SUBCOMMANDS:\n").last?
      .components(separatedBy: "\n").prefix { !$0.isEmpty }
      .compactMap { $0.firstMatch(of: #/^ {2}([a-z]+) /#).map { String($0.1) } } ?? []
    #expect(commands.count > 10)
    #expect(Set(listed) == Set(commands))
  }

  @Test("Files and folders that the guide for contributors names exist")
  func contributing() throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    let paths = text.matches(of: /`((?:Sources|Tests|Plugins|scripts|docs|Benchmarks)[^ `]*)`/)
      .map { String($0.1) }.filter { !$0.contains("NAME") }
    #expect(paths.count > 20)
    for path in paths {
      let file = packageFolder.appendingPathComponent(path).path
      #expect(FileManager.default.fileExists(atPath: file), "\(path)")
    }
  }

  @Test("Lines of Swift listings fit the width of the code", arguments: CodeBlock.documents)
  func listings(_ document: String) throws {
    for block in try CodeBlock.all(in: document) where block.language == "swift" {
      for (offset, line) in block.lines.enumerated() {
        #expect(line.count <= 100, "\(document):\(block.line + offset + 1) is too long")
      }
    }
  }
}
