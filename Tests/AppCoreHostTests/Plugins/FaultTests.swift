@_spi(Host) internal import AppCore
import Foundation
internal import PluginHost
internal import Support
import TestSupport
import Testing

@testable import AppCheck
@testable import AppCoreCLI
@_spi(Host) @testable internal import AppCoreHost

/// All that can be wrong with a plugin's file and with the code in it, each with what is said of it.
///
/// Real files, made by the build and then spoilt. Whatever is wrong, the host lives, and says one
/// thing: the message that is here.
@Suite("Faults of plugins", .notSanitized("loads plugins that trap, which only a scan survives"))
struct FaultTests {
  /// One thing that is wrong.
  struct Fault: CustomTestStringConvertible, Sendable {
    let name: String
    /// The plugin that is asked for.
    var plugin = "MockFaults"
    /// Puts the file in its place, `plugins/libMockFaults.so` unless it is another.
    var prepare: @Sendable (Workbench) async throws -> Void = { _ in }
    /// What the code does, as `APPCORE_MOCK_FAULT` says it.
    var behaviour: String?
    /// What is said, after the path.
    let message: String
    /// The code that explains it.
    let code: String

    var testDescription: String { name }
  }

  static let file = "plugins/libMockFaults.so"
  static let loading = "while it was loaded"
  static let asking = "while it was asked for its features"

  static let faults: [Fault] = files + damages + behaviours + others

  /// What is not a file that could be read.
  static let files = [
    Fault(
      name: "a directory",
      prepare: { try await $0.shell("mkdir \(file)") },
      message: "this is a directory", code: "plugin-not-a-file"),
    Fault(
      name: "a named pipe that nobody writes to",
      prepare: { try await $0.shell("mkfifo \(file)") },
      message: "this is a named pipe", code: "plugin-not-a-file"),
    Fault(
      name: "a device",
      prepare: { try await $0.shell("ln -s /dev/zero \(file)") },
      message: "this is a character device", code: "plugin-not-a-file"),
    Fault(
      name: "a link to nothing",
      prepare: { try await $0.shell("ln -s gone.so \(file)") },
      message: "this is a link to 'gone.so', which does not exist", code: "plugin-broken-link"),
    Fault(
      name: "a link to itself",
      prepare: { try await $0.shell("ln -s libMockFaults.so \(file)") },
      message: "this link leads back to itself", code: "plugin-broken-link"),
    Fault(
      name: "an empty file", prepare: { try await $0.shell(": > \(file)") },
      message: "the file is empty", code: "plugin-empty"),
    Fault(
      name: "a text file", prepare: { try await $0.shell("echo 'not a library' > \(file)") },
      message: "this is a text file", code: "plugin-not-elf"),
    Fault(
      name: "an archive", prepare: { try await $0.shell("ar q \(file) app.yaml 2> /dev/null") },
      message: "this is a static library (ar archive)", code: "plugin-not-elf"),
    Fault(
      name: "an executable", prepare: { try await $0.shell("cp $BUILD/appcore \(file)") },
      message: "this is an executable, not a shared library", code: "plugin-not-shared"),
    Fault(
      name: "a file that everybody can write to",
      prepare: { try await $0.shell("cp $BUILD/libMockFaults.so \(file); chmod 666 \(file)") },
      message: "other users can change '$DIR/\(file)', which is writable for everybody (mode 0666)",
      code: "plugin-writable"),
    Fault(
      name: "a file in a folder that everybody can write to",
      prepare: { try await $0.shell("cp $BUILD/libMockFaults.so \(file); chmod 777 plugins") },
      message: "other users can change '$DIR/plugins', which is writable for everybody (mode 0777)",
      code: "plugin-writable"),
  ]

