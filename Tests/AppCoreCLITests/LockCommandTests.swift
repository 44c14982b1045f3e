import Foundation
import TestSupport
import Testing

@Suite("appcore lock")
struct LockCommandTests {
  private let app: LockedFolder

  init() throws { app = try LockedFolder() }

  @Test("It writes the digests that sha256sum prints, and the app runs locked")
  func write() async throws {
    let made = try await app.appcore("lock", "app.yaml")
    #expect(made.status == 0)
    #expect(made.output.isEmpty)
    #expect(made.errors == "appcore.lock: written; 1 plugin, 1 build, 2 files of the manifest\n")
    let sums = try await Program.run(
      "/usr/bin/sha256sum", ["app.yaml", "parts/nodes.yaml", "lib/libMockSlow.so"],
      folder: try app.folder.get().url
    ).lines.map { String($0.prefix(64)) }
    let lines = try app.read("appcore.lock").split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(lines[..<3] == ["appcore-lock 1", "app counter", "version 1.2"])
    #expect(lines[3] == "manifest \(sums[0]) app.yaml")
    #expect(lines[4] == "include \(sums[1]) parts/nodes.yaml")
    #expect(lines[5] == "plugin MockSlow 1.0.0")
    #expect(lines[6].hasPrefix("build MockSlow ") && lines[6].hasSuffix(" \(sums[2])"))
    let locked = try await app.appcore("run", "app.yaml", "--locked", "-c", "@add")
    #expect(locked.status == 0)
    #expect(locked.output.contains("The count is 1."))
    let again = try await app.appcore("lock", "app.yaml")
    #expect(
      again.errors == "appcore.lock: no changes; 1 plugin, 1 build, 2 files of the manifest\n")
    let check = try await app.appcore("lock", "app.yaml", "--check")
    #expect(check.status == 0)
    // By another path it is the same lock.
    let elsewhere = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path,
      ["lock", app.path("app.yaml"), "--check"],
      environment: ["XDG_CACHE_HOME": app.path("cache")])
    #expect(elsewhere.status == 0, "\(elsewhere.errors)")
  }

  @Test("An app is locked and compared without values for its variables, which no lock contains")
  func unsetVariables() async throws {
    try app.replace(
      "start: counter", "vars: { title: { env: TILL_TITLE } }\nstart: counter", in: "app.yaml")
    for arguments in [[], ["--check"], ["--add"], ["--check"]] {
      let result = try await app.appcore(["lock", "app.yaml"] + arguments)
      #expect(result.status == 0, "\(result.errors)")
    }
    let run = try await app.appcore("run", "app.yaml", "--locked", "-c", "@add")
    #expect(run.errors.contains("[unset-variable]"))
  }

  @Test("A plugin that was modified is refused before any process is started for it")
  func modified() async throws {
    _ = try await app.appcore("lock", "app.yaml")
    #expect(app.hasScanned)
    try app.modify()
    for arguments in [["run", "app.yaml", "-c", "@add"], ["check", "app.yaml"]] {
      for cache in ["cache", "empty"] {
        let result = try await app.appcore(
          arguments[0], arguments[1], environment: ["XDG_CACHE_HOME": app.path(cache)])
        let text = result.errors + result.output
        #expect(result.status == 69)
        #expect(text.contains("modified since it was locked: was "), "\(text)")
        #expect(text.contains("  code: plugin-modified\n"))
        #expect(!app.hasScanned)
      }
    }
    // Its times alone are not the plugin.
    try app.copy("MockSlow")
    #expect(try await app.appcore("run", "app.yaml", "-c", "@add").status == 0)
    try app.modify()
    #expect(try await app.appcore("lock", "app.yaml").status == 0)
    #expect(try await app.appcore("run", "app.yaml", "-c", "@add").status == 0)
  }

  @Test("Of several plugins none is scanned where one is refused")
  func several() async throws {
    try app.replace(
      "plugins: [", "plugins: [{ path: lib/libMockConsole.so }, ", in: "app.yaml")
    _ = try await app.appcore("lock", "app.yaml")
    try app.modify()
    let result = try await app.appcore(
      "run", "app.yaml", environment: ["XDG_CACHE_HOME": app.path("empty")])
    #expect(LockedFolder.codes(result) == ["plugin-modified"])
    #expect(!app.hasScanned)
  }

  @Test("Where it must be locked, what is missing or has changed is refused, each with its code")
  func strict() async throws {
    func codes(_ arguments: String...) async throws -> [String] {
      let result =
        arguments.isEmpty
        ? try await app.appcore("run", "app.yaml", "--locked")
        : try await app.appcore(arguments[0], arguments[1], arguments[2], arguments[3])
      #expect(result.status == 65 || result.status == 69)
      #expect(!app.hasScanned)
      return LockedFolder.codes(result)
    }
    #expect(try await codes() == ["lock-missing"])
    _ = try await app.appcore("lock", "app.yaml")
    let lock = try app.read("appcore.lock")

    try app.replace("name: counter", "name: counter2", in: "app.yaml")
    #expect(try await codes() == ["lock-manifest-changed"])
    #expect(try await app.appcore("run", "app.yaml", "-c", "@add").status == 0)
    try app.replace("name: counter2", "name: counter", in: "app.yaml")

    try app.replace("nodes:", "nodes: # here", in: "parts/nodes.yaml")
    #expect(try await codes() == ["lock-manifest-changed"])
    try app.replace("nodes: # here", "nodes:", in: "parts/nodes.yaml")

    let without = lock.split(separator: "\n").filter { !$0.contains("MockSlow") }
    try app.write("appcore.lock", without.map { $0 + "\n" }.joined())
    #expect(try await codes() == ["plugin-not-locked"])
    let warned = try await app.appcore("run", "app.yaml", "-c", "@add")
    #expect(warned.status == 0)
    #expect(LockedFolder.codes(warned) == ["plugin-unlocked"])

    let other = lock.replacing(#/build MockSlow [a-z0-9_]+ /#, with: "build MockSlow s390x ")
    try app.write("appcore.lock", other)
    #expect(try await codes() == ["plugin-not-locked-here"])
    #expect(
      LockedFolder.codes(try await app.appcore("run", "app.yaml", "-c", "@add")) == [
        "plugin-unlocked"
      ])

    try app.write("appcore.lock", lock)
    let mock = try await app.appcore("interface", "lib/libMockSlow.so", "--json")
    try app.write("slow.json", mock.output)
    let mocked = try await app.appcore(
      "run", "app.yaml", "--locked", "--mock", "MockSlow=slow.json")
    #expect(LockedFolder.codes(mocked) == ["plugin-not-locked"])
    let input = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, ["check", "-", "--locked"],
      input: try app.read("app.yaml"), folder: try app.folder.get().url)
    #expect(input.output.contains("[lock-missing]"))
  }

  @Test("Each difference is printed, with status 65, and nothing is written")
  func check() async throws {
    #expect(try await app.appcore("lock", "app.yaml", "--check").status == 66)
    _ = try await app.appcore("lock", "app.yaml")
    let lock = try app.read("appcore.lock")
    try app.modify()
    try app.replace("version: 1.2", "version: 1.3", in: "app.yaml")
    let result = try await app.appcore("lock", "app.yaml", "--check")
    #expect(result.status == 65)
    #expect(
      LockedFolder.codes(result) == [
        "lock-app-changed", "lock-manifest-changed", "plugin-modified",
      ])
    #expect(try app.read("appcore.lock") == lock)
  }

  @Test("As JSON, it prints what came of it, what is locked and what differs")
  func json() async throws {
    func lock(_ options: String...) async throws -> (status: Int32, object: [String: Any]) {
      let result = try await Program.run(
        buildFolder.appendingPathComponent("appcore").path,
        ["lock", "app.yaml", "--json"] + options,
        environment: ["XDG_CACHE_HOME": app.path("cache")], folder: try app.folder.get().url)
      #expect(result.errors.isEmpty)
      let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      return (result.status, try #require(object as? [String: Any]))
    }
    let made = try await lock()
    #expect(made.status == 0)
    #expect(made.object["lock"] as? Int == 1)
    #expect(made.object["path"] as? String == "appcore.lock")
    #expect(made.object["outcome"] as? String == "written")
    let locked = try #require(made.object["app"] as? [String: Any])
    #expect(locked["name"] as? String == "counter")
    #expect(locked["version"] as? String == "1.2")
    let files = try #require(locked["files"] as? [[String: String]])
    #expect(files.map { $0["path"] } == ["app.yaml", "parts/nodes.yaml"])
    let plugin = try #require((locked["plugins"] as? [[String: Any]])?.first)
    #expect(plugin["name"] as? String == "MockSlow")
    #expect(plugin["sources"] as? Bool == false)
    let build = try #require((plugin["builds"] as? [[String: Any]])?.first)
    let digest = try #require(build["digest"] as? String)
    #expect(try app.read("appcore.lock").contains(" \(digest)\n"))
    #expect(try await lock().object["outcome"] as? String == "unchanged")
    #expect(try await lock("--check").object["outcome"] as? String == "same")
    try app.modify()
    for option in ["--check", "--add"] {
      let differs = try await lock(option)
      #expect(differs.status == 65)
      #expect(differs.object["outcome"] as? String == "differs")
      #expect(differs.object["app"] is NSNull)
      let differences = try #require(differs.object["differences"] as? [[String: String]])
      #expect(differences.map { $0["code"] } == ["plugin-modified"])
      #expect(differences.allSatisfy { $0["help"]?.isEmpty == false })
    }
  }

  @Test("Adding keeps the builds of other machines and changes nothing")
  func add() async throws {
    _ = try await app.appcore("lock", "app.yaml")
    let lock = try app.read("appcore.lock")
    let other = lock.replacing(#/build MockSlow [a-z0-9_]+ /#, with: "build MockSlow s390x ")
    try app.write("appcore.lock", other)
    let added = try await app.appcore("lock", "app.yaml", "--add")
    #expect(added.errors == "appcore.lock: written; 1 plugin, 2 builds, 2 files of the manifest\n")
    let lines = Set(try app.read("appcore.lock").split(separator: "\n"))
    #expect(lines == Set(lock.split(separator: "\n")).union(other.split(separator: "\n")))
    #expect(try await app.appcore("run", "app.yaml", "--locked", "-c", "@add").status == 0)
    try app.modify()
    let refused = try await app.appcore("lock", "app.yaml", "--add")
    #expect(refused.status == 65)
    #expect(LockedFolder.codes(refused) == ["plugin-modified"])
    // Without it, the lock is this machine's alone.
    let anew = try await app.appcore("lock", "app.yaml")
    #expect(anew.errors.contains("; 1 build for another machine is left out\n"), "\(anew.errors)")
    #expect(try !app.read("appcore.lock").contains("s390x"))
  }

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

  @Test(
    "A bad lock is refused with its line, whether or not the app must be locked",
    arguments: [
      ("\n", "\r\n", "lock-line-breaks"), ("appcore-lock 1", "appcore-lock 9", "lock-newer-format"),
      ("app counter\n", "app counter\napp counter\n", "lock-duplicate-line"),
      ("app counter\n", "app counter\napp other\n", "lock-contradiction"),
      ("parts/nodes.yaml", "../nodes.yaml", "lock-bad-path"),
      ("app counter\n", "", "lock-incomplete"),
    ])
  func bad(_ part: String, _ other: String, _ code: String) async throws {
    _ = try await app.appcore("lock", "app.yaml")
    try app.replace(part, other, in: "appcore.lock")
    for arguments in [["run"], ["run", "--locked"], ["check"]] {
      let result = try await app.appcore(
        arguments[0], "app.yaml", arguments.count > 1 ? "--locked" : "--rescan")
      #expect(result.status == 65)
      let text = result.errors + result.output
      #expect(text.contains("appcore.lock:") && text.contains("[\(code)]"), "\(text)")
      #expect(!app.hasScanned)
    }
    #expect(try await app.appcore("lock", "app.yaml", "--add").status == 65)
    #expect(try await app.appcore("lock", "app.yaml").status == 0)
    #expect(try await app.appcore("run", "app.yaml", "--locked", "-c", "@add").status == 0)
  }

  @Test("The lock of another manifest in the folder does not count, and is not replaced")
  func other() async throws {
    _ = try await app.appcore("lock", "app.yaml")
    try app.write("other.yaml", try app.read("app.yaml"))
    let result = try await app.appcore("run", "other.yaml", "-c", "@add")
    #expect(result.status == 0)
    #expect(LockedFolder.codes(result) == ["lock-of-other"])
    let locked = try await app.appcore("run", "other.yaml", "--locked")
    #expect(locked.status == 65)
    #expect(LockedFolder.codes(locked) == ["lock-of-other"])
    let written = try await app.appcore("lock", "other.yaml")
    #expect(LockedFolder.codes(written) == ["lock-of-other"])
  }

  @Test("An app with problems is not locked, nor one with files outside its folder")
  func unlockable() async throws {
    try app.replace("MockSlow.Counter", "MockSlow.Clock", in: "parts/nodes.yaml")
    let problems = try await app.appcore("lock", "app.yaml")
    #expect(problems.status == 65)
    #expect(LockedFolder.codes(problems) == ["unknown-feature"])
    try app.replace("MockSlow.Clock", "MockSlow.Counter", in: "parts/nodes.yaml")
    try app.write(
      "inner/app.yaml",
      try app.read("app.yaml").replacing("parts/", with: "../parts/").replacing(
        "lib/", with: "../lib/"))
    let outside = try await app.appcore("lock", "inner/app.yaml", "--allow-outside")
    #expect(outside.status == 65)
    #expect(LockedFolder.codes(outside) == ["lock-bad-path"])
    #expect(try await app.appcore("lock", "none.yaml").status == 66)
    #expect(try await app.appcore("lock", "app.yaml", "--add", "--check").status == 64)
    #expect(try await app.appcore("lock", "app.yaml", "--locked").status == 64)
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

  @Test("A lock that can't be written leaves no file, and a new one has the usual permissions")
  func unwritten() async throws {
    let program = buildFolder.appendingPathComponent("appcore").path
    // The plugin is in the cache then, since scanning writes files, too.
    _ = try await app.appcore("lock", "app.yaml")
    try app.remove("appcore.lock")
    // The limit holds for the program's own files; its output goes through a pipe.
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        (trap '' XFSZ; ulimit -f 0; exec '\(program)' lock app.yaml 2>&1) | cat
        exit ${PIPESTATUS[0]}
        """,
      ],
      environment: ["XDG_CACHE_HOME": app.path("cache")], folder: try app.folder.get().url)
    #expect(result.status == 74, "\(result.output)")
    #expect(result.output.contains("[lock-not-written]"), "\(result.output)")
    #expect(!FileManager.default.fileExists(atPath: app.path("appcore.lock")))
    #expect(try await app.appcore("run", "app.yaml", "-c", "@add").status == 0)
    let mode = try await Program.run(
      "/bin/bash", ["-c", "umask 027; '\(program)' lock app.yaml && stat -c %a appcore.lock"],
      environment: ["XDG_CACHE_HOME": app.path("cache")], folder: try app.folder.get().url)
    #expect(mode.output == "640\n", "\(mode.errors)")
  }
}
