@_spi(Host) internal import AppCore
import Foundation
internal import PluginHost
internal import Support
import TestSupport
import Testing

@testable import AppCheck
@testable import AppCoreCLI
@_spi(Host) @testable internal import AppCoreHost

/// What can be wrong with a plugin's file and with the code in it, each with what is said of it.
///
/// Real files, made by the build and then spoilt. Whatever is wrong, the host lives, and says one
/// thing: the message that is here.
@Suite("Faults of plugins", .notSanitized("loads plugins that trap, which only a scan survives"))
struct FaultTests {
  /// One thing that is wrong.
  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    /// The plugin that is asked for.
    let plugin: String
    /// What the code does, as `APPCORE_MOCK_FAULT` says it.
    let behaviour: String?
    /// What is said, after the path.
    let message: String
    /// The code that explains it.
    let code: String
    /// Puts the file in its place, `plugins/libMockFaults.so` unless it is another.
    let prepare: @Sendable (Workbench) async throws -> Void

    init(
      _ name: String, of plugin: String = "MockFaults", doing behaviour: String? = nil,
      says message: String, _ code: String,
      prepare: @escaping @Sendable (Workbench) async throws -> Void = { _ in }
    ) {
      (self.name, self.plugin, self.behaviour) = (name, plugin, behaviour)
      (self.message, self.code, self.prepare) = (message, code, prepare)
    }

