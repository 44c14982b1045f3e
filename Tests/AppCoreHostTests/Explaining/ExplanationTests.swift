internal import AppCoreHost
import Foundation
internal import Support
import Testing

@Suite("Explanation")
struct ExplanationTests {
  @Test("Every rule that the sources declare is explained, and no other")
  func complete() throws {
    var declared: [String] = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: Project.path("Sources"))
    for file in files where file.hasSuffix("Rules.swift") {
      let text = try Project.text("Sources/\(file)")
      declared += text.matches(of: /static let \w+ = Rule\(\s*"([a-z0-9-]+)"/).map { String($0.1) }
    }
    #expect(declared.count > 180)
    #expect(RuleGroup.all.flatMap(\.rules).map(\.code).sorted() == declared.sorted())
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
