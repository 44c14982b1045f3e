@_spi(Host) internal import AppCore
@_spi(Host) internal import AppCoreHost
import Foundation
internal import Navigation
internal import Sessions
internal import Shell
internal import Support
import TestSupport
import Testing

@Suite("Recordings of apps")
struct AppRecordingTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path + "/a.recording"
  }

  /// Records an app that carries out lines.
  private func record(_ lines: String...) async throws {
    let app = try await WalkApp.begun(file: file)
    for line in lines { _ = await app.type(line) }
    _ = await app.end(within: .seconds(1))
  }

  private func check<Rule: WalkRule>(_ path: String, _ rule: Rule.Type) async throws
    -> ReplayOutcome
  {
    try await App(try WalkApp.loaded(rule)).check(path)
  }

  @Test("A recording has no secret in it, and the same steps when it is run again")
  func recorded() async throws {
    try await record(
      "@step", "@stamp", "@stamp", "@later", "@password hunter2", "@check", "@open", "@double",
      ":back")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("hunter2"))
    #expect(text.contains("<secret>"))
    #expect(text.hasSuffix("{\"end\":true}\n"))
    let outcome = try await check(file, FirstRule.self)
    #expect(outcome.divergence == nil)
    // Typing the password, and counting its characters.
    #expect(outcome.unverified == 2)
    #expect(outcome.verified == 11)
    #expect(outcome.facts.hasEnd)
  }

  @Test("A changed line of a reducer is found, at the step that reaches it, by field")
  func divergence() async throws {
    try await record("@step", "@open", "@double", "@step")
    #expect(try await check(file, FirstRule.self).divergence == nil)
    let divergence = try #require(try await check(file, SecondRule.self).divergence)
    #expect(divergence.step.text == ".view(.doubleTapped)")
    #expect(divergence.changes.map(\.path) == ["count"])
    #expect(divergence.changes.first?.before == 2)
    #expect(divergence.changes.first?.after == 3)
  }

  @Test("What is in the history is a recording too, which begins where the history does")
  func saved() async throws {
    let app = try await WalkApp.begun(historyLimit: 60_000)
    for count in 1...600 {
      _ = await app.type("@step")
      // However slow the machine is, no step is left out for want of room.
      if count % 100 == 0 { await app.stepRecorder?.settle() }
    }
    _ = await app.type("@open", "@double", "@password hunter2", "@open", "@step", ":back", "@later")
    _ = await app.type(":record \(file)")
    _ = await app.end(within: .seconds(1))
    let recording = try Recording(path: file)
    #expect(recording.numbers.lowerBound > 1)
    #expect(recording.facts.problem == nil)
    let outcome = try await check(file, FirstRule.self)
    #expect(outcome.divergence == nil)
    #expect(outcome.problem == nil)
    #expect(outcome.unverified == 1)
    #expect(outcome.verified == recording.numbers.count - 1)
    let other = try await check(file, SecondRule.self)
    #expect(other.divergence?.step.text == ".view(.doubleTapped)")
    #expect(!(try String(contentsOfFile: file, encoding: .utf8)).contains("hunter2"))
  }

  /// Writes the history of an app to a file, as a recording without the steps of the first line and
  /// some after it.
  private func recordLate(
    _ manifest: String, _ first: String, then lines: [String]
  ) async throws -> Recording {
    let app = try await WalkApp.begun(historyLimit: 20_000, manifest: manifest)
    _ = await app.type(first)
    for count in 1...300 {
      _ = await app.type("@step")
      if count % 100 == 0 { await app.stepRecorder?.settle() }
    }
    for line in lines { _ = await app.type(line) }
    _ = await app.type(":record \(file)")
    _ = await app.end(within: .seconds(1))
    let recording = try Recording(path: file)
    #expect(recording.numbers.lowerBound > 3)
    return recording
  }

  @Test("A link that waited before the first step of a recording waits when it is checked")
  func waitingLink() async throws {
    let manifest = """
      appcore: 1
      name: walk
      plugins: [Walk]
      start: walk
      nodes:
        walk: { feature: Walk.Walk }
        hall: { feature: Walk.Walk }
        far: { feature: Walk.Walk }
      routes:
        - { from: walk, action: opened, push: hall }
        - { from: [hall, far], action: opened, do: ignore }
      links:
        - { path: far, open: [{ push: far }], needs: hall }
      """
    let recording = try await recordLate(
      manifest, ":open far", then: ["@open", "@step"])
    let loaded = try WalkApp.loaded(FirstRule.self, manifest: manifest)
    let outcome = try await App(loaded).check(file)
    #expect(outcome.divergence == nil)
    #expect(outcome.problem == nil)
    #expect(outcome.verified == recording.numbers.count)
  }

  @Test("Instances that are made together get their numbers in the order of the recorded app")
  func slots() async throws {
    func manifest(_ far: String) -> String {
      """
      appcore: 1
      name: walk
      plugins: [Walk]
      start: walk
      nodes:
        walk: { feature: Walk.Walk }
        hall: { feature: Walk.Walk }
        \(far): { feature: Walk.Walk }
        main: { tabs: [inner, other] }
        inner: { feature: Walk.Walk }
        other: { feature: Walk.Walk }
      routes:
        - { from: any, action: opened, present: main }
      links:
        - { path: deep, open: [{ push: hall }, { push: \(far) }, { push: hall }] }
        - { path: home, open: [{ push: walk }] }
      """
    }
    let round = [":open home", ":open deep", "@open", ":dismiss", "@open", "@step", ":dismiss"]
    let recording = try await recordLate(
      manifest("far"), ":open deep", then: round + round + round)
    let loaded = try WalkApp.loaded(FirstRule.self, manifest: manifest("far"))
    let outcome = try await App(loaded).check(file)
    #expect(outcome.divergence == nil, "\(String(describing: outcome.divergence))")
    #expect(outcome.problem == nil)
    #expect(outcome.verified == recording.numbers.count)

    // Where the app before the first step can't be restored, that is the divergence.
    let other = try WalkApp.loaded(FirstRule.self, manifest: manifest("away"))
    let divergence = try await App(other).check(file).divergence
    #expect(divergence?.step.number == recording.numbers.lowerBound)
    #expect(
      divergence?.reason?.hasPrefix("the app before the step can't be restored: ") == true,
      "\(String(describing: divergence?.reason))")
  }

  @Test("Whatever is changed in a recording, it is checked and shown as far as it goes")
  func damaged() async throws {
    try await record("@step", "@open", "@stamp", "@open", ":back", "@double", "@open", "@step")
    // Without checksums, so that a change is not found by them.
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      .map { $0.replacing(/"s":"[0-9a-z]+",/, with: "") + "\n" }
    let loaded = try WalkApp.loaded(FirstRule.self)
    var random = SplitMix64(seed: 5)
    var (divergences, problems) = (0, 0)
    for _ in 0..<(runsAllTests ? 150 : 40) {
      var text = Array(lines.joined().utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let digits = text.indices.dropFirst(lines[0].utf8.count)
          .filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[$0]) }
        guard let index = digits.randomElement(using: &random) else { continue }
        text[index] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &random)
      }
      try Data(text).write(to: URL(fileURLWithPath: file))
      let outcome = try await App(loaded).check(file)
      divergences += outcome.divergence == nil ? 0 : 1
      problems += outcome.problem == nil ? 0 : 1
      guard let recording = try? Recording(path: file),
        let shown = try? await App.replaying(recording, loaded)
      else { continue }
      for number in recording.numbers { _ = try? await shown.replay(number) }
    }
    #expect(divergences > 0)
    #expect(problems > 0)
  }

  @Test("A recording is shown step by step, as the shell shows it")
  func replayed() async throws {
    try await record("@step", "@open", "@double", ":back", "@step")
    let recording = try Recording(path: file)
    let shown = try await App.replaying(recording, try WalkApp.loaded(SecondRule.self))
    var counts: [Int] = []
    for number in recording.numbers {
      let step = try await shown.replay(number)
      let line = try #require(step.screen.first { $0.hasPrefix("At ") })
      counts.append(Int(line.dropFirst(3).dropLast()) ?? -1)
      #expect(step.losses == nil)
      #expect(!step.screen.joined().contains("rewound"))
    }
    #expect(counts == [0, 1, 1, 0, 2, 1, 2, 2])
    // In any order, too.
    let third = try await shown.replay(5)
    #expect(third.path == ["walk", "walk"])
    #expect(third.changes.map(\.text) == ["walk #1.0 count: 0 → 2"])
  }

  @Test("A script out of a recording runs, and says where a secret has to be written")
  func script() async throws {
    try await record("1", "@open", "@double", ":back", "@stamp", "@password hunter2", "@step")
    let recording = try Recording(path: file)
    let shown = App(try WalkApp.loaded(FirstRule.self))
    try await shown.begin(replaying: recording)
    await shown.converse()
    let script = await shown.script(of: recording)
    #expect(script.contains("@step"))
    #expect(script.contains(":expect \"At 2.\""))
    #expect(script.contains { $0.hasPrefix("# write here") && !$0.contains("hunter2") })
    let again = try await WalkApp.begun()
    for line in script {
      let reply = await again.send(line: line)
      #expect(reply.reason == nil, "\(line)")
    }
    #expect(await again.currentState?["count"] == 2)
    _ = await again.end(within: .seconds(1))
  }
}
