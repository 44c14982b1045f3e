import Foundation
import Manifest
import Support
import Testing

@testable import AppCheck
@testable import Navigation

/// Each manifest under `err/features` with what checking it against mock features prints.
@Suite("GraphBuilder: golden problems")
struct GoldenProblemTests {
  static let folder: URL = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/manifests/err/features")

  static let names: [String] = manifests(in: folder)
  private static let rightNames: [String] = manifests(in: right)

  /// The names of the manifests in a folder.
  static func manifests(in folder: URL) -> [String] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "yaml" }
      .map { $0.deletingPathExtension().lastPathComponent }.sorted()
  }

  private static let right: URL = folder.deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "ok/features")

  /// A manifest that was checked against mock features.
  struct Checked {
    let problems: [Diagnostic]
    /// Whether there is a graph if, and only if, the checks with features find no error.
    let hasGraphIfRight: Bool
    private let printed: String
    private let golden: URL

    /// Checks the manifest with a name in a folder.
    init(_ name: String, in folder: URL) throws {
      let path = folder.appending(path: "\(name).yaml").path(percentEncoded: false)
      let loaded = try ManifestLoader(options: .init(environment: { _ in nil })).load(path: path)
      if loaded.isComplete {
        let built = loaded.built()
        problems = (loaded.problems + built.problems).sortedByPosition()
        hasGraphIfRight = (built.graph == nil) == built.problems.containsErrors
      } else {
        problems = loaded.problems
        hasGraphIfRight = true
      }
      printed = DiagnosticRenderer(sources: loaded.sources).render(problems)
        .replacing(folder.path(percentEncoded: false) + "/", with: "")
      golden = folder.appending(path: "\(name).out")
    }

    /// Expects what was recorded.
    func expectGolden() throws {
      if ProcessInfo.processInfo.environment["RECORD"] == "1" {
        try printed.write(to: golden, atomically: true, encoding: .utf8)
      }
      #expect(printed == (try String(contentsOf: golden, encoding: .utf8)))
    }
  }

  @Test("Everything wrong is reported, as it was recorded", arguments: names)
  func golden(name: String) throws {
    let checked = try Checked(name, in: Self.folder)
    #expect(!checked.problems.isEmpty)
    #expect(checked.hasGraphIfRight)
    try checked.expectGolden()
  }

  @Test("What is right has no problem", arguments: rightNames)
  func right(name: String) throws {
    let checked = try Checked(name, in: Self.right)
    #expect(checked.problems.map(\.message) == [])
    #expect(checked.hasGraphIfRight)
  }

  @Test("There are manifests to check")
  func areFound() {
    #expect(Self.names.count >= 100)
    #expect(Self.rightNames.count >= 10)
  }
}
