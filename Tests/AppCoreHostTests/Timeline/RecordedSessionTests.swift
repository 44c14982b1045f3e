@_spi(Host) internal import AppCore
internal import AppCoreHost
internal import Conversation
import Foundation
import TestSupport
import Testing
internal import Timeline

/// Random sessions of the apps that ship, recorded and run again.
@Suite("Random sessions")
struct RecordedSessionTests {
  /// How many are tried of each app; `make recordings` sets it.
  private static let count =
    ProcessInfo.processInfo.environment["APPCORE_RECORDED_SESSIONS"].flatMap(Int.init) ?? 10

  private static let words = ["ada", "\"\"", "lib", "Milk\\neggs", "3", "on", "off", "new"]

  /// Types what may come to anybody's mind.
  private static func line(_ random: inout SplitMix64, _ extra: [String]) -> String {
    let number = Int.random(in: 1...9, using: &random)
    let word = words.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: return "\(number)"
    case 4, 5: return "\(number) \(word)"
    case 6: return ":back"
    case 7: return ":dismiss"
    default: return extra.randomElement(using: &random) ?? ":next"
    }
  }

  private func sessions(
    _ manifest: String, _ options: AppOptions, extra: [String],
    dependencies: @Sendable () -> DependencyValues
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a.recording").path
    let loaded = try LoadedApp.load(Project.path(manifest), options: options)
    for seed in 0..<Self.count {
      var random = SplitMix64(seed: UInt64(seed))
      var timeline = TimelineOptions()
      timeline.file = try RecordingFile(path: file)
      let app = App(loaded, dependencies: dependencies(), profiler: nil, timeline: timeline)
      try await app.begin()
      await app.converse()
      _ = await app.settle()
      var typed: [String] = []
      for _ in 0..<Int.random(in: 5...30, using: &random) {
        let line = Self.line(&random, extra)
        typed.append(line)
        _ = await app.send(line: line)
      }
      _ = await app.end(within: .seconds(5))
      let outcome = try await App(loaded).check(file)
      #expect(outcome.problem == nil)
      let divergence = outcome.divergence
      #expect(
        divergence == nil,
        """
        seed \(seed), step \(divergence?.step.number ?? 0) \(divergence?.step.text ?? ""): \
        \(divergence?.changes.map(\.text) ?? []) \(divergence?.reason ?? "") after \(typed)
        """)
      #expect(outcome.verified > 0)
    }
  }

  @Test("The packages app does again what it did")
  func packages() async throws {
    try await sessions(
      "manifests/packages.yaml", Project.smallDatabase,
      extra: [":next", ":open /list/detail;name=libc6", "@libc6", "@filter lib", "@gcc-12-base"]
    ) { DependencyValues() }
  }

  @Test("The notes app does again what it did")
  func notes() async throws {
    var options = AppOptions()
    options.settings = ["folder": "/notes"]
    try await sessions(
      "manifests/notes.yaml", options,
      extra: [
        "@name ada", "@password x", "@login", "@new", "@text \"Milk\"", "@line bread", "@save",
        "@close", ":tab account", "@logout", "@yes", "@no",
      ]
    ) {
      var values = DependencyValues()
      values.fileSystem = .inMemory()
      values.environment = ["HOME": "/home/ada"]
      values.sharedStorage = SharedStorage()
      return values
    }
  }
}
