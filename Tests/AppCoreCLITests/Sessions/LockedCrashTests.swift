import Foundation
import Glibc
import TestSupport
import Testing

/// An app that is held to a lock, and whose plugin crashes.
@Suite("A locked app whose plugin crashes", .ownThread)
struct LockedCrashTests {
  private let folder: TemporaryFolder
  private var manifest: String { folder.path + "/app.yaml" }
  private var library: String { folder.path + "/lib/libMockFaults.so" }
  private var environment: [String: String] {
    ["XDG_CACHE_HOME": folder.path + "/cache", "XDG_STATE_HOME": folder.path + "/state"]
  }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/lib", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: buildFolder.path + "/libMockFaults.so", toPath: library)
    try folder.write(
      "app.yaml",
      """
      appcore: 1
      name: crashes
      plugins: [{ path: lib/libMockFaults.so }]
      start: faulty
      nodes:
        faulty: { feature: MockFaults.Faulty, title: Faulty }
      routes:
        - { from: faulty, action: opened, do: ignore }

      """)
    let locking = try TypedTerminal(
      ["lock", manifest],
      environment: environment)
    try #require(locking.finish() == 0)
  }

  @Test("It is restored with what was locked", arguments: [[], ["--locked"]])
  func restored(_ options: [String]) throws {
    let app = try CrashingApp(options, manifest: manifest, environment: environment)
    try app.type("@add", seeing: "Count 1")
    let told = try app.crash("@fault = reduce trap", seeing: "Count 1")
    #expect(told.hasPrefix("! MockFaults.Faulty crashed in reduce(into:action:)"), "\(told)")
    #expect(app.quit() == 0)
  }

  @Test(
    "It is not restored with a plugin that was replaced meanwhile, and its state is kept",
    arguments: [[], ["--locked"]])
  func replaced(_ options: [String]) throws {
    let app = try CrashingApp(options, manifest: manifest, environment: environment)
    try app.type("@add", seeing: "Count 1")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: library))
    let original = bytes
    bytes.append(0)
    // Written elsewhere and renamed.
    try bytes.write(to: URL(fileURLWithPath: library), options: .atomic)
    app.terminal.type("@fault = reduce trap\r")
    #expect(app.terminal.finish() == 69)
    let text = app.terminal.model.text.split(separator: "\n").joined()
    #expect(text.contains("modified since it was locked: was "), "\(text)")
    #expect(text.contains("code: plugin-modified"), "\(text)")
    #expect(!text.contains("; restored in "), "\(text)")
    #expect(app.terminal.modes == app.terminal.modesBefore)
    // With the one that was locked it continues where it was.
    let file = try #require(text.firstMatch(of: /its state is kept in (\S+?):/)?.1)
    try original.write(to: URL(fileURLWithPath: library), options: .atomic)
    let again = try CrashingApp(
      options + ["--session", String(file), "--resume"], manifest: manifest,
      environment: environment)
    try again.terminal.wait(for: "Count 1")
    #expect(again.quit() == 0)
  }
}
