internal import AppCheck
internal import AppCore
internal import AppCoreHost
import Foundation
import TestSupport
import Testing

@Suite("Problems for programs")
struct ReportFormatTests {
  /// Problems of every weight, one with a second place, one behind wide characters.
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

  private func decoded(
    _ format: ReportFormat, of other: ManifestReport? = nil
  ) throws -> Value { try Value(json: (other ?? report).rendered(format)) }

  @Test("The JSON holds every problem that the text does, in its order, with its place")
  func json() throws {
    let tree = try decoded(.json)
    #expect(tree["version"] == 1)
    #expect(tree["columns"] == "unicode-scalars")
    let headlines = tree["problems"].elements.map { problem in
      func part(_ key: String) -> String { problem[key]?.plain ?? "?" }
      return "\(part("path")):\(part("line")):\(part("column")): \(part("severity")): "
        + "\(part("message")) [\(part("code"))]"
    }
    let printed = report.text.split(separator: "\n").map(String.init).filter { $0.hasSuffix("]") }
    #expect(headlines == printed)
    #expect(headlines.count == report.problems.count)
    let count = ["errors", "warnings", "notes"].map { tree[$0]?.plain ?? "0" }.compactMap(Int.init)
    #expect(count.reduce(0, +) == report.problems.count)
    let duplicate = tree["problems"].elements.first { $0["code"] == "duplicate-key" }
    #expect(duplicate?["related"].elements.first?["line"] == 7)
  }

