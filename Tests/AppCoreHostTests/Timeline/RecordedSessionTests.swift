@_spi(Host) internal import AppCore
internal import AppCoreHost
import Foundation
internal import Sessions
internal import Support
import TestSupport
import Testing

/// Random sessions of the apps that ship, recorded and run again.
@Suite("Random sessions")
struct RecordedSessionTests {
  private func sessions(
    _ manifest: String, _ options: AppOptions, extra: [String],
    dependencies: @Sendable () -> DependencyValues
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a.recording").path
    let loaded = try LoadedApp.load(Project.path(manifest), options: options)
    for seed in 0..<RecordedRandomSession.count {
      let session = try await RecordedRandomSession(
        of: loaded, seed: seed, to: file, extra: extra, dependencies: dependencies())
      let outcome = try await App(loaded).check(file)
      let remark: Comment = "seed \(seed), after \(session.lines): \(outcome.remark)"
      #expect(outcome.problem == nil, remark)
      #expect(outcome.divergence == nil, remark)
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
    try await sessions("manifests/notes.yaml", options, extra: Self.noteLines) {
      RecordedRandomSession.ownMachine
    }
  }

  static let noteLines = [
    "@name ada", "@password x", "@login", "@new", "@text \"Milk\"", "@line bread", "@save",
    "@close", ":tab account", "@logout", "@yes", "@no",
  ]

  @Test("The case studies do again what they did, with the values that they share")
  func caseStudies() async throws {
    var options = AppOptions()
    options.settings = ["home": "/home/ada"]
    try await sessions(
      "manifests/casestudies.yaml", options,
      extra: [
        ":tab sharing", ":tab sharing", ":tab basics", ":tab effects", ":tab navigation",
        ":tab higherOrder", ":open /home/sharing/inMemory", ":tab inMemoryTotals",
        ":tab inMemoryCounter", "@increment", "@reset", "@save", "@email a@b.c",
        "@password hunter2", "@music on", "@done", "@submit",
      ]
    ) { RecordedRandomSession.ownMachine }
  }

  @Test("A line that was changed is found in every session that reaches it, and in no other")
  func changedLine() async throws {
    let bench = try Workbench()
    try FileManager.default.copyItem(
      atPath: Project.path("Plugins/Notes"), toPath: bench.folder + "/Notes")
    let manifest = try bench.write(
      try Project.text("manifests/notes.yaml").replacing("{ name: Notes,", with: "{ path: Notes,"),
      to: "notes.yaml")
    var options = bench.options
    options.pluginPath.append(Project.build)
    options.settings = ["folder": "/notes"]
    let loaded = try LoadedApp.load(manifest, options: options)
    let file = bench.folder + "/a.recording"
    // The plugin is loaded when it is needed: before its other build takes its place.
    _ = try await RecordedRandomSession(
      of: loaded, seed: 0, to: file, first: ["@name ada", "@login", "@new"],
      extra: Self.noteLines, dependencies: RecordedRandomSession.ownMachine)
    let editor = try Project.text("Plugins/Notes/Editor.swift")
    let line = "(isAtLineStart ? \"\" : \"\\n\") + line)"
    #expect(editor.contains(line))
    try bench.write(
      editor.replacing(line, with: "(isAtLineStart ? \"\" : \"\\n\") + line + \".\")"),
      to: "Notes/Editor.swift")
    let changed = try LoadedApp.load(manifest, options: options)
    let count = max(RecordedRandomSession.count, 40)
    var reaching = 0
    for seed in 0..<count {
      let session = try await RecordedRandomSession(
        of: loaded, seed: seed, to: file, first: ["@name ada", "@login", "@new"],
        extra: Self.noteLines, dependencies: RecordedRandomSession.ownMachine)
      let recording = try Recording(path: file)
      let first = recording.numbers.first {
        recording.step($0)?.text.hasPrefix(".view(.lineAdded") == true
      }
      if first != nil { reaching += 1 }
      let same = try await App(loaded).check(file)
      #expect(
        same.divergence == nil && same.problem == nil,
        "seed \(seed), after \(session.lines): \(same.remark)")
      let other = try await App(changed).check(file)
      #expect(
        other.divergence?.step.number == first,
        "seed \(seed), after \(session.lines): \(other.remark)")
      if first != nil { #expect(other.divergence?.changes.map(\.path) == ["text"]) }
    }
    #expect(reaching > count / 10)
    #expect(reaching < count)
  }
}

extension ReplayOutcome {
  /// What came of it, for the message of a test.
  var remark: String {
    let problem = problem.map { "line \($0.line): \($0.cause.message) " } ?? ""
    guard let divergence else { return problem + "\(verified) verified, \(unverified) not" }
    return problem + "step \(divergence.step.number) \(divergence.step.text): "
      + "\(divergence.changes.map(\.text)) \(divergence.reason ?? "")"
  }
}
