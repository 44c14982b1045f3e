internal import AppCheck
internal import AppCore
internal import AppCoreHost
import Foundation
import TestSupport
import Testing

/// The SARIF log against its standard; what each format says is in `Tests/Transcripts/check/formats.md`.
@Suite("Problems for programs")
struct ReportFormatTests {
  /// Problems of every weight, one with a second place.
  private static let text = """
    appcore: 1
    plugins: [Dialogs]
    vars: { unused: { default: 1 } }
    start: ask
    nodes:
      ask: { feature: Dialogs.Confirm, title: "文🙂", with: { quetion: x } }
      note: { feature: Dialogs.Notice }
      note: { feature: Dialogs.Notice }
    routes:
      - { from: ask, action: confirmed, push: ask }
      - { from: ask, action: declined, do: [ignore, { push: "🙂x" }] }

    """

  private let report = ManifestReport(text: text, path: "dir with space/ä.yaml")

  /// What SARIF 2.1.0 says of the objects that a log of ours holds, from sections 3.13 to 3.54 of the
  /// standard: the properties that they must have, and no property that the standard does not name.
  private static func sarifSchema() throws -> SchemaValidator {
    try SchemaValidator(try Project.text("Tests/Fixtures/sarif-2.1.0.schema.json"))
  }

  private func decoded(
    _ format: ReportFormat, of other: ManifestReport? = nil
  ) throws -> Value { try Value(json: (other ?? report).rendered(format)) }

  @Test("The SARIF log has what the standard asks for, and nothing that it does not know")
  func sarif() throws {
    let schema = try Self.sarifSchema()
    let good = try ManifestReport(Project.path("Tests/Fixtures/manifests/mocks/good.yaml"))
    let routes = (0..<150).map { "  - { from: a, action: a\($0), push: b\($0) }\n" }.joined()
    let many = ManifestReport(
      text: "appcore: 1\nstart: a\nnodes: { a: { feature: A.B } }\nroutes:\n\(routes)",
      path: "a.yaml")
    #expect(!good.hasErrors && many.problems.count > 100)
    for report in [report, good, many] {
      #expect(schema.problems(of: try decoded(.sarif, of: report)) == [])
    }
    // The tester is tested: what the standard does not allow is refused.
    let broken = report.rendered(.sarif)
      .replacingOccurrences(of: "\"startLine\"", with: "\"line\"")
    #expect(schema.problems(of: try Value(json: broken)) != [])
  }

  @Test("Every result of the SARIF log has its rule, with words of help")
  func rules() throws {
    let run = try decoded(.sarif)["runs"].elements.first
    let rules = run?["tool"]?["driver"]?["rules"].elements ?? []
    let results = run?["results"].elements ?? []
    #expect(results.count == report.problems.count)
    for result in results {
      guard case .int(let index)? = result["ruleIndex"], rules.indices.contains(index) else {
        Issue.record("a result has no rule: \(result.json)")
        continue
      }
      #expect(rules[index]["id"] == result["ruleId"])
      #expect(rules[index]["help"]?["text"]?.plain.isEmpty == false)
      #expect(rules[index]["shortDescription"]?["text"]?.plain.isEmpty == false)
    }
    #expect(Set(results.compactMap { $0["level"]?.plain }) == ["error", "warning"])
    let second = results.compactMap { $0["relatedLocations"].elements.first }
    #expect(second.count == 1)
    #expect(second.first?["message"]?["text"] == "first defined here")
  }
}

extension Value? {
  /// The elements of a list; none of anything else.
  fileprivate var elements: [Value] {
    if case .array(let elements)? = self { elements } else { [] }
  }
}

extension Value {
  /// A scalar as it is written.
  fileprivate var plain: String {
    if case .string(let text) = self { text } else { json }
  }
}

extension ManifestReport {
  fileprivate func rendered(_ format: ReportFormat) -> String {
    Self.rendered([self], format, ReportSelection())
  }
}
