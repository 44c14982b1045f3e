import AppCheck
internal import AppCoreHost
import Foundation
internal import PluginHost
internal import Support
import TestSupport
import Testing

/// An app with a lock whose files change while it runs.
///
/// What a person sees of it is in `Tests/Transcripts/plugins/lock-reload.md`.
@Suite(
  "A locked app whose files change while it runs",
  .notThreadSanitized("loads a file for each step, which takes minutes there"))
struct LockedReloadTests {
  private let bench: Workbench
  private var path: String { bench.folder + "/app.yaml" }
  private var library: String { bench.folder + "/lib/libMockSlow.so" }

  init() throws {
    bench = try Workbench()
    try FileManager.default.createDirectory(
      atPath: bench.folder + "/lib", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: buildFolder.path + "/libMockSlow.so", toPath: library)
    try bench.write(
      """
      appcore: 1
      name: counter
      plugins: [{ path: lib/libMockSlow.so }]
      start: counter
      nodes:
        counter: { feature: MockSlow.Counter }

      """, to: "app.yaml")
    try lock()
  }

  private func lock() throws {
    _ = try AppLock.write(ofManifest: path, options: bench.options)
  }

  /// Makes another build of the plugin, with the same code.
  private func modify() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: library))
    bytes.append(0)
    try bytes.write(to: URL(fileURLWithPath: library))
  }

  private func code(_ outcome: ReloadOutcome) -> String {
    if case .refused(let cause) = outcome {
      "\(cause.code): \(cause.message)"
    } else {
      "\(outcome)"
    }
  }

  @Test(
    "A lock that is written while the app is followed counts from then on", .timeLimit(.minutes(30))
  )
  func written() async throws {
    try FileManager.default.removeItem(atPath: AppLock.path(ofManifest: path))
    let app = try await App.launch(path, options: bench.options)
    let (stream, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.followFiles { continuation.yield($0) }
    var changes = stream.makeAsyncIterator()
    try lock()
    while let change = await changes.next(), change.outcome != .adopted(instances: 1) {}
    try await app.followFiles(nil)
    try modify()
    #expect(code(await app.reload("MockSlow")).hasPrefix("plugin-modified: "))
  }

  @Test("A policy that warns says what one that requires would refuse")
  func warning() throws {
    try FileManager.default.createDirectory(
      atPath: bench.folder + "/policy", withIntermediateDirectories: true)
    try bench.write("signatures: warn\n", to: "policy/policy.yaml")
    for (name, mode) in [("policy", 0o755), ("policy/policy.yaml", 0o644)] {
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: bench.folder + "/" + name)
    }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try bench.write(text + "# more\n", to: "app.yaml")
    var options = bench.options
    options.policyFolder = PolicyFolder(bench.folder + "/policy", owner: geteuid())
    let report = try ManifestReport(path, options: options)
    #expect(!report.hasErrors)
    #expect(report.problems.contains { $0.code == "lock-manifest-changed" })
  }

  @Test(
    "A plugin that is replaced between the check and its first use is not loaded",
    .notSanitized("without a scan nothing is loaded before it is needed"))
  func lazy() async throws {
    try bench.write(
      try String(contentsOfFile: path, encoding: .utf8)
        .replacing("libMockSlow.so }", with: "libMockSlow.so, load: lazy }"), to: "app.yaml")
    try lock()
    var options = bench.options
    options.isLocked = true
    let report = try ManifestReport(path, options: options)
    let member = try #require(report.plugins.members["MockSlow"])
    #expect(!member.isLoaded)
    #expect(member.prepared?.digests != nil)
    try modify()
    #expect(throws: (any Error).self) { try member.load() }
    #expect(!member.isLoaded)
  }
}
