internal import AppCheck
internal import AppCoreHost
import Foundation
import Testing

/// The page of all codes, held against the program.
///
/// Its examples are run with those of the other documents; here its sections are compared with
/// ``Explanation``. `RECORD=1` rewrites the paragraphs, and adds a section where one is missing.
@Suite("docs/problems.md")
struct ProblemsPageTests {
  /// A section: a heading, what the code means, examples, what to do.
  private struct Section {
    var code: String
    var blocks: [String]
  }

  /// A text apart at its blank lines, fenced blocks whole.
  private static func blocks(of text: Substring) -> [String] {
    var blocks: [String] = []
    var block: [Substring] = []
    var isFenced = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isFenced.toggle() }
      if line.isEmpty, !isFenced {
        if !block.isEmpty { blocks.append(block.joined(separator: "\n")) }
        block = []
      } else {
        block.append(line)
      }
    }
    if !block.isEmpty { blocks.append(block.joined(separator: "\n")) }
    return blocks
  }

  /// The page apart: what stands before each family's sections, and the sections.
  private static func read() throws -> (preambles: [String], sections: [[Section]]) {
    let text = try Project.text("docs/problems.md")
    let parts = text.components(separatedBy: "\n## ")
    var preambles: [String] = []
    var families: [[Section]] = []
    for (index, part) in parts.enumerated() {
      let pieces = part.components(separatedBy: "\n### ")
      preambles.append((index == 0 ? "" : "## ") + pieces[0])
      families.append(
        pieces.dropFirst().map { piece in
          var blocks = blocks(of: piece[...])
          return Section(code: blocks.removeFirst(), blocks: blocks)
        })
    }
    return (preambles, families)
  }

  /// A paragraph in lines of at most 100 columns.
  private static func fill(_ paragraph: String) -> String {
    var lines = [""]
    for word in paragraph.split(separator: " ") {
      let last = lines[lines.count - 1]
      if !last.isEmpty, last.count + 1 + word.count > 100 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += (last.isEmpty ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test("It has a section for each code, with the program's words, in the program's order")
  func sections() throws {
    var (preambles, families) = try Self.read()
    let isRecording = ProcessInfo.processInfo.environment["RECORD"] == "1"
    try #require(families.count >= Explanation.Family.allCases.count + 1)
    for (index, family) in Explanation.Family.allCases.enumerated() {
      let known = Explanation.all.filter { $0.family == family }
      let sections = families[index + 1]
      let expected = known.map { explanation in
        let examples =
          sections.first { $0.code == explanation.code }?.blocks
          .filter { $0.hasPrefix("```") } ?? []
        return Section(
          code: explanation.code,
          blocks: [Self.fill(explanation.meaning)] + examples + [Self.fill(explanation.remedy)])
      }
      if isRecording { families[index + 1] = expected }
      #expect(
        families[index + 1].map { "### \($0.code)\n\n" + $0.blocks.joined(separator: "\n\n") }
          == expected.map { "### \($0.code)\n\n" + $0.blocks.joined(separator: "\n\n") },
        "run with RECORD=1 to write the sections")
    }
    if isRecording { try Self.write(preambles, families) }
  }

  @Test("Each problem of a manifest is shown by a manifest that has this problem alone")
  func examples() throws {
    let (_, families) = try Self.read()
    let sections = families[1]
    #expect(sections.count > 80)
    for section in sections {
      let consoles = section.blocks.filter { $0.hasPrefix("```console") }
      #expect(!consoles.isEmpty, "\(section.code) has no example")
      for console in consoles {
        let codes =
          console.matches(of: /(error|warning|note): .* \[([a-z-]+)\]\n/)
          .filter { $0.1 == "error" || section.code == $0.2 }.map { String($0.2) }
          + console.matches(of: /"code": "([a-z-]+)"/).map { String($0.1) }
        #expect(Set(codes) == [section.code], "\(section.code): \(codes)")
      }
    }
  }

  private static func write(_ preambles: [String], _ families: [[Section]]) throws {
    let parts = zip(preambles, families).map { preamble, sections in
      preamble.trimmingCharacters(in: .newlines) + "\n"
        + sections.map { section in
          "\n### \(section.code)\n\n" + section.blocks.joined(separator: "\n\n") + "\n"
        }.joined()
    }
    try parts.joined(separator: "\n").write(
      toFile: Project.path("docs/problems.md"), atomically: true, encoding: .utf8)
  }
}
