internal import AppCheck
internal import AppCore
internal import AppCoreHost
import Foundation
import TestSupport
import Testing

/// What is said of plugins that can't be used: each a real file, asked for by a real manifest.
@Suite(
  "Plugins that are refused", .notSanitized("loads plugins that trap, which only a scan survives"))
struct PluginRefusalTests {
  let bench: Workbench

  init() throws { bench = try Workbench() }

  /// The manifest of an app of one plugin.
  func manifest(_ plugin: String) throws -> String {
    try bench.write(
      """
      appcore: 1
      name: mocks
      plugins: [\(plugin)]
      start: first
      nodes:
        first: { feature: \(plugin).First }

      """, to: "app.yaml")
  }

  /// Expects that library and program say the same, and end with the status for what is missing.
  func expect(
    _ plugin: String, in folder: String = "$BUILD", _ cause: String, details: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let path = try manifest(plugin)
    let report = try ManifestReport(path, options: bench.options)
    // The code is the one that `appcore inspect` tells.
    let code = try #require(
      try await bench.appcore(["inspect", plugin]).output.firstMatch(of: /\[([a-z-]+)\]/)
    ).1
    let mark = "\(String(repeating: " ", count: 10))^"
    let lines =
      [
        "$DIR/app.yaml:3:11: error: can't load plugin '\(plugin)': "
          + "\(folder)/lib\(plugin).so: \(cause) [plugin-unavailable]",
        "plugins: [\(plugin)]", mark,
        "  code: \(code)",
      ] + details.map { "  " + $0 }
    let text = lines.joined(separator: "\n") + "\n"

