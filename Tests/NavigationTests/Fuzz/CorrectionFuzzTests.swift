@_spi(Host) import AppCheck
@_spi(Host) import AppCore
import Foundation
import Manifest
@_spi(Host) import Navigation
import Support
internal import TestSupport
import Testing

/// What `--fix` makes of damaged manifests.
@Suite("Corrections of damaged manifests")
struct CorrectionFuzzTests {
  @Test("One run corrects all that is certain: a second changes nothing, and none adds a problem")
  func once() throws {
    var mutator = ManifestMutator(
      seeds: try Self.seeds(), random: SplitMix64(seed: 0xF1C5), changes: 0...1)
    var corrected = 0
    for number in 0..<(runsAllTests ? 20_000 : 300) {
      let bytes = mutator.next()
      let isLost = number % 3 == 0
      let first = Self.run(bytes, isLost: isLost)
      guard let fixed = first.contents[Self.path] else { continue }
      corrected += 1
      let text = String(decoding: bytes, as: UTF8.self)
      let again = Self.run(fixed, isLost: isLost)
      #expect(
        again.contents.isEmpty,
        "\(again.steps.map { ($0.problem.message, $0.edit.text) }) in:\n\(text)")
      Self.expectNothingNew(first, before: bytes, after: fixed, isLost: isLost)
    }
    #expect(corrected > (runsAllTests ? 2_500 : 40), "\(corrected)")
  }

  /// Expects that the corrected text has no more problems than the damaged one, but for those that
  /// could not be seen before.
  private static func expectNothingNew(
    _ run: CorrectionRun, before: [UInt8], after: [UInt8], isLost: Bool
  ) {
    let (old, new) = (check(before, isLost: isLost), check(after, isLost: isLost))
    // What a name stands for, or what a field holds, is checked once the name is right.
    let hid = run.steps.contains {
      $0.problem.leavesGap || $0.problem.code.hasPrefix("unknown-")
        || $0.problem.code == "superfluous-field"
    }
    guard old.isWhole else { return }
    #expect(new.isWhole, "\(run.steps.map(\.problem.message))")
    guard !hid else { return }
    #expect(
      new.problems.count < old.problems.count,
      "\(new.problems.map(\.message)) after \(run.steps.map(\.problem.message))")
  }

  private static let path = "input.yaml"

  private static func run(_ bytes: [UInt8], isLost: Bool) -> CorrectionRun {
    CorrectionRun { check($0[path] ?? bytes, isLost: isLost) }
  }

  private static func check(
    _ bytes: [UInt8], isLost: Bool
  ) -> (problems: [Diagnostic], sources: SourceMap, isWhole: Bool) {
    let loaded = ManifestLoader(options: .init(environment: { _ in nil })).load(bytes, path: path)
    let isWhole = loaded.manifest != nil && loaded.isComplete
    guard let manifest = loaded.manifest, isWhole else {
      return (loaded.problems, loaded.sources, isWhole)
    }
    let names = manifest.plugins.map { $0.reference.description }
    var catalog = FeatureCatalog.mocks
    // As if no library was built.
    if isLost { for name in names { catalog[name] = .unavailable(cause: "it is not built") } }
    let built = GraphBuilder.build(
      manifest, catalog: catalog, pluginNames: names, gaps: loaded.gaps)
    return ((loaded.problems + built.problems).sortedByPosition(), loaded.sources, isWhole)
  }

  private static func seeds() throws -> [[UInt8]] {
    let folder = GoldenProblemTests.folder.deletingLastPathComponent()
    return try ["", "features", "mistakes"].flatMap { name in
      let files = try FileManager.default.contentsOfDirectory(
        at: folder.appending(path: name), includingPropertiesForKeys: nil)
      return try files.filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
        .map { Array(try Data(contentsOf: $0)) }.filter { $0.count < 4_000 }
    }
  }
}
