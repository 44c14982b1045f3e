import Foundation
import TestSupport
import Testing

@Suite("appcore run --profile")
struct ProfileTests {
  private static let counter = "Tests/Fixtures/manifests/mocks/counter.yaml"

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
    let folder = try TemporaryFolder()
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
    let file = folder.url.appendingPathComponent("profile.json")
    #expect(try SpeedscopeProfile(Data(contentsOf: file)).actions.contains(ending.action))
    // What is written on the way is not left behind.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["lines", "profile.json", "screens"])
  }
}