  @Test("Of many problems some are shown, and how many are not is said in every format")
  func limit() throws {
    let routes = (0..<150).map { "  - { from: ask, action: a\($0), push: b\($0) }\n" }.joined()
    let report = ManifestReport(
      text: "appcore: 1\nstart: ask\nvars: { unused: { default: 1 } }\n"
        + "nodes: { ask: { feature: A.B } }\nroutes:\n\(routes)", path: "a.yaml")
    let count = report.problems.count
    #expect(count > 150)
    func printed(_ selection: ReportSelection) -> Int {
      report.rendered(.text, selection).split(separator: "\n").count { $0.hasSuffix("]") }
    }
    #expect(printed(ReportSelection()) == 100)
    #expect(printed(ReportSelection(limit: 1_000)) == count)
    #expect(printed(ReportSelection(limit: -1)) == 0)
    #expect(
      report.text.hasSuffix("and \(count - 100) more; '--max-problems' shows them\n"))
    // Errors come before warnings where not all are shown.
    #expect(!report.text.contains("unused-variable"))
    let tree = try decoded(.json, of: report)
    #expect(tree["omitted"] == .int(count - 100))
    #expect(tree["problems"].elements.count == 100)
    let log = try decoded(.sarif, of: report)
    #expect(try SchemaValidator(SARIFSchema.text).problems(of: log) == [])
    #expect(report.rendered(.sarif).contains("and \(count - 100) more problems"))
  }

  @Test("Warnings and notes can be left out, by their code or by a comment on their line")
  func ignoring() {
    func report(_ comment: String) -> ManifestReport {
      ManifestReport(
        text:
          "appcore: 1\nstart: a\nvars:\n  unused: { default: 1 }\(comment)\nnodes: { a: { tabs: [a] } }\n",
        path: "a.yaml")
    }
    let all = report("")
    #expect(all.text.contains("[unused-variable]") && all.text.contains("[container-cycle]"))
    let selection = ReportSelection(ignoredCodes: ["unused-variable", "container-cycle"])
    #expect(!all.rendered(.text, selection).contains("[unused-variable]"))
    #expect(all.rendered(.text, selection).contains("[container-cycle]"))
    #expect(!report("  # appcore: ignore unused-variable").text.contains("[unused-variable]"))
    #expect(report("  # appcore: ignore idle-route").text.contains("[unused-variable]"))
  }

  @Test("A warning ends with the status of an error where that is wanted")
  func warnings() {
    let report = ManifestReport(
      text: """
        appcore: 1
        plugins: [Dialogs]
        vars: { unused: { default: 1 } }
        start: ask
        nodes: { ask: { feature: Dialogs.Confirm, with: { question: x } } }
        routes: [ { from: any, action: [confirmed, declined], do: ignore } ]
        """, path: "a.yaml")
    #expect(report.text.contains("[unused-variable]"))
    #expect(report.exitStatus == 0)
    #expect(report.exitStatus(ReportSelection(warningsAreErrors: true)) == 65)
    let selection = ReportSelection(ignoredCodes: ["unused-variable"], warningsAreErrors: true)
    #expect(report.exitStatus(selection) == 0)
    #expect(report.problemCount(selection) == 0)
  }

  @Test("The SARIF log has what the standard asks for, and nothing that it does not know")
  func sarif() throws {
    let schema = try SchemaValidator(SARIFSchema.text)
    #expect(schema.problems(of: try decoded(.sarif)) == [])
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

  @Test("Regions count UTF-16 code units, so that they cut out what the message quotes")
  func columns() throws {
    let results = try decoded(.sarif)["runs"].elements.first?["results"].elements ?? []
    let lines = Self.text.components(separatedBy: "\n")
    func cut(_ code: String) -> String? {
      let region = results.first { $0["ruleId"]?.plain == code }?["locations"].elements.first?[
        "physicalLocation"]?["region"]
      guard case .int(let line)? = region?["startLine"],
        case .int(let start)? = region?["startColumn"],
        case .int(let end)? = region?["endColumn"]
      else { return nil }
      return (lines[line - 1] as NSString).substring(
        with: NSRange(location: start - 1, length: end - start))
    }
    #expect(cut("superfluous-field") == "quetion")
    #expect(cut("unknown-node") == "\"🙂x\"")
    #expect(cut("unused-variable") == "unused")
  }

  @Test("Every format for programs has the replacement, with its place")
  func corrections() throws {
    let problem = try decoded(.json)["problems"].elements
      .first { $0["code"] == "superfluous-field" }
    let fix = try #require(problem?["fix"])
    #expect(fix["certain"] == true)
    let edit = try #require(fix["edits"].elements.first)
    #expect(edit["text"] == "question" && edit["line"] == 6)
    #expect(edit["column"] == problem?["column"] && edit["endColumn"] == problem?["endColumn"])
    let result = try decoded(.sarif)["runs"].elements.first?["results"].elements
      .first { $0["ruleId"] == "superfluous-field" }
    let change = result?["fixes"].elements.first?["artifactChanges"].elements.first
    let replacement = change?["replacements"].elements.first
    #expect(replacement?["insertedContent"]?["text"] == "question")
    #expect(
      replacement?["deletedRegion"]
        == result?["locations"].elements.first?["physicalLocation"]?["region"])
  }

  @Test("Paths are URIs, relative where the path is")
  func uris() throws {
    let artifacts = try decoded(.sarif)["runs"].elements.first?["artifacts"].elements
    #expect(artifacts?.first?["location"]?["uri"] == "dir%20with%20space/%C3%A4.yaml")
    let absolute = ManifestReport(text: "", path: "/tmp/a.yaml").rendered(.sarif)
    #expect(absolute.contains("\"uri\": \"file:///tmp/a.yaml\""))
  }

  @Test("A plugin that can't be loaded is reported with its stage, its own code and the remedy")
  func plugins() throws {
    let text = "appcore: 1\nplugins: [Nowhere]\nstart: a\nnodes: { a: { feature: Nowhere.A } }\n"
    let report = ManifestReport(text: text, path: "m.yaml")
    #expect(report.exitStatus == 69)
    let tree = try decoded(.json, of: report)
    let plugin = tree["problems"].elements.first?["plugin"]
    #expect(plugin?["stage"] == "found")
    #expect(plugin?["code"] == "plugin-not-found")
    #expect(plugin?["help"]?.plain.contains("--plugin-path") == true)
    #expect(plugin?["details"].elements.isEmpty == false)
    #expect(report.rendered(.sarif).contains("help: build the plugin"))
  }

  @Test("Without problems the objects are whole, and the status is 0")
  func clean() throws {
    let path = Project.path("Tests/Fixtures/manifests/mocks/good.yaml")
    let report = try ManifestReport(path)
    #expect(!report.hasErrors)
    let schema = try SchemaValidator(SARIFSchema.text)
    #expect(schema.problems(of: try decoded(.sarif, of: report)) == [])
  }

  @Test("The same manifest gives the same bytes")
  func deterministic() {
    let again = ManifestReport(text: Self.text, path: "dir with space/ä.yaml")
    for format in ReportFormat.allCases {
      #expect(report.rendered(format) == again.rendered(format))
    }
  }

  @Test("The program prints each format on standard output, with the same status")
  func program() async throws {
    let bench = try Workbench()
    let file = try bench.write(Self.text, to: "m.yaml")
    for format in ReportFormat.allCases {
      let outcome = try await bench.appcore(["check", file, "--format", format.rawValue])
      #expect(outcome.status == 65)
      #expect(outcome.output.contains("superfluous-field"))
      #expect(outcome.errors == "")
    }
    #expect(try await bench.appcore(["check", file, "--format", "xml"]).status == 64)
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
  fileprivate func rendered(
    _ format: ReportFormat, _ selection: ReportSelection = ReportSelection()
  ) -> String {
    Self.rendered([self], format, selection)
  }
}
