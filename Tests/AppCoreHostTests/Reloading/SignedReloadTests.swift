import AppCheck
internal import AppCoreHost
import Foundation
internal import PluginHost
internal import Support
import TestSupport
import Testing

/// An app that runs where locks must be signed, and whose lock and signature change.
@Suite(
  "A signed app whose files change while it runs",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: SignatureCheck.verifier),
    "ssh-keygen is not installed"),
  .notThreadSanitized("loads a file for each step, which takes minutes there"))
struct SignedReloadTests {
  private let bench: Workbench
  private var path: String { bench.folder + "/app.yaml" }
  private var signature: String { bench.folder + "/appcore.lock.sig" }
  private static let manifest = """
    appcore: 1
    name: counter
    plugins: [{ path: lib/libMockSlow.so }]
    start: counter
    nodes:
      counter: { feature: MockSlow.Counter }

    """

  init() async throws {
    bench = try Workbench()
    try bench.write(Self.manifest, to: "app.yaml")
    let made = try await bench.shell(
      """
      set -e; mkdir lib; cp "$BUILD/libMockSlow.so" lib; mkdir -m 755 policy
      ssh-keygen -q -t ed25519 -N '' -f key
      echo "ann@example.com $(cut -d ' ' -f 1,2 key.pub)" > policy/allowed_signers
      echo 'signatures: require' > policy/policy.yaml; chmod 644 policy/*
      """)
    try #require(made == "")
    try lock()
    try sign()
  }

  private var options: AppOptions {
    var options = bench.options
    options.policyFolder = PolicyFolder(bench.folder + "/policy", owner: geteuid())
    return options
  }

  private func lock() throws { _ = try AppLock.write(ofManifest: path, options: options) }

  private func sign() throws {
    _ = try AppLock.sign(ofManifest: path, key: bench.folder + "/key", environment: [:])
  }

  /// Waits until the files that changed come to something; what comes before that is passed over.
  private func wait(
    _ changes: inout AsyncStream<FileChange>.Iterator, until isEnd: (ReloadOutcome) -> Bool
  ) async {
    while let change = await changes.next(), !isEnd(change.outcome) {}
  }

  @Test("A new lock is taken over when its signature is there, too", .timeLimit(.minutes(30)))
  func signatureAfterLock() async throws {
    let app = try await App.launch(path, options: options)
    let (stream, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.followFiles { continuation.yield($0) }
    var changes = stream.makeAsyncIterator()
    try bench.write(Self.manifest + "title: More\n", to: "app.yaml")
    try lock()
    await wait(&changes) {
      if case .refused(let cause) = $0 {
        cause.message.contains("[lock-changed-since-signed]")
      } else {
        false
      }
    }
    try sign()
    await wait(&changes) { $0 == .adopted(instances: 1) }
    try await app.followFiles(nil)
  }

  @Test("A signature that is removed, and comes back, is a change", .timeLimit(.minutes(30)))
  func removed() async throws {
    let app = try await App.launch(path, options: options)
    let (stream, continuation) = AsyncStream<FileChange>.makeStream()
    try await app.followFiles { continuation.yield($0) }
    var changes = stream.makeAsyncIterator()
    try FileManager.default.moveItem(atPath: signature, toPath: bench.folder + "/kept")
    await wait(&changes) {
      if case .refused(let cause) = $0 {
        cause.message.contains("[lock-not-signed]")
      } else {
        false
      }
    }
    try FileManager.default.moveItem(atPath: bench.folder + "/kept", toPath: signature)
    await wait(&changes) { $0 == .restored }
    try await app.followFiles(nil)
  }

  @Test(
    "The lock's place is followed even where there is none, the signature's where one is asked for")
  func places() throws {
    let report = try ManifestReport(path, options: options)
    #expect(report.filePaths == [path, bench.folder + "/appcore.lock", signature])
    try FileManager.default.removeItem(atPath: bench.folder + "/appcore.lock")
    #expect(
      try ManifestReport(path, options: bench.options).filePaths == [
        path, bench.folder + "/appcore.lock",
      ])
  }
}
