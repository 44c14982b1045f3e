import Foundation
import Glibc
import TestSupport
import Testing

/// How the real program ends by signals; `Tests/Transcripts/run` has streams that fail.
@Suite("appcore, at its end")
struct EndingTests {
  private static let slow = "Tests/Fixtures/manifests/mocks/slow.yaml"
  private static let counter = "Tests/Fixtures/manifests/mocks/counter.yaml"

  private func shell(_ command: String) async throws -> ProgramResult {
    try await Program.run(
      "/bin/bash", ["-c", command],
      environment: ["APPCORE": buildFolder.appendingPathComponent("appcore").path])
  }

  private func expectClean(_ result: ProgramResult) {
    for trace in ["Fatal error", "Crash", "Backtrace"] { #expect(!result.errors.contains(trace)) }
  }

  @Test(
    "A signal ends the app with 128 and its number; what was printed is there, effects are ended",
    arguments: [("TERM", 143), ("HUP", 129), ("INT", 130)])
  func signal(_ name: String, _ status: Int) async throws {
    let folder = try TemporaryFolder()
    let marker = folder.url.appendingPathComponent("cancelled").path
    let screens = folder.url.appendingPathComponent("screens").path
    let result = try await shell(
      """
      # Jobs of their own: other background processes of a script ignore interrupts.
      set -m
      mkfifo '\(folder.url.path)/lines'
      "$APPCORE" run \(Self.slow) --set marker='\(marker)' --set milliseconds=600000 \
        < '\(folder.url.path)/lines' > '\(screens)' &
      app=$!
      exec 3> '\(folder.url.path)/lines'
      printf ':path\\n:wait 0.05\\n@start\\n' >&3
      for i in $(seq 1200); do grep -q 'Working' '\(screens)' && break; sleep 0.05; done
      echo ':wait 600' >&3
      kill -\(name) $app
      (sleep 60; kill -KILL $app) > /dev/null 2>&1 &
      guard=$!
      wait $app
      status=$?
      kill -- -$guard
      exit $status
      """)
    expectClean(result)
    #expect(result.status == Int32(status))
    #expect(FileManager.default.fileExists(atPath: marker))
    let printed = try String(contentsOfFile: screens, encoding: .utf8)
    #expect(printed.contains("\n/work"))
    #expect(printed.hasSuffix("\n"))
  }

  @Test(
    "Tests that a signal ends leave no copies in a home folder of a script",
    arguments: [("TERM", 143), ("INT", 130)])
  func scriptHome(_ name: String, _ status: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write("app/app.yaml", BundleFolder.manifest)
    try folder.write("app/tests/slow.script", ":sleep 600\n")
    try folder.write("app/tests/home/file", "text")
    try folder.write("tmp/other", "text")
    let result = try await shell(
      """
      # A group of its own, all of which gets the signal, as it does from a terminal.
      set -m
      cd '\(folder.path)'
      TMPDIR=$PWD/tmp "$APPCORE" test app > printed 2>&1 &
      app=$!
      for i in $(seq 1200); do ls tmp/*-test.*/file > /dev/null 2>&1 && break; sleep 0.05; done
      ls tmp | grep -c appcore-test
      kill -\(name) -- -$app
      wait $app
      status=$?
      # The script's process may make its home again, for what it writes at its end.
      for i in $(seq 200); do ls tmp/*-test.*/file > /dev/null 2>&1 || break; sleep 0.05; done
      find tmp -name file | wc -l
      exit $status
      """)
    expectClean(result)
    #expect(result.output == "1\n0\n")
    // The script, which gets the signal, too, may be seen to fail first.
    #expect([Int32(status), 65].contains(result.status))
  }

  @Test("A hang-up that nohup had ignored stays ignored")
  func nohup() async throws {
    let folder = try TemporaryFolder()
    let result = try await shell(
      """
      trap '' HUP
      cd '\(folder.path)'
      mkfifo lines
      (cd "$OLDPWD" && exec "$APPCORE" run \(Self.counter)) < lines > screens &
      exec 3> lines
      echo :path >&3
      for i in $(seq 1200); do grep -q '^/' screens && break; sleep 0.05; done
      kill -HUP $!
      echo @add >&3
      exec 3>&-
      wait $!
      """)
    #expect(result.status == 0)
    let screens = try String(contentsOfFile: folder.path + "/screens", encoding: .utf8)
    #expect(screens.contains("The count is 1."))
  }
}
