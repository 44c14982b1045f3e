@_spi(Host) internal import AppCore
import Foundation
internal import Manifest
internal import Support
internal import TestSupport
import Testing

@testable import AppCheck
@_spi(Host) @testable import AppCoreHost
@testable import AppCoreHostTesting

/// What a slip of the hand in a right manifest leads to.
@Suite(
  "Misspelling any scalar", .ownThread,
  .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct MisspellingTests {
  // Not the gallery of case studies: it says the same many times over, and takes minutes.
  static let shipped = ["manifests/notes.yaml", "manifests/packages.yaml"]

  @Test(
    "A shipped manifest stays valid, or the slip is one error, on its line", arguments: shipped)
  func shippedManifest(name: String) throws {
    let path = Project.path(name)
    let loaded = try LoadedApp.load(path)
    try check(
      try Project.text(name), path: path, linked: loaded.plugins.map { try $0.member.load() })
  }

  @Test("The example that explains the manifest stays valid, or the slip is one error, on its line")
  func example() throws {
    let name = "Tests/Fixtures/manifests/ok/netconsole/netconsole.yaml"
    try check(
      try Project.text(name), path: Project.path(name),
      linked: try MockFeature.plugins(of: NetconsoleTests.mocks, besides: []))
  }

  @Test("The scalars of a line are found as YAML has them")
  func scalars() {
    let line = Array("  - { a: \"b: c\", d-e: [f, $.g], h: \"\" }  # no: more")
    #expect(
      Misspelling.scalars(of: line).map { String(line[$0]) } == [
        "a", "b: c", "d-e", "f", "$.g", "h",
      ])
    #expect(Misspelling.all(in: "ab: aa").count == 9)
  }

  private func check(_ text: String, path: String, linked: [LoadedPlugin]) throws {
    var options = AppOptions(environment: ["HOME": "/home/ada"])
    options.scanner = nil
    options.linkedPlugins = linked
    #expect(!ManifestReport(text: text, path: path, options: options).hasErrors)
    var told = 0
    var valid = 0
    var missed: [String] = []
    var several: [String] = []
    for misspelling in Misspelling.all(in: text).sample(every: 5) {
      let report = ManifestReport(
        text: misspelling.text, path: path, options: options)
      // Of what is defined twice the later one is told, with the place of the first; of a name that
      // is not defined, the place of the definition that is probably misspelt.
      let lines = report.problems.flatMap { problem in
        [problem.range.start.line, problem.related?.range.start.line].compactMap { $0 }
      }
      let errors = report.problems.filter { $0.severity == .error }
      if errors.count > 1 {
        several.append("\(misspelling): \(errors.map { "\($0.range.start.line) \($0.message)" })")
      }
      // A definition that is misspelt is told by its name, where the right one is used.
      let line = misspelling.text.components(separatedBy: "\n")[misspelling.line - 1]
      let isNamed = report.problems.contains { problem in
        problem.message.components(separatedBy: "did you mean '").dropFirst().contains { rest in
          rest.firstIndex(of: "'").map { line.contains(rest[..<$0]) } ?? false
        }
      }
      if lines.contains(misspelling.line) || isNamed {
        told += 1
      } else if report.hasErrors {
        missed.append(
          "\(misspelling): only \(report.problems.map { "\($0.range.start.line) \($0.message)" })")
      } else {
        valid += 1
      }
    }
    #expect(missed.isEmpty, "\(missed.count): \(missed.prefix(12).joined(separator: "\n"))")
    #expect(several.isEmpty, "\(several.count): \(several.prefix(12).joined(separator: "\n"))")
    #expect(told > valid, "\(told) told, \(valid) valid")
  }
}
