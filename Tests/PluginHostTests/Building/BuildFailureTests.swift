internal import AppCore
import Foundation
internal import Support
import Synchronization
import TestSupport
import Testing

@testable import PluginHost

/// What is said of folders that make no plugin.
@Suite(
  "A folder that can't be built",
  .notThreadSanitized("loads a file for each step, which takes minutes there"))
struct BuildFailureTests {
  let bench: BuildBench

  init() throws { bench = try BuildBench() }

  /// Expects that the folder is refused with the rule's remedy or another one; `$DIR` is the
  /// workshop.
  private func expect(
    _ rule: Rule, _ message: String, details: [String] = [], remedy: String? = nil,
    _ toolkit: PluginToolkit = BuildBench.toolkit, at place: SourceLocation = #_sourceLocation
  ) throws {
    let problem = PluginError(
      .built, path: "$DIR/Devices", Rejection(rule, message, details: details, remedy: remedy))
    #expect(try bench.refusal(toolkit) == "\(problem)", sourceLocation: place)
  }

  @Test("No compiler")
  func noCompiler() throws {
    bench.environment["PATH"] = "/nowhere"
    try expect(
      .pluginNoCompiler, "there is no 'swiftc' on the PATH")
  }

  @Test("A compiler of another version")
  func otherCompiler() throws {
    try bench.compiler(version: "5.10")
    try expect(
      .pluginOtherCompiler,
      "'$DIR/bin/swiftc' is Swift 5.10, and this appcore's SDK was built by Swift \(SDK.compilerVersion)",
      remedy:
        "put Swift \(SDK.compilerVersion) first on the `PATH`, or install an appcore that was built by yours"
    )
    #expect(bench.runs == 0)
  }

  @Test("A compiler that is none")
  func silentCompiler() throws {
    try bench.program("swiftc", "#!/bin/sh\necho hello\n")
    try expect(
      .pluginNoCompiler, "'$DIR/bin/swiftc --version' names no version",
      remedy: "put a `swiftc` that works first on the `PATH`")
  }

  @Test("A compiler that is ended by a signal")
  func endedCompiler() throws {
    try bench.compile("kill -9 $$")
    try expect(
      .pluginCompilerEnded, "'$DIR/bin/swiftc' was ended by signal 9",
      remedy: "try again; if it happens again, check the installation of Swift")
  }

