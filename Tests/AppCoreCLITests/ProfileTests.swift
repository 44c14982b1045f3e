import Foundation
import Glibc
import TestSupport
import Testing

@Suite("appcore run --profile")
struct ProfileTests {
  private static let slow = "Tests/Fixtures/manifests/mocks/slow.yaml"
  static let counter = "Tests/Fixtures/manifests/mocks/counter.yaml"

  let folder: TemporaryFolder
  private var file: String { folder.url.appendingPathComponent("profile.json").path }

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ manifest: String, _ lines: [String], _ options: [String] = []
  ) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", manifest, "--profile", file] + options, input: lines.map { $0 + "\n" }.joined(),
      environment: CrashingApp.environment)
  }

  private func profile() throws -> SpeedscopeProfile {
    try SpeedscopeProfile(Data(contentsOf: URL(fileURLWithPath: file)))
  }

  /// The names of the files in the folder: what is written on the way is not left behind.
  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("The file has the actions, screens and effects of a script, without what they carry")
  func script() async throws {
    let script = try folder.write(
      "app.script", ":wait 60\n@password hunter2\n@start\n:expect Done 1 times\n@leave\n")
    let result = try await run(Self.slow, [], ["--script", script.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    let profile = try profile()
    #expect(
      profile.actions.filter { $0 != "MockSlow.Work.screen()" } == [
        "appcore.navigate.begin", "MockSlow.Work.view.passwordChanged",
        "MockSlow.Work.view.startTapped", "MockSlow.Work.internal.finished",
        "MockSlow.Work.view.leaveTapped", "MockSlow.Work.delegate.left", "appcore.end",
      ])
    #expect(profile.spans[1].stack == ["work #0.0", "MockSlow.Work.screen()"])
    #expect(profile.samples.map(\.stack) == [["work #0.0", "MockSlow.Work.view.startTapped"]])
    #expect(profile.samples.allSatisfy { $0.weight >= 700_000_000 })
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("hunter2"))
    #expect(try names == ["app.script", "profile.json"])
  }

  @Test("A file that is there is replaced, its permissions stay; so does a link to it")
  func replaced() async throws {
    let target = try folder.write("target.json", "old")
    #expect(chmod(target.path, 0o640) == 0)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "target.json")
    #expect(try await run(Self.counter, ["@add"], ["--json"]).status == 0)
    var status = stat()
    #expect(lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(target.path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
    #expect(try profile().actions.contains("MockSlow.Counter.view.addTapped"))
    #expect(try names == ["profile.json", "target.json"])
  }

  @Test("A refused line ends the script, and its profile is there")
  func refused() async throws {
    #expect(try await run(Self.counter, ["@add", "@nothing", "@add"]).status == 65)
    #expect(
      try profile().actions.filter { $0 == "MockSlow.Counter.view.addTapped" }.count == 1)
  }

  @Test("An app that does not start leaves the file as it is")
  func notStarted() async throws {
    try folder.write("profile.json", "old")
    #expect(try await run("nowhere.yaml", []).status == 66)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    #expect(try names == ["profile.json"])
  }

  @Test("A file that can't be written is refused before the app starts, with what and why")
  func unwritable() async throws {
    for (path, reason) in [
      (folder.path + "/none/profile.json", "No such file or directory; name a file in a folder"),
      (folder.path, "it is a folder; name a file"),
      ("/dev/null", "it is not a regular file; name a file"),
    ] {
      let result = try await Program.appcore(["run", Self.counter, "--profile", path])
      #expect(result.status == 73)
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("appcore: can't write the profile to '\(path)': \(reason)"))
    }
    let result = try await Program.appcore(["run", Self.counter, "--profile", ""])
    #expect(result.status == 64)
    #expect(result.errors.contains("'--profile' takes a file; its path is empty."))
  }

  /// An app that a signal asks to end.
  struct Ending: Sendable, CustomTestStringConvertible {
    let signal: String
    let status: Int32
    var options = ""
    var manifest = ProfileTests.counter
    /// A line for the app, and what says that it was carried out.
    var line = "@add"
    var condition = "grep -q 'is 1' screens"
    /// An action that is in the profile.
    var action = "MockSlow.Counter.view.addTapped"
    var testDescription: String { "\(signal) \(options) \(line)" }
  }

  @Test(
    "A signal that asks the app to end ends it, and the profile is there",
    arguments: [
      Ending(signal: "TERM", status: 143), Ending(signal: "INT", status: 130),
      Ending(signal: "TERM", status: 143, options: "--supervise"),
      // Its process hears no SIGTERM: the supervisor kills it, and writes the profile itself.
      Ending(
        signal: "TERM", status: 143, options: "--supervise", manifest: CrashingApp.manifest,
        line: "@add\\n@fault = reduce deaf",
        condition: "(( 0x$(awk '/SigIgn/ { print $2 }' \"/proc/$(cat "
          + "/proc/$app/task/$app/children | tr -d ' ')/status\") & 0x4000 ))",
        action: "MockFaults.Faulty.view.addTapped"),
    ])
  func signal(_ ending: Ending) async throws {
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        set -m
        mkfifo lines
        "$APPCORE" run "$MANIFEST" --profile profile.json \(ending.options) < lines > screens &
        app=$!
        exec 3> lines
        printf '\(ending.line)\\n' >&3
        for i in $(seq 1200); do \(ending.condition) && break; sleep 0.05; done
        kill -\(ending.signal) $app
        (sleep 60; kill -KILL $app) > /dev/null 2>&1 &
        guard=$!
        wait $app
        status=$?
        kill -- -$guard
        exit $status
        """,
      ],
      environment: CrashingApp.environment.merging([
        "APPCORE": buildFolder.appendingPathComponent("appcore").path,
        "MANIFEST": packageFolder.appendingPathComponent(ending.manifest).path,
      ]) { $1 }, folder: folder.url)
    #expect(result.status == ending.status, "\(result.errors)")
    #expect(try profile().actions.contains(ending.action))
    #expect(try names == ["lines", "profile.json", "screens"])
  }

  @Test("A supervised app has one profile, of the processes before a crash and after")
  func supervised() async throws {
    let result = try await run(
      CrashingApp.manifest, ["@add", "@fault = reduce trap", "@add"], ["--supervise"])
    #expect(result.status == 70)
    #expect(
      try profile().actions.filter { $0 != "MockFaults.Faulty.screen()" } == [
        // The action that crashed did not end.
        "appcore.navigate.begin", "MockFaults.Faulty.view.addTapped", "appcore.restore",
        "MockFaults.Faulty.view.addTapped", "appcore.end",
      ])
    #expect(try names == ["profile.json"])
  }

  @Test("An app that is given up after crashes has its profile, too")
  func givenUp() async throws {
    let result = try await Program.appcore(
      ["run", CrashingApp.manifest, "--profile", file, "--supervise"],
      input: "@add\n" + String(repeating: "@fault = effect kill\n", count: 3) + "@add\n",
      environment: CrashingApp.environment.merging(["XDG_STATE_HOME": folder.path]) { $1 })
    #expect(result.status == 70)
    #expect(result.errors.contains("so the app ends"))
    let actions = try profile().actions
    #expect(actions.filter { $0 == "MockFaults.Faulty.view.addTapped" }.count == 1)
    #expect(actions.filter { $0 == "appcore.restore" }.count == 2)
  }

  @Test("A crash that nobody supervises leaves the file as it is")
  func unsupervised() async throws {
    try folder.write("profile.json", "old")
    let result = try await run(CrashingApp.manifest, ["@add", "@fault = reduce trap"])
    #expect(result.wasSignalled)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    #expect(try names == ["profile.json"])
  }
}