    var testDescription: String { name }
  }

  static let file = "plugins/libMockFaults.so"
  static let loading = "while it was loaded"
  static let asking = "while it was asked for its features"

  static let faults: [Fault] = files + behaviours

  /// A file of each stage: found, read, validated, loaded, registered.
  ///
  /// The others are in `Tests/Transcripts/plugins`.
  static let files = [
    Fault("a directory", says: "this is a directory", "plugin-not-a-file") {
      try await $0.shell("mkdir \(file)")
    },
    Fault(
      "a file that everybody can write to",
      says: "other users can change '$DIR/\(file)', which is writable for everybody (mode 0666)",
      "plugin-writable"
    ) { try await $0.shell("cp $BUILD/libMockFaults.so \(file); chmod 666 \(file)") },
    Fault(
      "a file in a folder that everybody can write to",
      says: "other users can change '$DIR/plugins', which is writable for everybody (mode 0777)",
      "plugin-writable"
    ) { try await $0.shell("cp $BUILD/libMockFaults.so \(file); chmod 777 plugins") },
    Fault(
      "a plugin with a symbol that is nowhere", says: "it needs 1 symbol that nothing defines",
      "plugin-undefined-symbols"
    ) {
      let source = """
        extern int \(SDK.contractSymbol)(void), symbol_that_is_nowhere(void);
        void *appcore_plugin_MockFaults(void) {
          return (void *)(long)(\(SDK.contractSymbol)() + symbol_that_is_nowhere());
        }
        """
      try $0.write(source, to: "plugin.c")
      try await $0.shell("cc -shared -fPIC -o \(file) plugin.c")
    },
    Fault(
      "a plugin with two features of one name", of: "MockDuplicate",
      says: "it registers the feature 'MockDuplicate.Note' twice; give one of them a 'name:'",
      "plugin-registration"),
    Fault(
      "a copy under another name", of: "Renamed",
      says: "this is the plugin 'MockFaults', not 'Renamed'", "plugin-other-name"
    ) { try await $0.shell("cp $BUILD/libMockFaults.so plugins/libRenamed.so") },
  ]

  /// What the code does in the process that it is loaded in first.
  static let behaviours = [
    ("an initializer that aborts", "load:abort", ended + aborted + loading, "scan-crashed"),
    ("an initializer that exits", "load:exit", ended + "status 3 " + loading, "scan-failed"),
    ("an initializer that waits forever", "load:hang", tooLong + loading, "scan-timeout"),
    ("an initializer that computes forever", "load:spin", tooLong + loading, "scan-timeout"),
    ("an initializer that writes forever", "load:flood", tooMuch + loading, "scan-flood"),
    ("an initializer that takes all memory", "load:hog", ended + aborted + loading, "scan-crashed"),
    (
      "an initializer that uses up the stack", "load:overflow",
      ended + "signal 11 (SIGSEGV, invalid memory access) " + loading, "scan-crashed"
    ),
    ("an entry that aborts", "ask:abort", ended + aborted + asking, "scan-crashed"),
    ("an entry that exits", "ask:exit", ended + "status 3 " + asking, "scan-failed"),
    ("an entry that waits forever", "ask:hang", tooLong + asking, "scan-timeout"),
    ("an entry that writes forever", "ask:flood", tooMuch + asking, "scan-flood"),
  ].map { Fault($0, doing: $1, says: $2, $3) }

  private static let ended = "it ended the scanning process with "
  private static let aborted = "signal 6 (SIGABRT, aborted) "
  private static let tooLong = "it took more than 1 s "
  private static let tooMuch = "it wrote more than 4194304 bytes "

  @Test("Each is refused with one message, and the host lives", arguments: faults)
  func refused(_ fault: Fault) async throws {
    let bench = try Workbench()
    let path = try bench.write(Self.manifest(fault.plugin), to: "app.yaml")
    try await fault.prepare(bench)
    var options = bench.options
    options.environment["APPCORE_MOCK_FAULT"] = fault.behaviour
    // Only what never ends has little time.
    options.scanLimit = fault.code == "scan-timeout" ? .seconds(1) : .seconds(60)

    let report = try ManifestReport(path, options: options)
    #expect(report.exitStatus == 69)
    let problem = try #require(report.plugins.problems[fault.plugin])
    #expect(bench.portable(problem.message) == fault.message)
    #expect(problem.code == fault.code)
    // It is the one thing that is said.
    #expect(report.problems.count == 1)
    // Loading says the same as checking.
    let error = #expect(throws: AppLoadError.self) { try LoadedApp.load(path, options: options) }
    #expect(error.map { "\($0)\n" } == report.text)
    #expect(error?.exitStatus == 69)

    // `inspect` says the same; what the code does it knows of the scan before.
    let file = problem.path
    let inspected = PluginReport([file], options: options, scans: problem.stage == .loaded)
    #expect(inspected.exitStatus == (fault.code == "plugin-other-name" ? 0 : 69))
    if fault.code != "plugin-other-name" {
      let found = try #require(inspected.entries[0].problem)
      #expect(found.code == fault.code)
      #expect(bench.portable(found.message) == fault.message)
      #expect(inspected.json.contains("\"code\": \"\(fault.code)\""))
    }
    #expect(RuleGroup.rules.contains { $0.code == fault.code })
  }

  static func manifest(_ plugin: String) -> String {
    """
    appcore: 1
    name: faults
    plugins: [\(plugin)]
    start: page
    nodes:
      page: { feature: \(plugin).Page }
    routes:
      - { from: page, action: left, do: ignore }

    """
  }

  @Test("Without a fault it is a plugin like any other")
  func faultless() async throws {
    let bench = try Workbench()
    let path = try bench.write(Self.manifest("MockFaults"), to: "app.yaml")
    #expect(try ManifestReport(path, options: bench.options).text == "")
    let result = try await bench.appcore(["run", path, "-c", "@leave"])
    #expect(result.status == 0)
    #expect(result.output.contains("Nothing is wrong here."))
  }

  @Test("A file that the user may not read")
  func unreadable() async throws {
    let bench = try Workbench()
    let path = try bench.write(Self.manifest("MockFaults"), to: "app.yaml")
    try await bench.shell("cp $BUILD/libMockFaults.so \(Self.file); chmod 000 \(Self.file)")
    let message = "the system refuses: permission denied [plugin-unavailable]"
    guard geteuid() == 0 else {
      return #expect(try ManifestReport(path, options: bench.options).text.contains(message))
    }
    // Root may read everything: the program runs as somebody else.
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else {
      return withKnownIssue("root can't give up its rights here: there is no setpriv") {
        Issue.record("not tested")
      }
    }
    try await bench.shell("chmod 755 .")
    let result = try await bench.shell(
      "/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups $BUILD/appcore check app.yaml "
        + "--plugin-path plugins; echo status $?")
    #expect(result.contains(message), "\(result)")
    #expect(result.contains("status 69"))
  }

  @Test("A file of another user's, and who takes it")
  func foreign() async throws {
    guard geteuid() == 0 else { return }
    let bench = try Workbench()
    let path = try bench.write(Self.manifest("MockFaults"), to: "app.yaml")
    try await bench.shell("cp $BUILD/libMockFaults.so \(Self.file); chown 4711 \(Self.file)")
    var options = bench.options
    let report = try ManifestReport(path, options: options)
    #expect(
      report.text.contains(
        "other users can change '\(bench.folder)/\(Self.file)', which belongs to the user 4711"))
    #expect(
      report.text.contains(
        "or accept '\(bench.folder)/\(Self.file)' as it is with `--allow-writable`"))
    options.allowsWritable = true
    #expect(try ManifestReport(path, options: options).text == "")
    // That it was taken does not make it one that is taken without being asked.
    options.allowsWritable = false
    #expect(try ManifestReport(path, options: options).exitStatus == 69)
    #expect(try await bench.appcore(["check", path]).status == 69)
    #expect(try await bench.appcore(["check", path, "--allow-writable"]).status == 0)
  }

  @Test("A file that is replaced or written over while its plugin is loaded changes nothing")
  func changedWhileLoaded() async throws {
    for command in [
      "cp $BUILD/libMockGood.so new.so; mv new.so \(Self.file)",
      "dd if=/dev/urandom of=\(Self.file) bs=1k count=64 conv=notrunc 2> /dev/null",
      ": > \(Self.file)", "rm \(Self.file)",
    ] {
      let bench = try Workbench()
      try await bench.shell("cp $BUILD/libMockFaults.so \(Self.file)")
      let path = try bench.write(Self.manifest("MockFaults"), to: "app.yaml")
      let app = App(try LoadedApp.load(path, options: bench.options))
      try await app.begin()
      try await bench.shell(command)
      #expect(
        await app.readScreen(noticesAfter: 0).lines.contains { $0.contains("Nothing is wrong") })
      #expect(await app.activate(control: 0, input: .press))
      await app.end()
    }
  }
}
