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
    let workshop = try Workshop()
    var recorded: [(CodeBlock, [String])] = []
    for block in try CodeBlock.all(in: document) {
      if let name = block.fileName, block.language != "console" {
        try workshop.write(block, name: name)
      }
      guard block.language == "console" else { continue }
      var printed: [String] = []
      for command in block.lines where command.hasPrefix("$ ") {
        printed.append(command)
        var lines = try await workshop.run(String(command.dropFirst(2))).components(
          separatedBy: "\n")
        if lines.last == "" { lines.removeLast() }
        printed += lines.map { line in
          String(line.reversed().drop { $0 == " " }.reversed())
        }
      }
      recorded.append((block, printed))
      if ProcessInfo.processInfo.environment["RECORD"] != "1" {
        #expect(
          printed == block.lines, "\(block): run with RECORD=1 to write what was printed")
      }
    }
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try record(recorded, in: document) }
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

  @Test("Lines of Swift listings fit the width of the code", arguments: CodeBlock.documents)
  func listings(_ document: String) throws {
    for block in try CodeBlock.all(in: document) where block.language == "swift" {
      for (offset, line) in block.lines.enumerated() {
        #expect(line.count <= 100, "\(document):\(block.line + offset + 1) is too long")
      }
    }
  }

  private func record(_ blocks: [(CodeBlock, [String])], in document: String) throws {
    let file = packageFolder.appendingPathComponent(document)
    var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    for (block, printed) in blocks.reversed() {
      lines.replaceSubrange(block.line..<block.line + block.lines.count, with: printed)
    }
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  }
}
