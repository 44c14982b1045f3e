internal import Foundation

/// A fenced block of a Markdown file.
package struct CodeBlock: CustomStringConvertible, Sendable {
  /// The file, as a path from the checkout's root folder.
  package let file: String
  /// The line of the opening fence, counted from 1.
  package let line: Int
  /// The info string after the fence, such as `console`.
  package let language: String
  /// The lines between the fences.
  package let lines: [String]

  package var description: String { "\(file):\(line)" }

  /// The name of the file that the block contains, from a comment on its first line, such as
  /// `// Greeter.swift`; `nil` for another block.
  package var fileName: String? {
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ")
    guard words.count == 2, words[0] == "//" || words[0] == "#", words[1].contains(".") else {
      return nil
    }
    return String(words[1])
  }

  /// The blocks of a file.
  package static func all(in file: String) throws -> [CodeBlock] {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(file), encoding: .utf8)
    return all(in: file, text: text)
  }

  /// The blocks of a text.
  package static func all(in file: String, text: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var open: (line: Int, language: String, lines: [String])?
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(
            CodeBlock(file: file, line: block.line, language: block.language, lines: block.lines))
          open = nil
        } else {
          open = (index + 1, String(line.dropFirst(3)), [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  /// The documents that people read.
  package static let documents = ["README.md", "CONTRIBUTING.md"] + files(in: "docs")

  /// The examples of rules; `docs/problems.md` shows what they print.
  package static let examples = files(in: "Tests/Fixtures/problems")

  /// The transcripts: what commands do, as text.
  package static let transcripts = files(in: "Tests/Transcripts")

  /// The Markdown files in a folder and its subfolders.
  private static func files(in folder: String) -> [String] {
    let names = try? FileManager.default.subpathsOfDirectory(
      atPath: packageFolder.appendingPathComponent(folder).path)
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }
}
