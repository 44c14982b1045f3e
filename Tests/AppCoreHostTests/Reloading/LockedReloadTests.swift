import AppCheck
internal import AppCoreHost
import Foundation
internal import PluginHost
internal import Support
import TestSupport
import Testing

/// An app with a lock whose files change while it runs.
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

  private func launch(isLocked: Bool = false) async throws -> App {
    var options = bench.options
    options.isLocked = isLocked
    return try await App.launch(path, options: options)
  }

  private func code(_ outcome: ReloadOutcome) -> String {
    if case .refused(let cause) = outcome {
      "\(cause.code): \(cause.message)"
    } else {
      "\(outcome)"
    }
  }

  @Test("A plugin with other bytes is refused, and the app continues with those that were locked")
  func plugin() async throws {
    let app = try await launch()
    try modify()
    let outcome = code(await app.reload("MockSlow"))
    #expect(outcome.hasPrefix("plugin-modified: "))
    #expect(outcome.contains("modified since it was locked: was "))
    #expect(await app.text().contains("The count is 0."))
    // And by reading the manifest again, which reads the lock again.
    #expect(code(await app.reloadManifest()).contains("modified since it was locked"))
    #expect(await app.text().contains("The count is 0."))
  }

  @Test("A new lock and the plugin that it has are taken together")
  func both() async throws {
    let app = try await launch(isLocked: true)
    try modify()
    try lock()
    // The lock that was read when the app began does not have it.
    #expect(code(await app.reload("MockSlow")).hasPrefix("plugin-modified: "))
    #expect(await app.reloadManifest() == .adopted(instances: 1))
    #expect(await app.reload("MockSlow") == .restored)
    #expect(await app.reload("MockSlow") == .unchanged)
  }

  @Test("A lock that is damaged or gone keeps the former app running")
  func damaged() async throws {
    let app = try await launch(isLocked: true)
    let file = AppLock.path(ofManifest: path)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try text.replacing("\n", with: "\r\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(code(await app.reloadManifest()).contains("[lock-malformed]"))
    try FileManager.default.removeItem(atPath: file)
    #expect(code(await app.reloadManifest()).contains("[lock-missing]"))
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(await app.reloadManifest() == .restored)
    #expect(await app.text().contains("The count is 0."))
  }

  @Test(
    "A lock that is written while the app is followed counts from then on", .timeLimit(.minutes(2)))
  func written() async throws {
    try FileManager.default.removeItem(atPath: AppLock.path(ofManifest: path))
    let app = try await launch()
    let (stream, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.followFiles { continuation.yield($0) }
    var changes = stream.makeAsyncIterator()
    try lock()
    while let change = await changes.next(), change.outcome != .adopted(instances: 1) {}
    try await app.followFiles(nil)
    try modify()
    #expect(code(await app.reload("MockSlow")).hasPrefix("plugin-modified: "))
  }

  @Test("A changed manifest of an app that runs locked is refused")
  func manifest() async throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing("name: counter", with: "name: counter\ntitle: More")
    let free = try await launch()
    let locked = try await launch(isLocked: true)
    try changed.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(await free.reloadManifest() == .adopted(instances: 1))
    #expect(code(await locked.reloadManifest()).contains("[lock-manifest-changed]"))
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
