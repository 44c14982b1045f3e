import Foundation
import TestSupport
import Testing

@Suite("appcore run --record")
struct RecordOptionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("No file that the run is made of is written over, under whatever name")
  func ownFiles() async throws {
    let text = """
      appcore: 1
      name: counter
      title: Counter
      include: [nodes.yaml]
      plugins: [MockSlow]
      start: counter

      """
    let nodes = "appcore: 1\nnodes:\n  counter: { feature: MockSlow.Counter }\n"
    let manifest = try folder.write("app.yaml", text)
    let included = try folder.write("nodes.yaml", nodes)
    let script = try folder.write("app.script", "@add\n")
    let link = folder.url.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: manifest)
    for (file, part) in [
      (manifest, "the manifest"), (link, "the manifest"),
      (included, "a file that the manifest includes"), (script, "the script"),
    ] {
      let result = try await Program.appcore(
        [
          "run", manifest.path, "--plugin-path", buildFolder.path, "--script", script.path,
          "--record", file.path,
        ])
      #expect(result.status == 73)
      #expect(result.errors.contains("it is \(part); name another file"), "\(result.errors)")
    }
    #expect(try String(contentsOf: manifest, encoding: .utf8) == text)
    #expect(try String(contentsOf: included, encoding: .utf8) == nodes)
    #expect(try String(contentsOf: script, encoding: .utf8) == "@add\n")
  }

  @Test("A recording names no code: the manifest has to be there, and a changed one is noticed")
  func manifestOfReplay() async throws {
    let manifest = try folder.write(
      "app.yaml",
      "appcore: 1\nplugins: [MockSlow]\nstart: counter\nnodes: { counter: { feature: MockSlow.Counter } }\n"
    )
    let recording = folder.path + "/a.recording"
    let run = try await Program.appcore(
      [
        "run", manifest.path, "--plugin-path", buildFolder.path, "--record", recording, "-c",
        "@add",
      ])
    try #require(run.status == 0, "\(run.errors)")
    func replay(_ options: String...) async throws -> ProgramResult {
      try await Program.appcore(
        ["replay", recording, "--check", "--plugin-path", buildFolder.path] + options)
    }
    #expect(try await !replay().errors.contains("as it was recorded"))
    let other = folder.url.appendingPathComponent("other.yaml")
    try FileManager.default.moveItem(at: manifest, to: other)
    let missing = try await replay()
    #expect(missing.status == 66)
    #expect(missing.errors.contains("name the app's manifest with '--manifest'"))
    let moved = try await replay("--manifest", other.path)
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(!moved.errors.contains("as it was recorded"))
    try (String(contentsOf: other, encoding: .utf8) + "title: Other\n")
      .write(to: other, atomically: true, encoding: .utf8)
    let changed = try await replay("--manifest", other.path)
    #expect(changed.status == 0)
    #expect(changed.errors.contains("is not the manifest as it was recorded"))
  }

  @Test("A recording that is there stays as it is where the app can't be loaded")
  func unloadable() async throws {
    let old = try folder.write("old.recording", "old\n")
    let result = try await Program.appcore(
      ["run", folder.path + "/none.yaml", "--record", old.path])
    #expect(result.status != 0)
    #expect(try String(contentsOf: old, encoding: .utf8) == "old\n")
  }

  @Test("No file is written over that the run needs, and none is emptied before it is certain")
  func overwritten() async throws {
    let file = folder.path + "/a.recording"
    let run = try await Program.appcore(
      ["run", ProfileTests.counter, "--record", file, "--history-limit", "64K", "-c", "@add"])
    try #require(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)

    let page = try await Program.appcore(["replay", file, "--html", file])
    #expect(page.status == 73)
    #expect(page.errors.contains("it is the recording; name another file"), "\(page.errors)")
    let over = try await Program.appcore(["replay", file, "--html", ProfileTests.counter])
    #expect(over.status == 73)
    #expect(over.errors.contains("it is the manifest; name another file"), "\(over.errors)")
    let resumed = try await Program.appcore(
      ["run", ProfileTests.counter, "--record", file, "--resume", "-c", "@add"])
    #expect(resumed.status != 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)

    let new = folder.path + "/new"
    for option in ["--profile", "--session"] {
      let both = try await Program.appcore(
        [
          "run", ProfileTests.counter, "--record", new, option, folder.path + "/./new", "-c",
          "@add",
        ])
      #expect(both.status == 73, "\(both)")
      #expect(both.errors.contains("it is the file of '\(option)'"), "\(both.errors)")
    }
    let json = try await Program.appcore(["replay", file, "--check", "--json"])
    #expect(json.status == 64)
    #expect(json.errors.contains("'--check' shows no screen, so it takes no '--json'"))
    let shown = try await Program.appcore(["replay", file, "-c", ":record \(new)"])
    #expect(shown.status == 65)
    #expect(shown.errors.contains("[only-shown]"), "\(shown.errors)")
  }

  @Test("A pipe is refused instead of blocking the app")
  func pipe() async throws {
    let pipe = folder.url.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let result = try await Program.appcore(
      ["run", ProfileTests.counter, "--record", pipe, "-c", "@add"])
    #expect(result.status == 73)
    #expect(result.errors.contains("it is not a regular file; name a file"))
  }

  @Test("A recording with a password can be checked, with and without the password at hand")
  func password() async throws {
    let file = folder.path + "/a.recording"
    let environment = [
      "APPCORE_NOTES_PASSWORD": "hunter2", "APPCORE_NOTES_FOLDER": folder.path + "/notes",
    ]
    let run = try await Program.appcore(
      [
        "run", "manifests/notes.yaml", "--set", "saveAfter=2", "--record", file, "-c",
        "@name ada\n@login\n@password wrong\n@login\n@password hunter2\n@login\n@new\n@line Milk",
      ], environment: environment)
    try #require(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains("hunter2"))
    #expect(!text.contains("wrong"))
    for environment in [["APPCORE_NOTES_FOLDER": folder.path + "/notes"], environment] {
      let check = try await Program.appcore(["replay", file, "--check"], environment: environment)
      #expect(check.status == 0, "\(check)")
      // Typing it twice, what the editor has saved, and at most the three attempts to log in.
      let counts = check.output.split(separator: " ").compactMap { Int($0) }
      #expect(counts.count == 3, "\(check.output)")
      #expect(counts.first == (counts.dropFirst().reduce(0, +)))
      #expect((3...6).contains(counts.last ?? 0), "\(check.output)")
      #expect((counts.dropFirst().first ?? 0) >= 5, "\(check.output)")
    }
  }

  @Test(
    "A supervised app is recorded across its crashes, each with who caused it",
    arguments: ["reduce trap", "reduce exit", "screen kill"])
  func supervised(fault: String) async throws {
    let file = folder.path + "/a.recording"
    let run = try await Program.appcore(
      [
        "run", CrashingApp.manifest, "--supervise", "--record", file, "-c", "@add", "-c",
        "@fault = \(fault)", "-c", "@add", "-c", ":expect Count 2",
      ], environment: CrashingApp.environment)
    #expect(run.status == 70, "\(run)")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let crashes = lines.indices.filter { lines[$0].hasPrefix(#"{"crash":"#) }
    let crash = try #require(crashes.last)
    #expect(lines[crash].contains(#""feature":"MockFaults.Faulty""#), "\(lines[crash])")
    #expect(lines[crash...].contains { $0.contains("addTapped") })
    #expect(lines.last == #"{"end":true}"#)
    let check = try await Program.appcore(["replay", file, "--check"])
    #expect(check.status == 0, "\(check)")
    let shown = try await Program.appcore(["replay", file, "-c", ":quit"])
    #expect(shown.errors.components(separatedBy: "the app was ended by").count == 2, "\(shown)")
    #expect(shown.output.contains("Count 2"))
  }

  @Test("A supervised app that crashes at its start leaves a recording that can be read")
  func crashAtStart() async throws {
    let file = folder.path + "/a.recording"
    let manifest = try folder.write(
      "app.yaml",
      """
      appcore: 1
      plugins: [MockFaults]
      start: faulty
      nodes: { faulty: { feature: MockFaults.Faulty, with: { fault: initialState trap } } }
      routes: [{ from: faulty, action: opened, do: ignore }]

      """)
    let run = try await Program.appcore(
      [
        "run", manifest.path, "--plugin-path", buildFolder.path, "--supervise", "--record", file,
        "-c", "@add",
      ], environment: CrashingApp.environment)
    #expect(run.status != 0)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.first?.contains(#""recording":1"#) == true, "\(lines)")
    #expect(lines.contains { $0.hasPrefix(#"{"crash":"#) }, "\(run) \(lines)")
  }

  @Test("The line that ended the app is in the recording, and in the script that is made of it")
  func crash() async throws {
    let file = folder.url.appendingPathComponent("crash.recording").path
    _ = try await Program.appcore(
      [
        "run", "Tests/Fixtures/manifests/mocks/crashes.yaml", "--record", file, "-c",
        "@fault reduce trap",
      ], environment: ["SWIFT_BACKTRACE": "enable=no"])
    let script = try await Program.appcore(["replay", file, "--to-script"])
    #expect(script.output.contains("reduce trap"), "\(script)")
    #expect(script.output.contains("# the app was ended by 'MockFaults.Faulty'"), "\(script)")
  }

  @Test("A recording that ends with a crash in a screen is shown up to the step before it")
  func screenCrash() async throws {
    let file = folder.path + "/crash.recording"
    let run = try await Program.appcore(
      ["run", CrashingApp.manifest, "--record", file, "-c", "@add\n@fault = screen trap\n:path"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.wasSignalled, "\(run)")
    let shown = try await Program.appcore(["replay", file, "-c", ":path\n:goto 3"])
    #expect(shown.status == 65, "\(shown)")
    #expect(shown.output.contains("rewound to step 2 of 3"), "\(shown.output)")
    #expect(
      shown.errors.contains("step 3 can't be shown: this build of 'MockFaults' crashed when it"),
      "\(shown.errors)")
    let page = folder.path + "/page.html"
    for options in [["--html", page], ["--to-script"], ["--check"]] {
      let result = try await Program.appcore(["replay", file] + options)
      #expect(result.status == 0, "\(options): \(result)")
    }
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("can't be shown"))
  }

  @Test("A recording without an end is told from one whose app has ended, and an empty one refused")
  func noEnd() async throws {
    let file = folder.path + "/a.recording"
    _ = try await Program.appcore(["run", ProfileTests.counter, "--record", file, "-c", "@add"])
    let check = { try await Program.appcore(["replay", file, "--check"]) }
    #expect(try await !check().output.contains("no end"))
    var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    lines.removeLast()
    try folder.write("a.recording", lines.map { $0 + "\n" }.joined())
    #expect(try await check().output.hasSuffix("the app was killed, or is still running\n"))
    try folder.write("a.recording", lines[0] + "\n")
    let empty = try await check()
    #expect(empty.status == 65)
    #expect(empty.errors.contains("has no steps to compare"), "\(empty.errors)")
  }
}