  /// What is damaged, in ways that a header shows.
  static let damages = [
    Fault(
      name: "a file for 32-bit programs", prepare: { try $0.damage("MockFaults") { $0[4] = 1 } },
      message: "it is for 32-bit programs", code: "plugin-other-machine"),
    Fault(
      name: "a file for a big-endian machine",
      prepare: { try $0.damage("MockFaults") { $0[5] = 2 } },
      message: "it is for a big-endian machine", code: "plugin-other-machine"),
    Fault(
      name: "a file for another machine",
      prepare: { try $0.damage("MockFaults") { $0.replaceSubrange(18..<20, with: [22, 0]) } },
      message: "it is for S390, and this host is \(hostMachine)", code: "plugin-other-machine"),
    Fault(
      name: "a file without its last byte",
      prepare: { try $0.damage("MockFaults") { $0.removeLast() } },
      message:
        "cut off: the section header table at $NUMBER reaches to $NUMBER, and the file ends at "
        + "$NUMBER", code: "plugin-truncated"),
    Fault(
      name: "a file with another file's start",
      prepare: {
        try $0.damage("MockFaults") { $0.replaceSubrange(0..<4, with: Array("PK34".utf8)) }
      },
      message: "this is not an ELF file", code: "plugin-not-elf"),
  ]

  #if arch(x86_64)
    static let hostMachine = "x86-64"
  #else
    static let hostMachine = "AArch64"
  #endif

  /// What the code does in the process that it is loaded in first.
  static let behaviours = [
    Fault(
      name: "an initializer that aborts", behaviour: "load:abort",
      message: "it ended the scanning process with signal 6 (SIGABRT, aborted) \(loading)",
      code: "scan-crashed"),
    Fault(
      name: "an initializer that exits", behaviour: "load:exit",
      message: "it ended the scanning process with status 3 \(loading)", code: "scan-failed"),
    Fault(
      name: "an initializer that waits forever", behaviour: "load:hang",
      message: "it took more than 1 s \(loading)", code: "scan-timeout"),
    Fault(
      name: "an initializer that computes forever", behaviour: "load:spin",
      message: "it took more than 1 s \(loading)", code: "scan-timeout"),
    Fault(
      name: "an initializer that writes forever", behaviour: "load:flood",
      message: "it wrote more than 4194304 bytes \(loading)", code: "scan-flood"),
    Fault(
      name: "an initializer that takes all memory", behaviour: "load:hog",
      message: "it ended the scanning process with signal 6 (SIGABRT, aborted) \(loading)",
      code: "scan-crashed"),
    Fault(
      name: "an initializer that uses up the stack", behaviour: "load:overflow",
      message: "it ended the scanning process with signal 11 (SIGSEGV, invalid memory access) "
        + loading, code: "scan-crashed"),
    Fault(
      name: "an entry that aborts", behaviour: "ask:abort",
      message: "it ended the scanning process with signal 6 (SIGABRT, aborted) \(asking)",
      code: "scan-crashed"),
    Fault(
      name: "an entry that exits", behaviour: "ask:exit",
      message: "it ended the scanning process with status 3 \(asking)", code: "scan-failed"),
    Fault(
      name: "an entry that waits forever", behaviour: "ask:hang",
      message: "it took more than 1 s \(asking)", code: "scan-timeout"),
    Fault(
      name: "an entry that writes forever", behaviour: "ask:flood",
      message: "it wrote more than 4194304 bytes \(asking)", code: "scan-flood"),
  ]

