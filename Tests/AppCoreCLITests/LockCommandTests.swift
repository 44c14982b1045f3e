import Foundation
import TestSupport
import Testing

@Suite("appcore lock")
struct LockCommandTests {
  private let app: LockedFolder

  init() throws { app = try LockedFolder() }

  @Test("Locks of two machines that were merged by git are one lock")
  func merge() async throws {
    guard Program.find("git") != nil else { return }
    _ = try await app.appcore("lock", "app.yaml")
    let lock = try app.read("appcore.lock")
    let build = try #require(lock.split(separator: "\n").last { $0.hasPrefix("build ") })
    func with(_ machine: String) -> String {
      lock + build.replacing(#/MockSlow [a-z0-9_]+ /#, with: "MockSlow \(machine) ") + "\n"
    }
    try app.write("one", with("riscv64"))
    try app.write("two", with("s390x"))
    let merged = try await Program.run(
      "/bin/sh",
      [
        "-c",
        """
        exec 2>&1; set -e; export HOME="$PWD"; git init -q .
        git config user.email a@b; git config user.name n
        echo 'appcore.lock merge=union' > .gitattributes
        git add .gitattributes appcore.lock; git commit -qm lock
        git checkout -qb other; cp two appcore.lock; git commit -qam two
        git checkout -q -; cp one appcore.lock; git commit -qam one
        git merge -q other
        """,
      ], folder: try app.folder.get().url)
    #expect(merged.status == 0, "\(merged.output)")
    #expect(try await app.appcore("run", "app.yaml", "--locked", "-c", "@add").status == 0)
    let written = try await app.appcore("lock", "app.yaml", "--add")
    #expect(written.errors.contains("1 plugin, 3 builds"))
  }

  @Test("A plugin that is given by its sources is exempt, unless the app must be locked")
  func folder() async throws {
    let shop = try WatchedShop()
    func appcore(_ arguments: String...) async throws -> ProgramResult {
      try await appcore(arguments)
    }
    func appcore(_ arguments: [String]) async throws -> ProgramResult {
      try await Program.run(
        buildFolder.appendingPathComponent("appcore").path, arguments,
        environment: ["XDG_CACHE_HOME": app.path("cache")], folder: shop.folder.url)
    }
    #expect(try await appcore("lock", "app.yaml").status == 0)
    #expect(try await appcore("run", "app.yaml", "--locked", "-c", "@add").status == 0)
    try shop.save(WatchedShop.sources("Two"))
    #expect(try await appcore("run", "app.yaml", "-c", "@add").output.contains("Two: 1"))
    let locked = try await appcore("run", "app.yaml", "--locked", "-c", "@add")
    #expect(LockedFolder.codes(locked) == ["plugin-modified"])
    // Nor is one bundled whose release build is new.
    let options = ["--locked", "--with-runtime=no", "-o", "out"]
    let refused = try await appcore(["bundle", "app.yaml"] + options)
    #expect(LockedFolder.codes(refused) == ["plugin-modified"], "\(refused.errors)")
    #expect(try await appcore("lock", "app.yaml").status == 0)
    let bundled = try await appcore(["bundle", "app.yaml"] + options)
    #expect(bundled.status == 0, "\(bundled.errors)")
  }
}
