import Foundation
import TestSupport

/// A fenced block of a Markdown file.
struct CodeBlock: CustomStringConvertible, Sendable {
  /// The file, from the package's folder.
  let file: String
  /// The line of the fence, from 1.
  let line: Int
  /// The language behind the fence.
  let language: String
  /// The lines between the fences.
  let lines: [String]

  var description: String { "\(file):\(line)" }

  /// The file that the block is: its first line's comment, as in `// Greeter.swift`.
  var fileName: String? {
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ")
    guard words.count == 2, words[0] == "//" || words[0] == "#", words[1].contains(".") else {
      return nil
    }
    return String(words[1])
  }

  /// The blocks of a file.
  static func all(in file: String) throws -> [CodeBlock] {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(file), encoding: .utf8)
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

  /// The Markdown files that people read.
  static let documents = ["README.md"] + files(in: "docs")

  /// The examples of rules, of which `docs/problems.md` shows what is printed.
  static let examples = files(in: "Tests/Fixtures/problems")

  /// The Markdown files of a folder and the folders in it.
  private static func files(in folder: String) -> [String] {
    let names = try? FileManager.default.subpathsOfDirectory(
      atPath: packageFolder.appendingPathComponent(folder).path)
    return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }
}
