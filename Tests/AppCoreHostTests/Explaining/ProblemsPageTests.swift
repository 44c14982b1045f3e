internal import AppCoreHost
import Foundation
internal import Support
import Testing

/// The page of all rules: generated, but for what is before its first list of rules.
///
/// Each example is a file of `Tests/Fixtures/problems`, which is run as the documents are. The page
/// shows what it prints. `RECORD=1` writes the page.
@Suite("docs/problems.md")
struct ProblemsPageTests {
  private static let folder = "Tests/Fixtures/problems"

  /// What the example of a rule prints, its commands left out; `nil` where there is none.
  private static func output(of rule: Rule, _ kind: String) throws -> [String]? {
    let file = "\(folder)/\(kind)/\(rule.code).md"
    guard FileManager.default.fileExists(atPath: Project.path(file)) else { return nil }
    let blocks = try Project.text(file).components(separatedBy: "```console\n").dropFirst()
    return blocks.flatMap { block in
      (block.components(separatedBy: "\n```").first ?? "").components(separatedBy: "\n")
        .filter { !$0.hasPrefix("$ ") }
    }
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

  private static func section(_ rule: Rule, _ kind: String) throws -> String {
    let lead = rule.severity == .error ? "" : "(\(rule.severity.rawValue)) "
    var text = "\n### \(rule.code)\n\n" + fill("\(lead)\(rule.means) \(rule.remedy)") + "\n"
    if let output = try output(of: rule, kind) {
      text += "\n```text\n" + output.joined(separator: "\n") + "\n```\n"
    }
    return text
  }

  @Test("It has what the rules say, with the examples' output")
  func page() throws {
    let former = try Project.text("docs/problems.md")
    let first = try #require(RuleGroup.all.first)
    let end = try #require(former.firstRange(of: "\n## \(first.heading)\n"))
    var page = String(former[..<end.lowerBound])
    for explanation in RuleGroup.all {
      page += "\n## \(explanation.heading)\n"
      for rule in explanation.rules { page += try Self.section(rule, explanation.kind) }
    }
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try page.write(toFile: Project.path("docs/problems.md"), atomically: true, encoding: .utf8)
    } else {
      #expect(former == page, "run with RECORD=1 to write the page")
    }
  }

  @Test("Each rule of manifests has an example that breaks this rule alone")
  func examples() throws {
    for rule in try #require(RuleGroup.all.first { $0.kind == "manifests" }).rules {
      let output =
        try #require(try Self.output(of: rule, "manifests"), "\(rule.code) has no example")
        .joined(separator: "\n") + "\n"
      let codes =
        output.matches(of: /(error|warning|note): .* \[([a-z-]+)\]\n/)
        .filter { $0.1 == "error" || rule.code == $0.2 }.map { String($0.2) }
        + output.matches(of: /"code": "([a-z-]+)"/).map { String($0.1) }
      #expect(Set(codes) == [rule.code], "\(rule.code): \(codes)")
    }
  }

  @Test("Each example is named for a rule")
  func names() throws {
    let files = Set(
      RuleGroup.all.flatMap { explanation in
        explanation.rules.map { "\(explanation.kind)/\($0.code).md" }
      })
    for example in try FileManager.default.subpathsOfDirectory(atPath: Project.path(Self.folder))
    where example.hasSuffix(".md") {
      #expect(files.contains(example), "\(example)")
    }
  }
}

@Suite("Explanation")
struct ExplanationTests {
  @Test("Every rule that the sources declare is described and explained, and no other")
  func complete() throws {
    var declared: [String] = []
    var described: [String] = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: Project.path("Sources"))
    for file in files where file.hasSuffix("Rules.swift") {
      let codes = try Project.text("Sources/\(file)")
        .matches(of: /static let \w+ = catalogue\["([a-z0-9-]+)"\]/).map { String($0.1) }
      let headings = try Project.text("Sources/\(file.dropLast(".swift".count)).md")
        .matches(of: /## ([a-z0-9-]+)/).map { String($0.1) }
      // Of a rule that its own module's catalogue lacks, nothing could be said.
      #expect(codes.sorted() == headings.sorted(), "\(file)")
      declared += codes
      described += headings
    }
    #expect(declared.count > 180)
    #expect(RuleGroup.all.flatMap(\.rules).map(\.code).sorted() == described.sorted())
  }

  @Test("Each says what it is in a sentence, and what to do")
  func words() {
    for rule in RuleGroup.all.flatMap(\.rules) {
      for text in [rule.means, rule.remedy, rule.summary] {
        #expect(text.hasSuffix("."), "\(rule.code): \(text)")
        #expect(!text.contains("\n") && !text.contains("  "), "\(rule.code): \(text)")
      }
    }
    for explanation in RuleGroup.all {
      let codes = explanation.rules.map(\.code)
      #expect(codes == Set(codes).sorted())
    }
  }

  @Test("The program explains a code, with the nearest one where there is none")
  func program() throws {
    #expect(try RuleGroup.text(of: "[unknown-node]").hasPrefix("unknown-node: a problem in"))
    for (typed, meant) in [
      ("unknown-nod", "unknown-node"), ("unrouted", "unrouted-delegate"),
      ("delegate", "unknown-delegate"), ("stal", "stale"),
    ] {
      let error = #expect(throws: Rejection.self) { try RuleGroup.text(of: typed) }
      #expect(error?.message.hasSuffix("did you mean '\(meant)'?") == true)
    }
    for rule in RuleGroup.rules { #expect(RuleGroup.list.contains("  \(rule.code)\n")) }
  }
}
