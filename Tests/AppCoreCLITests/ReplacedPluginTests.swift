import Foundation
import TestSupport
import Testing

@Suite("A lock against files that were replaced")
struct ReplacedPluginTests {
  private let app: LockedFolder

  init() throws { app = try LockedFolder() }

  /// Puts another plugin in the place of the locked one.
  private func replace(by plugin: String) throws {
    try app.copy(plugin)
    try app.remove("lib/libMockSlow.so")
    try FileManager.default.moveItem(
      atPath: app.path("lib/lib\(plugin).so"), toPath: app.path("lib/libMockSlow.so"))
  }

  @Test("A plugin of another name in the place of a locked one is neither scanned nor loaded")
  func otherName() async throws {
    #expect(try await app.appcore("lock", "app.yaml").status == 0)
    try replace(by: "MockTrapsOnEntry")
    // With a process that scans, and without one.
    for scanner in [app.path("scanner"), ""] {
      let result = try await app.appcore(
        "run", "app.yaml", "-c", "@add", environment: ["APPCORE_SCANNER": scanner])
      #expect(result.status == 69, "\(result.errors)")
      #expect(LockedFolder.codes(result) == ["plugin-modified"], "\(result.errors)")
      #expect(!app.hasScanned)
    }
    let locked = try await app.appcore("run", "app.yaml", "--locked")
    #expect(LockedFolder.codes(locked) == ["plugin-not-locked"])
    #expect(!locked.errors.contains("--add"), "\(locked.errors)")
    #expect(!app.hasScanned)
  }

  @Test("Without a scanner no plugin is loaded before all were compared")
  func unscanned() async throws {
    try app.replace(
      "plugins: [", "plugins: [{ path: lib/libMockTrapsOnEntry.so }, ", in: "app.yaml")
    #expect(try await app.appcore("lock", "app.yaml").status != 0)
    try app.copy("MockTrapsOnEntry")
    // It can't be scanned, and so not be locked: the lock gets its lines by hand.
    try app.replace("{ path: lib/libMockTrapsOnEntry.so }, ", "", in: "app.yaml")
    #expect(try await app.appcore("lock", "app.yaml").status == 0)
    try app.replace(
      "plugins: [", "plugins: [{ path: lib/libMockTrapsOnEntry.so }, ", in: "app.yaml")
    try app.modify()
    let result = try await app.appcore(
      "run", "app.yaml", "-c", "@add", environment: ["APPCORE_SCANNER": ""])
    #expect(result.status == 69, "\(result.errors)")
    #expect(result.errors.contains("modified since it was locked: was "), "\(result.errors)")
  }

  @Test("Comparing with a lock and adding to it run no code of a modified plugin")
  func comparing() async throws {
    #expect(try await app.appcore("lock", "app.yaml").status == 0)
    let lock = try app.read("appcore.lock")
    try app.modify()
    for option in ["--check", "--add"] {
      let result = try await app.appcore("lock", "app.yaml", option)
      #expect(result.status == 65)
      #expect(LockedFolder.codes(result) == ["plugin-modified"], "\(result.errors)")
      #expect(!app.hasScanned)
    }
    try replace(by: "MockTrapsOnEntry")
    let other = try await app.appcore("lock", "app.yaml", "--check")
    #expect(Set(LockedFolder.codes(other)) == ["lock-plugin-gone", "plugin-not-locked"])
    #expect(!app.hasScanned)
    #expect(try app.read("appcore.lock") == lock)
  }

  @Test("Adding for another manifest changes nothing")
  func otherManifest() async throws {
    #expect(try await app.appcore("lock", "app.yaml").status == 0)
    let lock = try app.read("appcore.lock")
    try app.write("other.yaml", try app.read("app.yaml"))
    let result = try await app.appcore("lock", "other.yaml", "--add")
    #expect(result.status == 65)
    #expect(LockedFolder.codes(result) == ["lock-of-other"])
    #expect(try app.read("appcore.lock") == lock)
  }

  @Test("A lock is not written through a link, nor over a file that is not a lock")
  func links() async throws {
    for target in ["kept", "none"] {
      if target == "kept" { try app.write("kept", "mine\n") }
      try? app.remove("appcore.lock")
      try FileManager.default.createSymbolicLink(
        atPath: app.path("appcore.lock"), withDestinationPath: target)
      let result = try await app.appcore("lock", "app.yaml")
      #expect(result.status == 74)
      #expect(LockedFolder.codes(result) == ["lock-not-written"], "\(result.errors)")
    }
    #expect(try app.read("kept") == "mine\n")
    #expect(!FileManager.default.fileExists(atPath: app.path("none")))
    try app.remove("appcore.lock")
    try app.write("appcore.lock", "mine\n")
    #expect(try await app.appcore("lock", "app.yaml").status == 74)
    #expect(try app.read("appcore.lock") == "mine\n")
    try app.remove("appcore.lock")
    try #require(mkfifo(app.path("appcore.lock"), 0o600) == 0)
    let pipe = try await app.appcore("run", "app.yaml")
    #expect(LockedFolder.codes(pipe) == ["lock-not-read"], "\(pipe.errors)")
    #expect(pipe.errors.contains("it is not a regular file"))
  }

  @Test("An include that is given by its whole path has its path from the manifest's folder")
  func absolute() async throws {
    let whole = try #require(realpath(app.path("parts"), nil))
    defer { free(whole) }
    try app.replace(
      "parts/nodes.yaml", String(cString: whole) + "/nodes.yaml", in: "app.yaml")
    let made = try await app.appcore("lock", "app.yaml", "--allow-outside")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try app.read("appcore.lock").contains(" parts/nodes.yaml\n"))
  }

  @Test("A folder of sources in the place of a locked file is refused, and not compiled")
  func folderForFile() async throws {
    let shop = try WatchedShop()
    func appcore(_ arguments: String...) async throws -> ProgramResult {
      try await Program.run(
        buildFolder.appendingPathComponent("appcore").path, arguments,
        environment: ["XDG_CACHE_HOME": app.path("cache")], folder: shop.folder.url)
    }
    #expect(try await appcore("lock", "app.yaml").status == 0)
    let file = shop.folder.url.appendingPathComponent("appcore.lock")
    let lock = try String(contentsOf: file, encoding: .utf8)
    #expect(lock.contains("\nsources Shop\n"))
    // Where nothing may differ, nothing is compiled.
    try shop.save(WatchedShop.sources("Two"))
    let strict = try await appcore("run", "app.yaml", "--locked", "-c", "@add")
    #expect(LockedFolder.codes(strict) == ["plugin-modified"])
    #expect(strict.errors.contains("have changed since"), "\(strict.errors)")
    #expect(!strict.errors.contains("compiling"), "\(strict.errors)")
    try lock.replacing("sources Shop\n", with: "").write(
      to: file, atomically: true, encoding: .utf8)
    let refused = try await appcore("run", "app.yaml", "-c", "@add")
    #expect(LockedFolder.codes(refused) == ["plugin-modified"])
    #expect(refused.errors.contains("is a folder of sources"), "\(refused.errors)")
  }
}
