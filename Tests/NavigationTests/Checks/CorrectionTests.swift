@_spi(Host) import AppCore
import Foundation
import Manifest
import Support
import Testing

@_spi(Host) @testable import AppCheck
@_spi(Host) @testable import Navigation

/// What messages suggest is done, and looked at again.
@Suite("Corrections")
struct CorrectionTests {
  /// A manifest that was checked: what is wrong with it, and its files.
  private struct Checked {
    let problems: [Diagnostic]
    let sources: SourceMap

    /// Checks a text; with features where `path` is a fixture for them.
    init(_ bytes: [UInt8], path: String) {
      let loaded = ManifestLoader(options: .init(environment: { _ in nil }))
        .load(bytes, path: path)
      sources = loaded.sources
      let found = path.contains("err/features/") ? loaded.built().problems : []
      problems = (loaded.problems + found).sortedByPosition()
    }

    /// The codes and messages of the errors.
    var errors: [String] {
      problems.filter { $0.severity == .error }.map { "\($0.code): \($0.message)" }
    }
  }

  private static let fixtures: [String] = {
    let folder = GoldenProblemTests.folder.deletingLastPathComponent()
    return [folder, GoldenProblemTests.folder].flatMap { folder in
      GoldenProblemTests.manifests(in: folder).map {
        folder.appending(path: "\($0).yaml").path(percentEncoded: false)
      }
    }
  }()

  @Test("A name that YAML would read as something else is quoted")
  func quotedWords() throws {
    let text = """
      appcore: 1
      plugins: [Shop]
      start: "null"
      nodes:
        "null": { feature: Shop.List }
      routes:
        - { from: "null", action: selected, push: nul }
      """
    let checked = Checked(Array(text.utf8), path: "err/features/quoted.yaml")
    let problem = try #require(checked.problems.first { $0.code == "unknown-node" })
    let edits = checked.sources.edits(of: problem)
    #expect(edits.map(\.text) == [#""null""#])
  }

  private func apply(_ edits: [TextEdit], _ checked: Checked) -> [UInt8] {
    checked.sources.text(ofFile: 0, with: edits).bytes
  }

  @Test("A suggestion removes the problem, and a certain one breaks nothing")
  func suggestions() throws {
    var corrected: Set<String> = []
    for path in Self.fixtures {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let checked = Checked(bytes, path: path)
      for problem in checked.problems {
        let edits = checked.sources.edits(of: problem)
        // A variable that `--set` names is not in the text.
        if problem.message.contains("did you mean"), problem.correction != nil {
          #expect(!edits.isEmpty, "\(path): \(problem.message)")
        }
        guard let change = problem.correction, !edits.isEmpty else { continue }
        #expect(edits.allSatisfy { $0.range.file == 0 })
        corrected.insert(problem.code)
        let again = Checked(apply(edits, checked), path: path)
        let same = again.problems.filter {
          $0.code == problem.code && $0.message == problem.message && $0.range == problem.range
        }
        #expect(same.isEmpty, "\(path): \(problem.message) is still there")
        if change.isCertain, !checked.errors.contains(where: { $0.hasPrefix("syntax:") }) {
          #expect(
            !again.errors.contains { $0.hasPrefix("syntax:") }, "\(path): \(problem.message)")
        }
      }
    }
    #expect(corrected == Self.codes)
  }

  /// The rules that suggest something; each has a fixture.
  private static let codes: Set<String> = [
    "bad-reference", "comment-in-text", "escaped-dollar", "never-given", "plugin-unavailable",
    "superfluous-field", "syntax", "text-for-reference", "undefined-alias", "unknown-delegate",
    "unknown-feature", "unknown-field", "unknown-input", "unknown-key", "unknown-node",
    "unknown-parameter", "unknown-plugin", "unknown-value", "unknown-variable", "unknown-verb",
    "unquoted-indicator", "unquoted-template", "wrong-shape", "yes-no-boolean",
  ]

  @Test("All that is certain is corrected at once, and what is left is not certain")
  func together() throws {
    for path in Self.fixtures {
      var checked = Checked([UInt8](try Data(contentsOf: URL(filePath: path))), path: path)
      for round in 0..<8 {
        let edits = checked.problems.filter { $0.correction?.isCertain ?? false }
          .flatMap { checked.sources.edits(of: $0) }
        guard !edits.isEmpty else { break }
        #expect(round < 7, "\(path) is never done")
        checked = Checked(apply(edits, checked), path: path)
      }
    }
  }

  private func corrected(_ text: String) -> String {
    let checked = Checked(Array(text.utf8), path: "err/features/a.yaml")
    let edits = checked.problems.flatMap { checked.sources.edits(of: $0) }
    return String(decoding: apply(edits, checked), as: UTF8.self)
  }

  @Test("A correction keeps the quotes that are there, and puts quotes where they are due")
  func quotes() {
    #expect(
      corrected("appcore: 1\nstart: \"lsit\"\nnodes: { list: { feature: A.B } }\n")
        .contains("start: \"list\""))
    #expect(
      corrected("appcore: 1\nstart: 'lsit'\nnodes: { list: { feature: A.B } }\n")
        .contains("start: 'list'"))
    #expect(
      corrected("appcore: 1\nstart: a\nnodes: { a: { feature: A.B, with: { x: $dir/y } } }\n")
        .contains("x: \"{$dir}/y\""))
    #expect(
      corrected("appcore: 1\nstart: a\nnodes:\n  a:\n    title: {$x} is \t # really\n")
        .contains("    title: \"{$x} is\" \t # really\n"))
  }

  @Test("A name that is misspelt everywhere is corrected everywhere")
  func everywhere() {
    let text = corrected(
      """
      appcore: 1
      start: lsit
      nodes: { list: { feature: A.B }, home: { tabs: [list, lsit] } }
      links: [ { path: a, open: [home, lsit] } ]

      """)
    #expect(!text.contains("lsit"))
  }

  @Test("Text with escapes is left alone")
  func escapes() {
    let text = "appcore: 1\nstart: \"ls\\x69t\"\nnodes: { list: { feature: A.B } }\n"
    #expect(corrected(text) == text)
  }

  @Test("Of two names that are equally close none is certain")
  func ambiguous() {
    func isCertain(_ nodes: String) -> Bool? {
      let text =
        "appcore: 1\nstart: home\nnodes: { home: { tabs: [\(nodes)x, \(nodes)] }, "
        + nodes.split(separator: ",").map { "\($0): { feature: A.B }" }.joined(separator: ", ")
        + " }\n"
      return Checked(Array(text.utf8), path: "a.yaml").problems
        .first { $0.code == "unknown-node" }?.correction?.isCertain
    }
    #expect(isCertain("alert") == true)
    #expect(isCertain("alerts, alerty, alert") == false)
  }
}
