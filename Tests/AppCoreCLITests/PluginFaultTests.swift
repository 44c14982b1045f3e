import Foundation
import TestSupport
import Testing

/// What the system grants no more; `Tests/Transcripts/faults` has what plugins do.
@Suite("An app at the limits of the system")
struct PluginFaultTests {
  private static let manifest = "Tests/Fixtures/manifests/mocks/faults.yaml"

  @Test("Where no plugin can be named, that is said, with the reason if it is known")
  func unattributed() async throws {
    let result = try await Program.appcore(
      ["run", Self.manifest], input: "@effect\n:sleep 1\n",
      environment: ["SWIFT_BACKTRACE": "enable=no", "APPCORE_MOCK_FAULT": "make:descriptors"])
    // Whether the process can continue without descriptors depends on what it has opened before.
    guard result.wasSignalled else { return }
    let last = try #require(result.errors.split(separator: "\n").last)
    #expect(last.hasPrefix("appcore: ended by Illegal instruction; unattributed: "))
    #expect(last.hasSuffix("the process has no descriptors left; 'ulimit -n' raises their number"))
  }

  @Test("Where the system grants no memory for threads, the start works or ends with a message")
  func noThreads() async throws {
    let appcore = buildFolder.appendingPathComponent("appcore").path
    for limit in [60_000, 100_000, 200_000, 400_000] {
      let result = try await Program.run(
        "/bin/bash",
        [
          "-c",
          "ulimit -v \(limit); exec timeout 60 '\(appcore)' run '\(Self.manifest)' < /dev/null",
        ])
      // It hangs in no case.
      #expect(result.status != 124, "\(limit): \(result.errors)")
      if result.status == 0 { continue }
      // Programs that can't even be loaded say so themselves.
      guard result.errors.hasPrefix("appcore: the system") else { continue }
      #expect(result.status == 70, "\(limit): \(result.errors)")
      #expect(result.errors.contains("raise the limits of memory (ulimit -v)"))
    }
  }

  @Test(
    "Where little memory is granted, threads do not reserve it all",
    .notSanitized("a sanitizer reserves more than is granted"))
  func littleMemory() async throws {
    let appcore = buildFolder.appendingPathComponent("appcore").path
    for limit in stride(from: 240_000, through: 400_000, by: 40_000) {
      let result = try await Program.run(
        "/bin/bash",
        ["-c", "ulimit -v \(limit); exec '\(appcore)' run '\(Self.manifest)' < /dev/null"])
      #expect(result.status == 0, "\(limit): \(result.errors)")
    }
  }

  /// The limit counts all processes and threads of the user, and root's are not counted: so root runs
  /// this as nobody, from a folder that nobody may read.
  @Test("Where the system grants no processes, the start works or ends with a message")
  func noProcesses() async throws {
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        set -e; folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; umask 022
        ldd '\(buildFolder.path)/appcore' | grep -Eo '/[^ ]*(swift|AppCore)[^ ]*' | sort -u \
          | xargs cp -Lt "$folder"
        cp '\(buildFolder.path)'/{appcore,libMockFaults.so} '\(Self.manifest)' "$folder"
        mkdir -m 777 "$folder/home"; chmod 755 "$folder"; cd "$folder"
        as=; [ $(id -u) != 0 ] || as='setpriv --reuid=65534 --regid=65534 --clear-groups'
        export HOME=$folder/home XDG_CACHE_HOME=$folder/home
        for limit in $(ulimit -u) 1 2 3 5 6 8 12; do
          status=0
          timeout 60 $as bash -c "ulimit -u $limit; exec ./appcore run faults.yaml --rescan" \
            < /dev/null > home/output 2> home/errors || status=$?
          echo "$limit: $status: $(tr '\\n' ' ' < home/errors)"
        done
        """,
      ])
    #expect(result.status == 0, "\(result.errors)")
    let runs = result.output.split(separator: "\n")
    #expect(runs.count == 8)
    #expect(runs.first?.hasSuffix(": 0: ") == true)
    // With one process there is no thread, and none to ask the plugin in.
    let one = runs.dropFirst().first ?? ""
    #expect(one.hasPrefix("1: 70: appcore: the system grants no thread"), "\(one)")
    for run in runs where !run.contains(": 0: ") {
      #expect(run.contains(": 70: ") || run.contains(": 69: "), "\(run)")
      #expect(run.contains("ulimit -u"), "\(run)")
    }
  }
}
