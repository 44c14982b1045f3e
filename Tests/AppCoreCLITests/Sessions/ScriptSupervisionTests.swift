import Foundation
import Glibc
import TestSupport
import Testing

/// Scripts and programs that ask to survive crashes.
@Suite("A supervised script")
struct ScriptSupervisionTests {
  private func run(
    _ input: String, _ options: [String] = [], environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", CrashingApp.manifest, "--supervise"] + options, input: input,
      environment: CrashingApp.environment.merging(environment) { $1 })
  }

  @Test("With '--supervise' the line is answered and the next one carried out")
  func program() async throws {
    let result = try await run(
      "@add\n@fault = reduce trap\n@add\n\n@fault = screen kill\n:explain crash\n@add", ["--json"])
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    // The first screen, and one object for each line that is not blank; ':explain' has a screen too.
    #expect(lines.count == 8)
    #expect(lines[1].contains(#""text":"Count 1""#))
    #expect(lines[2].hasPrefix(#"{"error":{"code":"crashed","text":"MockFaults.Faulty crashed"#))
    #expect(lines[3].hasPrefix(#"{"screen":3,"#))
    #expect(lines[3].contains(#""text":"Count 2""#))
    #expect(lines[4].contains(#"crashed in screen(_:) (SIGKILL); restored in "#))
    #expect(lines[5].contains(#"{"command":"explain","value":{"code":"crash""#))
    #expect(lines[7].contains(#""text":"Count 3""#))
    #expect(
      result.errors.components(separatedBy: "appcore: MockFaults.Faulty crashed in ").count == 3)
  }

  @Test("A script continues, prints a screen for the line that crashed, and ends with 70")
  func script() async throws {
    for options in [[], ["--script", "-"]] {
      let result = try await run("@add\n@fault = reduce exit\n:expect Count 1\n@add\n", options)
      #expect(result.status == 70)
      #expect(result.output.components(separatedBy: "── Faulty ──").count == 6)
      #expect(result.output.hasSuffix("Count 2\n[1] Add\n[2] Fault: (empty)\n"))
      #expect(result.errors.contains("appcore: MockFaults.Faulty crashed in reduce(into:"))
    }
    let lines = try await run(
      "", ["-c", "@add", "-c", "@fault = reduce trap", "-c", "@add", "-c", ":expect Count 2"])
    #expect(lines.status == 70)
    #expect(lines.output.hasSuffix("Count 2\n[1] Add\n[2] Fault: (empty)\n"))
  }

  @Test("A refused line still ends it, with its number")
  func refused() async throws {
    let result = try await run("@add\n@fault = reduce trap\n:expect Count 7\n@add\n")
    #expect(result.status == 65)
    #expect(result.errors.contains("line 3"))
  }

  @Test("A loop is ended by the limit, and a long input is not lost")
  func long() async throws {
    // More than is read at once.
    let lines = "# " + String(repeating: "x", count: 1000) + "\n@add\n"
    let result = try await run(
      "@fault = reduce loop\n" + String(repeating: lines, count: 100)
        + "@fault = reduce trap\n:expect Count 100\n",
      ["--json", "--hang-limit", "2"])
    #expect(result.status == 0)
    let errors = result.output.split(separator: "\n").filter { $0.hasPrefix(#"{"error""#) }
    #expect(errors.count == 2, "\(errors)")
    #expect(errors.first?.contains("hung in reduce(into:action:)") == true)
    #expect(errors.last?.contains("crashed in reduce(into:action:)") == true)
  }

  @Test("It ends as one process")
  func statuses() async throws {
    #expect(try await run(":quit\n@add").status == 0)
    #expect(try await run("@nothing").status == 65)
    #expect(try await run("", ["--no-supervise"]).status == 64)
    #expect(try await Program.appcore(["run", "nowhere.yaml", "--supervise"]).status == 66)
    let folder = try TemporaryFolder()
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        set -m
        mkfifo lines
        "$APPCORE" run "$MANIFEST" --supervise < lines > screens &
        app=$!
        exec 3> lines
        echo @add >&3
        for i in $(seq 1200); do grep -q 'Count 1' screens && break; sleep 0.05; done
        kill -KILL $(pgrep -P $app)
        echo @add >&3
        for i in $(seq 1200); do grep -q 'Count 2' screens && break; sleep 0.05; done
        kill -TERM $app
        wait $app
        """,
      ],
      environment: [
        "APPCORE": buildFolder.appendingPathComponent("appcore").path,
        "MANIFEST": packageFolder.appendingPathComponent(CrashingApp.manifest).path,
      ], folder: folder.url)
    #expect(result.status == 143)
    #expect(result.errors.contains("appcore: the app crashed (SIGKILL); no plugin is known"))
  }

  @Test("Three crashes that nobody is known to have caused end it, and its state is in a file")
  func givesUp() async throws {
    let folder = try TemporaryFolder()
    let result = try await run(
      "@add\n" + String(repeating: "@fault = effect kill\n", count: 3) + "@add\n",
      environment: ["XDG_STATE_HOME": folder.url.path])
    #expect(result.status == 70)
    #expect(result.errors.contains("that was the third crash within a minute, so the app ends"))
    let sessions = folder.url.appendingPathComponent("appcore/sessions")
    let names = try FileManager.default.contentsOfDirectory(atPath: sessions.path)
    let file = sessions.appendingPathComponent(try #require(names.first)).path
    #expect(names.count == 1 && result.errors.contains(file))
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let resumed = try await Program.appcore(
      ["run", CrashingApp.manifest, "--session", file, "--resume", "-c", ":expect Count 1"])
    #expect(resumed.status == 0)
    #expect(resumed.errors.contains("appcore: resumed the session of "))
    // It was left as it should be.
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("An app that uses more memory than it may is restored, and the culprit is named")
  func memory() async throws {
    let lines = ["-c", "@add", "-c", "@fault = reduce memory", "-c", ":expect Count 1"]
    let result = try await Program.appcore(
      ["run", CrashingApp.manifest, "--supervise", "--memory-limit", "400M"] + lines)
    #expect(
      result.errors.contains(
        "appcore: MockFaults.Faulty crashed in reduce(into:action:) "
          + "(it used more than 400 MiB of memory); restored in "), "\(result.errors)")
    #expect(result.status == 70)
    #expect(!result.errors.contains("does not show"))
  }

  @Test(
    "A limit that can't be kept, or is none, is refused",
    arguments: ["12", "1T", "-1G", "G", "9999999999G"])
  func wrongLimit(_ size: String) async throws {
    let result = try await Program.appcore(
      ["run", CrashingApp.manifest, "--supervise", "--memory-limit=\(size)"])
    #expect(result.status == 64)
    #expect(result.errors.contains("--memory-limit"))
  }

  @Test("Where crashes are not survived, a memory limit is refused")
  func unsupervised() async throws {
    let result = try await Program.appcore(["run", CrashingApp.manifest, "--memory-limit", "400M"])
    #expect(result.status == 64)
    #expect(result.errors.contains("on a terminal, or with '--supervise'"))
  }
}
