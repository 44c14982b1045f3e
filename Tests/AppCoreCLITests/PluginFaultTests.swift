import Foundation
import TestSupport
import Testing

/// What is left to say where a plugin goes wrong outside of its features' calls.
@Suite("A plugin that goes wrong at any stage of its life")
struct PluginFaultTests {
  private static let manifest = "Tests/Fixtures/manifests/mocks/faults.yaml"

  private func run(
    _ fault: String, _ lines: [String] = ["@fault", "@effect"], _ options: [String] = []
  ) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", Self.manifest] + options, input: lines.map { $0 + "\n" }.joined(),
      environment: ["SWIFT_BACKTRACE": "enable=no", "APPCORE_MOCK_FAULT": fault])
  }

  private static let page =
    "plugin 'MockFaults', feature 'MockFaults.Page', node 'page' #0.0, "
  private static let making =
    "plugin 'MockFaults', in its 'init(configuration:)' or in the making of a feature"

  @Test(
    "The last line of a process that it ends names it, and what it did",
    arguments: [
      ("host-load:trap", "plugin 'MockFaults', as its file was loaded: Segmentation fault"),
      ("host-load:abort", "plugin 'MockFaults', as its file was loaded: Aborted"),
      ("host-ask:trap", "plugin 'MockFaults', as it named its features: Segmentation fault"),
      ("make:trap", making + ": Segmentation fault"),
      ("factory:trap", making + ": Segmentation fault"),
      ("thread:trap", "plugin 'MockFaults', outside of its features' calls: Segmentation fault"),
      (
        "thread:overflow",
        "plugin 'MockFaults', outside of its features' calls: Segmentation fault"
      ),
      ("thread:race", "plugin 'MockFaults', outside of its features' calls: Segmentation fault"),
      ("effect:overflow", page + "in an effect: Segmentation fault"),
      ("atexit:trap", "plugin 'MockFaults', outside of its features' calls: Segmentation fault"),
    ])
  func crash(fault: String, line: String) async throws {
    let result = try await run(fault)
    #expect(result.wasSignalled)
    #expect(result.errors.split(separator: "\n").last ?? "" == "appcore: ended by " + line)
  }

  @Test(
    "One that calls 'exit' ends the app with 70, and is named",
    arguments: [
      ("host-load:exit", "plugin 'MockFaults', as its file was loaded: it called 'exit'"),
      ("make:exit", making + ": it called 'exit'"),
      ("factory:exit", making + ": it called 'exit'"),
      ("reduce:exit", page + "in its reducer: it called 'exit', at the action .view(.faultTapped)"),
      ("effect:exit", page + "in an effect: it called 'exit'"),
      ("thread:exit", "plugin 'MockFaults', outside of its features' calls: it called 'exit'"),
    ])
  func exits(fault: String, line: String) async throws {
    let result = try await run(fault, ["@fault", "@effect", ":expect never"])
    #expect(result.status == 70)
    #expect(!result.wasSignalled)
    #expect(result.errors.split(separator: "\n").last ?? "" == "appcore: ended by " + line)
  }

  @Test("Output from before a plugin calls 'exit' is kept, and other features' text is saved")
  func printed() async throws {
    let result = try await run("reduce:exit", ["@fault"])
    #expect(result.output.contains("Nothing is wrong here."))
  }

  @Test("A plugin's output goes to standard error, named, and breaks neither JSON nor a terminal")
  func prints() async throws {
    let result = try await run("reduce:print", ["@fault", ":path"], ["--json"])
    #expect(result.status == 0)
    for line in result.output.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    #expect(
      result.errors == """
        appcore: plugin 'MockFaults' printed: one
        appcore: plugin 'MockFaults' printed: ␛[31mtwo <U+202E>

        """)
  }

  @Test("Where no plugin can be named, that is said, with the reason if it is known")
  func unattributed() async throws {
    let result = try await run("make:descriptors", ["@effect", ":sleep 1"])
    // Whether the process can continue without descriptors depends on what it has opened before.
    guard result.wasSignalled else { return }
    let last = try #require(result.errors.split(separator: "\n").last)
    #expect(last.hasPrefix("appcore: ended by Illegal instruction; unattributed: "))
    #expect(last.hasSuffix("the process has no descriptors left; 'ulimit -n' raises their number"))
  }

  @Test(
    "One that never comes back is named, and a script is ended after a while",
    arguments: [("make:spin", making), ("reduce:spin", page + "in its reducer")])
  func spins(fault: String, owner: String) async throws {
    let result = try await run(fault, ["@fault"], ["--watchdog", "0.1"])
    #expect(result.status == 70)
    let lines = result.errors.split(separator: "\n")
    #expect(
      lines.contains {
        $0.hasPrefix("appcore: the app has not answered for 0.") && $0.contains(" s: " + owner)
          && $0.hasSuffix("; still waiting (it is ended after 2.0 s)")
      }, "\(result.errors)")
    #expect(lines.last?.hasPrefix("appcore: ended by " + owner) == true, "\(result.errors)")
    #expect(lines.last?.contains(": it has kept the app busy for 2.") == true)
  }

  @Test("Exit handlers are waited for some seconds at most")
  func exitHandlers() async throws {
    let result = try await run("atexit:spin", [":quit"])
    #expect(result.status == 0)
    #expect(
      result.errors == "appcore: ended without waiting any longer for an exit handler\n")
    #expect(result.duration < .seconds(30))
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