    #expect(bench.portable(report.text) == text, sourceLocation: sourceLocation)
    #expect(report.exitStatus == 69, sourceLocation: sourceLocation)
    do throws(AppLoadError) {
      _ = try LoadedApp.load(path, options: bench.options)
      Issue.record("it was loaded", sourceLocation: sourceLocation)
    } catch {
      #expect(error.exitStatus == 69, sourceLocation: sourceLocation)
      #expect(bench.portable("\(error)\n") == text, sourceLocation: sourceLocation)
    }
    #expect(
      try await bench.appcore(["check", path])
        == Workbench.Outcome(status: 69, output: text, errors: ""),
      sourceLocation: sourceLocation)
    #expect(
      try await bench.appcore(["run", path])
        == Workbench.Outcome(status: 69, output: "", errors: text),
      sourceLocation: sourceLocation)
  }

  @Test("A library without an entry")
  func noEntry() async throws {
    try await expect(
      "MockNoEntry", "it exports no function 'appcore_plugin_<Name>'",
      details: [
        "help: is this a plugin? Export one function with `@c(appcore_plugin_<Name>)`"
      ])
  }

  @Test("A plugin that traps when it is asked for its features")
  func trapsOnEntry() async throws {
    try await expect(
      "MockTrapsOnEntry",
      "it ended the scanning process with signal 4 (SIGILL, illegal instruction) while it was asked "
        + "for its features",
      details: [
        "stderr: MockTrapsOnEntry/MockTrapsOnEntry.swift:11: Fatal error: "
          + "the licence has run out",
        "help: fix the plugin; it is in quarantine until its file, a library that it brings along or "
          + "the SDK changes, and `--rescan` tries it again at once",
      ])
  }

  @Test("A plugin of another epoch of the SDK: both sides are named")
  func otherContract() async throws {
    try await expect(
      "MockOtherContract", "built against another epoch of the SDK",
      details: [
        "plugin: epoch 9, Swift 6.3.1",
        "host:   SDK \(SDK.version), epoch \(SDK.epoch), Swift \(SDK.compilerVersion), "
          + SDK.configuration,
        "help: rebuild the plugin against this host's SDK: `swift build --package-path "
          + "\(Project.root)`",
      ])
  }
  @Test("A plugin that gives two features one name")
  func duplicate() async throws {
    try await expect(
      "MockDuplicate",
      "it registers the feature 'MockDuplicate.Note' twice; give one of them a 'name:'",
      details: ["help: correct the plugin, or the `version` in the manifest"])
  }

  @Test("A plugin that is nowhere: every path that was tried")
  func missing() async throws {
    let path = try manifest("Absent")
    let result = try await bench.appcore(["run", path])
    #expect(result.status == 69)
    #expect(result.output == "")
    #expect(
      result.errors.hasPrefix(
        """
        $DIR/app.yaml:3:11: error: can't load plugin 'Absent': no file 'libAbsent.so' on the \
        plugin path [plugin-unavailable]
        plugins: [Absent]
                  ^
          code: plugin-not-found
          tried: $DIR/plugins/libAbsent.so
          tried: $DIR/libAbsent.so
          tried: $BUILD/libAbsent.so

        """), "\(result.errors)")
  }

  @Test(
    "A plugin that is cut off: where it ends, and what would have been there",
    arguments: [
      (0, "the file is empty", "build or copy the file again"),
      (
        3, "this is not an ELF file",
        "name the plugin's `.so` file, or build it as a dynamic library with `appcore plugin build`"
      ),
      (
        40, "cut off: the file header at 0x0 reaches to 0x40, and the file ends at 0x28",
        "build or copy the file again"
      ),
    ])
  func truncated(size: Int, cause: String, remedy: String) async throws {
    try bench.damage("MockGood") { $0 = $0.prefix(size) }
    try await expect(
      "MockGood", in: "$DIR/plugins", cause, details: ["help: \(remedy)"])
  }

  @Test("A plugin that is cut off anywhere at all is refused, and the host continues")
  func truncatedAnywhere() async throws {
    let whole = try Data(
      contentsOf: URL(fileURLWithPath: Project.build + "/libMockGood.so")
    ).count
    let path = try manifest("MockGood")
    for part in 1..<24 {
      try bench.damage("MockGood") { $0 = $0.prefix(whole * part / 24) }
      let report = try ManifestReport(path, options: bench.options)
      #expect(report.exitStatus == 69)
      #expect(report.text.contains("cut off: "), "\(report.text)")
    }
    try bench.damage("MockGood") { $0.removeLast() }
    let result = try await bench.appcore(["check", path])
    #expect(result.status == 69)
    #expect(result.output.contains("cut off: "), "\(result.output)")
  }

  @Test(
    "A plugin whose ELF header is damaged",
    arguments: [
      (
        0, UInt8(0x7e), "this is not an ELF file",
        "name the plugin's `.so` file, or build it as a dynamic library with `appcore plugin build`"
      ),
      (4, 1, "it is for 32-bit programs", "build the plugin for this machine"),
      (5, 2, "it is for a big-endian machine", "build the plugin for this machine"),
      (
        18, 183, "it is for AArch64, and this host is x86-64", "build the plugin for this machine"
      ),
      (
        16, 4, "this is a core dump, not a shared library",
        "build the plugin as a dynamic library: with `appcore plugin build`, or as a product of "
          + "type `.dynamic`"
      ),
    ])
  func damagedHeader(offset: Int, byte: UInt8, cause: String, remedy: String) async throws {
    try bench.damage("MockGood") { $0[offset] = byte }
    try await expect("MockGood", in: "$DIR/plugins", cause, details: ["help: \(remedy)"])
  }

  @Test("One plugin that can't be loaded does not hide what is wrong with the rest")
  func together() async throws {
    let path = try bench.write(
      """
      appcore: 1
      name: mocks
      plugins: [MockGood, MockNoEntry, MockDuplicate]
      start: tree
      nodes:
        tree: { feature: MockGood.Tre }

      """, to: "app.yaml")
    let result = try await bench.appcore(["check", path])
    #expect(result.status == 65)
    for part in [
      "can't load plugin 'MockNoEntry'", "can't load plugin 'MockDuplicate'", "'MockGood.Tree'?",
    ] {
      #expect(result.output.contains(part), "\(result.output)")
    }
  }
}