  @Test("Another build that does not end is waited for, but not without end, and that is reported")
  func locked() throws {
    try bench.build()
    try bench.write("Sources/Devices/Devices.swift", "// new\n@c(appcore_plugin_Devices)\n")
    let lock = try PluginBuilder.lock(
      bench.workshop.path("Devices/.build/appcore/debug"), timeout: .seconds(2))
    defer { withExtendedLifetime(lock) {} }
    var builder = try bench.builder()
    builder.timeout = .seconds(2)
    let waiting = Mutex<[String]>([])
    builder.willWait = { name in waiting.withLock { $0.append(name) } }
    let problem = try bench.workshop.problem {
      try builder.build(folder: bench.workshop.path("Devices"))
    }
    #expect(
      bench.workshop.text(problem) == """
        $DIR/Devices: error: plugin not built: another program has held \
        '$DIR/Devices/.build/appcore/debug/.lock' locked for 2 s [plugin-build-refused]
          help: end the other build; `fuser -v $DIR/Devices/.build/appcore/debug/.lock` names it
        """)
    #expect(waiting.withLock { $0 } == ["Devices"])
  }

  @Test(
    "A compiler that crashes over the sources tells what it was doing, and that it is its fault")
  func crashedCompiler() throws {
    // The real one, told to crash once it has read the sources.
    let real = try Workshop.find("swiftc")
    try bench.compile(
      """
      echo 'let one = 1' > "$output.swift"
      '\(real)' -Xfrontend -debug-crash-after-parse -c "$output.swift" -o "$output" 2>&1
      exit $?
      """)
    let refusal = try bench.refusal()
    #expect(refusal.hasPrefix("$DIR/Devices: error: plugin not built: the compiler crashed"))
    #expect(refusal.contains("[plugin-compiler-ended]"))
    #expect(refusal.contains("help: the mistake is the compiler's: write what it names in another"))
    #expect(!refusal.contains("correct the sources"))
    try bench.compile(
      """
      cat >&2 <<'END'
      Please submit a bug report (https://swift.org/contributing/#reporting-bugs) and include it.
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -frontend -c Devices.swift
      1.\tSwift version 6.3.1 (swift-6.3.1-RELEASE)
      2.\tCompiling with effective version 6
      3.\tWhile evaluating request TypeCheckPrimaryFileRequest(Devices.swift)
      4.\tWhile type-checking 'list()'
       in 'Devices.swift' (at Devices.swift:7:3)
      error: compile command failed due to signal 6 (use -v to see invocation)
      END
      exit 1
      """)
    try expect(
      .pluginCompilerEnded,
      "the compiler crashed: While type-checking 'list()' in 'Devices.swift' (at Devices.swift:7:3)",
      details: ["note: While evaluating request TypeCheckPrimaryFileRequest(Devices.swift)"],
      remedy:
        "the mistake is the compiler's: write what it names in another way, or report it; `appcore plugin build $DIR/Devices` shows all that the compiler says"
    )
  }

  @Test("A compiler that gives up says where, and how to write it instead")
  func gaveUp() throws {
    let source = bench.workshop.path("Devices/Sources/Devices/Devices.swift")
    try bench.write(
      "Sources/Devices/Devices.swift",
      """
      @c(appcore_plugin_Devices)
      struct Destination: Destinations { let add = Case(Form()) }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          // case .destination(.presented(.add(.view))):
          case .other(.presented(.edit(.saved))): break
          case .destination(.presented(.add(.delegate(.saved(let name))))): break
        }
      }

      """)
    let message =
      "failed to produce diagnostic for expression; please submit a bug report "
      + "(https://swift.org/contributing/#reporting-bugs)"
    try bench.compile("echo '\(source):3:32: error: \(message)'; exit 1")
    let problem = try bench.workshop.problem { try bench.build() }
    let file = "$DIR/Devices/Sources/Devices/Devices.swift"
    let spelling =
      "match '.presented(let action)', and then 'if case .delegate(.saved(let item)) = action.add'"
    #expect(
      bench.workshop.text(problem) == """
        $DIR/Devices: error: plugin not built: \(file):7:35: the compiler gave up: 'add' of \
        'Destinations' can't be matched by a pattern; \(spelling) [plugin-not-compiled]
          help: correct the sources; `appcore plugin build $DIR/Devices` shows all that the \
        compiler says
        """)
    let text = try #require(problem.compiler?.text)
    #expect(
      text.replacing(bench.workshop.path(""), with: "$DIR/").hasSuffix(
        """
        \(file):7:35: error: the compiler gave up: 'add' of 'Destinations' can't be matched by a pattern
        \(file):7:35: note: \(spelling)
        """), "\(text)")

    // For another reason.
    try bench.compile("echo '\(source):8:3: error: \(message)'; exit 1")
    let refusal = try bench.refusal()
    #expect(
      refusal.hasPrefix(
        """
        $DIR/Devices: error: plugin not built: \(file):8:3: the compiler gave up on the code that \
        begins here, and does not say why; leave out parts of it until
        """), "\(refusal)")
    #expect(!refusal.contains("crashed"))
  }

  @Test("No modules of the SDK")
  func noModules() throws {
    let toolkit = PluginToolkit(libraryFolder: "/usr/lib", compilerVersion: "6.3")
    try expect(
      .pluginNoModules, "there are no modules of the SDK beside '/usr/lib/libAppCore.so'", toolkit)
  }

  @Test("No folder, and a folder without sources")
  func noSources() throws {
    try bench.remove("Sources/Devices/Devices.swift")
    let help =
      "\n  help: name the folder that holds `Sources/<Name>/*.swift`; "
      + "`appcore plugin new <Name>` makes one"
    #expect(
      try bench.refusal()
        == "$DIR/Devices: error: plugin not built: the folder holds no Swift sources "
        + "[plugin-no-sources]" + help)
    try FileManager.default.removeItem(atPath: bench.workshop.path("Devices"))
    #expect(
      try bench.refusal()
        == "$DIR/Devices: error: plugin not built: there is no such folder [plugin-no-sources]"
        + help)
    try bench.workshop.write("a file", to: "Devices")
    #expect(try bench.refusal().contains("there is no such folder"))
  }

  @Test(
    "Several modules", arguments: ["Other/Other.swift", "CThing/thing.c", "Map/module.modulemap"])
  func severalModules(file: String) throws {
    try bench.write("Sources/" + file, "")
    let other = String(file.prefix { $0 != "/" })
    #expect(
      try bench.refusal() == """
        $DIR/Devices: error: plugin not built: the folder holds 2 modules instead of one \
        [plugin-several-modules]
        \(["Devices", other].sorted().map { "  module: \($0)" }.joined(separator: "\n"))
          help: give each plugin a folder of its own, or build this one with `swift build`
        """)
  }

  @Test("Sources without an entry; what stands in a comment is none")
  func noEntry() throws {
    try bench.write("Sources/Devices/Devices.swift", "  // @c(appcore_plugin_Devices)\n")
    try expect(
      .pluginSourceNoEntry, "no 'appcore_plugin_<Name>' is in its 1 source")
  }

  @Test("An entry that is named for another plugin than the module")
  func otherEntry() throws {
    try bench.write("Sources/Devices/Devices.swift", "\n@c(appcore_plugin_Device)\n")
    try expect(
      .pluginSourceOtherName,
      "$DIR/Devices/Sources/Devices/Devices.swift:2: the entry is named for 'Device', and the module is 'Devices'",
      remedy: "name the entry 'appcore_plugin_Devices', or rename the folder of the sources")
  }

  @Test("Without a module's folder, sources that name two entries")
  func severalEntries() throws {
    try bench.remove("Sources")
    try bench.write("A.swift", "@c(appcore_plugin_A)\n")
    try bench.write("B.swift", "@c(appcore_plugin_B)\n")
    try expect(
      .pluginSourceSeveralEntries, "its sources name 2 entries instead of one",
      details: ["entry: appcore_plugin_A", "entry: appcore_plugin_B"])
    // The folder's name decides.
    try bench.write("C.swift", "@c(appcore_plugin_Devices)\n")
    #expect(try bench.build().name == "Devices")
  }

  @Test("A name that can't be a plugin's")
  func invalidName() throws {
    try bench.write("Sources/Devices/Devices.swift", "@c(appcore_plugin_Ger\u{e4}te)\n")
    #expect(
      try bench.refusal().contains("the entry is named for 'Ger\u{e4}te', and the module is"))
    try bench.remove("Sources")
    try bench.write("A.swift", "@c(appcore_plugin_Ger\u{e4}te)\n")
    try expect(
      .pluginSourceOtherName, "'Ger\u{e4}te' can't be the name of a plugin",
      remedy: "a name is letters, digits and `_`, and does not begin with a digit")
  }

  @Test("A folder that can't be written in")
  func notWritten() throws {
    try bench.write(".build", "a file where a folder should be")
    try expect(
      .pluginBuildRefused, "'$DIR/Devices/.build/appcore/debug/.lock': not a directory",
      remedy: "check the permissions of the folder, and the free space")
  }

  @Test("A source that is a link to nothing; a package inside is not looked at")
  func links() throws {
    try bench.remove("Sources")
    try bench.write("A.swift", "@c(appcore_plugin_Devices)\n")
    try bench.write("Other/Package.swift", "// swift-tools-version: 6.2\n")
    try bench.write("Other/Sources/Other/Other.swift", "@c(appcore_plugin_Other)\n")
    #expect(try bench.build().name == "Devices")
    try #require(symlink("nowhere", bench.workshop.path("Devices/B.swift")) == 0)
    try expect(
      .pluginBuildRefused, "'$DIR/Devices/B.swift': no such file or directory",
      remedy: "if it is a link, correct or remove it: it leads to nothing")
  }

  @Test("Errors of the compiler and of the linker, and what else it said")
  func compilerErrors() throws {
    try bench.compile(
      """
      printf '%s:3:1: warning: unused\\n' '\(bench.workshop.path("Devices/Sources/Devices/A.swift"))'
      for line in 4 2 3 1 7 6 5; do
        printf '\\033[1m%s:%d:9: \\033[31merror: \\033[0mno x\\n' \
          '\(bench.workshop.path("Devices/A.swift"))' $line
      done
      echo 'ld: error: undefined symbol: beep'
      echo 'error: link command failed with exit code 1'
      exit 1
      """)
    let problem = try bench.workshop.problem { try bench.build() }
    #expect(
      bench.workshop.text(problem) == """
        $DIR/Devices: error: plugin not built: $DIR/Devices/A.swift:1:9: no x [plugin-not-compiled]
          also: $DIR/Devices/A.swift:2:9: no x
          also: $DIR/Devices/A.swift:3:9: no x
          also: $DIR/Devices/A.swift:4:9: no x
          also: $DIR/Devices/A.swift:5:9: no x
          and 3 other errors
          help: correct the sources; `appcore plugin build $DIR/Devices` shows all that the \
        compiler says
        """)
    #expect(problem.compiler?.text.contains("warning: unused") == true)
    #expect(
      !FileManager.default.fileExists(
        atPath: bench.workshop.path("Devices/.build/appcore/debug/libDevices.so")))
  }

  @Test("A failed build leaves what was built before, and is tried again")
  func failedAgain() throws {
    let library = try bench.build().path
    try bench.compile("echo 'error: broken'; exit 1")
    try bench.write("Sources/Devices/Devices.swift", "// 2\n@c(appcore_plugin_Devices)\n")
    #expect(try bench.refusal().contains("plugin not built: error: broken"))
    _ = try PluginFile(path: library)
    #expect(try bench.refusal().contains("plugin not built: error: broken"))
    #expect(bench.runs == 3)
  }

  @Test("A library that is not a plugin for this host is not installed")
  func notAPlugin() throws {
    try bench.workshop.library("made.so", "int x;")
    #expect(
      try bench.refusal() == """
        $DIR/Devices/.build/appcore/debug/libDevices.so: error: plugin not accepted: it exports \
        no function 'appcore_plugin_<Name>' [plugin-no-entry]
          help: is this a plugin? Export one function with `@c(appcore_plugin_<Name>)`
        """)
    #expect(
      !FileManager.default.fileExists(
        atPath: bench.workshop.path("Devices/.build/appcore/debug/libDevices.so")))
  }
}