  /// What is a library, and no plugin for this host.
  static let others = [
    Fault(
      name: "a library without an entry",
      prepare: { try await $0.shell("echo 'int x;' | cc -shared -o \(file) -x c -") },
      message: "it exports no function 'appcore_plugin_<Name>'", code: "plugin-no-entry"),
    Fault(
      name: "a plugin of another epoch", plugin: "OtherContract",
      prepare: {
        let source = Project.path("Tests/Fixtures/OtherContract.c")
        try await $0.shell("cc -shared -fPIC -o plugins/libOtherContract.so '\(source)'")
      },
      message: "built against another epoch of the SDK", code: "contract-mismatch"),
    Fault(
      name: "a plugin with a symbol that is nowhere",
      prepare: {
        let source = """
          extern int \(SDK.contractSymbol)(void), symbol_that_is_nowhere(void);
          void *appcore_plugin_MockFaults(void) {
            return (void *)(long)(\(SDK.contractSymbol)() + symbol_that_is_nowhere());
          }
          """
        try $0.write(source, to: "plugin.c")
        try await $0.shell("cc -shared -fPIC -o \(file) plugin.c")
      },
      message: "it needs 1 symbol that nothing defines", code: "plugin-undefined-symbols"),
    Fault(
      name: "a plugin with two features of one name", plugin: "MockDuplicate",
      message: "it registers the feature 'MockDuplicate.Note' twice; give one of them a 'name:'",
      code: "plugin-registration"),
    Fault(
      name: "a copy under another name", plugin: "Renamed",
      prepare: { try await $0.shell("cp $BUILD/libMockFaults.so plugins/libRenamed.so") },
      message: "this is the plugin 'MockFaults', not 'Renamed'", code: "plugin-other-name"),
  ]

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
    #expect(Self.portable(problem.message, bench) == fault.message)
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
      #expect(Self.portable(found.message, bench) == fault.message)
      #expect(inspected.json.contains("\"code\": \"\(fault.code)\""))
    }
    #expect(RuleGroup.rules.contains { $0.code == fault.code })
  }

  private static func portable(_ message: String, _ bench: Workbench) -> String {
    let text = bench.portable(message)
    return text.hasPrefix("cut off") ? text.replacing(/0x[0-9a-f]+/, with: "$NUMBER") : text
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

  @Test("A folder where only the owner of a file can replace it is as good as one's own")
  func sticky() async throws {
    let bench = try Workbench()
    let path = try bench.write(Self.manifest("MockFaults"), to: "app.yaml")
    try await bench.shell("cp $BUILD/libMockFaults.so \(Self.file); chmod 1777 plugins")
    #expect(try ManifestReport(path, options: bench.options).text == "")
    // A link leads elsewhere, and there it counts too.
    try await bench.shell(
      "mkdir open; mv \(Self.file) open/real.so; ln -s ../open/real.so \(Self.file); chmod 777 open"
    )
    #expect(
      try ManifestReport(path, options: bench.options).text.contains(
        "other users can change '\(bench.folder)/open'"))
  }

  @Test("Two files that are one plugin: both are named")
  func duplicate() async throws {
    let bench = try Workbench()
    try await bench.shell("cp $BUILD/libMockFaults.so \(Self.file); cp \(Self.file) other.so")
    let path = try bench.write(
      Self.manifest("MockFaults").replacingOccurrences(
        of: "[MockFaults]", with: "[MockFaults, { path: other.so }]"), to: "app.yaml")
    #expect(
      try await bench.appcore(["check", path])
        == .init(
          status: 69,
          output: """
            $DIR/app.yaml:3:23: error: can't load plugin 'other.so': $DIR/other.so: this is the \
            plugin 'MockFaults', and '$DIR/plugins/libMockFaults.so' is that already \
            [plugin-unavailable]
            plugins: [MockFaults, { path: other.so }]
                                  ^
              code: plugin-duplicate
              help: name only one of the two files: a plugin's name must belong to one file

            """, errors: ""))
  }

  @Test("A plugin that throws when it is made: the app does not begin")
  func throwsWhenMade() async throws {
    let bench = try Workbench()
    let path = try bench.write(
      Self.manifest("MockFaults").replacingOccurrences(
        of: "[MockFaults]", with: "[{ name: MockFaults, with: { failure: no licence } }]"),
      to: "app.yaml")
    #expect(
      try await bench.appcore(["run", path])
        == .init(
          status: 69, output: "",
          errors: """
            appcore: the plugin 'MockFaults' can't be made: no licence; correct what its 'with' gives \
            in the manifest

            """))
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
