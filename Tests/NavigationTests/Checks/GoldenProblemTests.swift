import Diagnostics
import Foundation
import Manifest
import Testing

@testable import Navigation

/// Each manifest under `err/features` with what checking it against mock features prints.
@Suite("GraphBuilder: golden problems")
struct GoldenProblemTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/manifests/err/features")

  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "yaml" }
      .map { $0.deletingPathExtension().lastPathComponent }.sorted()
  }()

  @Test("Everything wrong is reported, as it was recorded", arguments: names)
  func golden(name: String) throws {
    let path = Self.folder.appending(path: "\(name).yaml").path(percentEncoded: false)
    let loaded = try ManifestLoader(options: .init(environment: { _ in nil })).load(path: path)
    let manifest = try #require(loaded.manifest)
    let built = GraphBuilder.build(
      manifest, catalog: .mocks, pluginNames: manifest.plugins.map { $0.reference.description },
      hasGaps: loaded.problems.contains(where: \.leavesGap))
    let problems = (loaded.problems + built.problems).sortedByPosition()
    #expect(!problems.isEmpty)
    #expect((built.graph == nil) == built.problems.containsErrors)
    let printed = DiagnosticRenderer(sources: loaded.sources).render(problems)
      .replacing(Self.folder.path(percentEncoded: false) + "/", with: "")
    let golden = Self.folder.appending(path: "\(name).out")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try printed.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(printed == (try String(contentsOf: golden, encoding: .utf8)))
  }

  @Test("There are manifests to check")
  func areFound() { #expect(Self.names.count >= 80) }
}
