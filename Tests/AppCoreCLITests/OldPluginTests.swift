import AppCore
import Foundation
import Glibc
import TestSupport
import Testing

/// Plugins as they were built against earlier releases of the SDK's epoch, in today's host.
@Suite("Plugins of earlier releases", .ownThread)
struct OldPluginTests {
  /// For another machine or compiler, `scripts/old-plugins.sh` makes them.
  @Test("There are some of each epoch that has a release, for this machine and compiler", .long)
  func areThere() {
    #expect(!OldPlugins.earlierReleases.isEmpty)
    #expect(OldPlugins.isEpochReleased == !OldPlugins.releases.isEmpty)
  }

  /// What may be done with plugins, with the arguments of the program.
  private static let uses = [
    ["run", "-c", ":path"],
    ["run", "--session", "kept.session", "--resume", "-c", ":path"],
    ["run", "--locked", "-c", ":path"],
    ["lock"],
    ["bundle", "-o", "console.tar.gz"],
  ]

  @Test(
    "Those of an earlier epoch are refused before any of their code runs, whatever they are for",
    arguments: OldPlugins.earlierReleases)
  func refused(_ release: String) async throws {
    let old = try await OldPlugins(release)
    let session = old.scratch.url.appendingPathComponent("kept.session")
    try FileManager.default.copyItem(at: old.kept, to: session)
    #expect(chmod(session.path, 0o600) == 0)
    let manifest = try old.manifestOfToday()
    // A lock of today's builds.
    let locked = try await Program.appcore(
      ["lock", manifest, "--plugin-path", buildFolder.path], environment: old.environment)
    #expect(locked.status == 0, "\(locked.errors)")
    for use in Self.uses {
      let result = try await Program.run(
        buildFolder.appendingPathComponent("appcore").path,
        [use[0], manifest, "--plugin-path", old.plugins] + use.dropFirst(),
        environment: old.environment, folder: old.scratch.url)
      #expect(result.status == 69, "\(use)")
      #expect(result.output.isEmpty, "\(use)")
      for text in [
        "code: contract-mismatch", "epoch \(SDK.epoch - 1), Swift",
        "host:   SDK \(SDK.version), epoch \(SDK.epoch)", "help: rebuild the plugin",
      ] { #expect(result.errors.contains(text), "\(use): \(text) in: \(result.errors)") }
    }
  }

  @Test(
    "Under --watch, one of an earlier epoch is refused, and the app keeps the build that it has",
    arguments: OldPlugins.earlierReleases)
  func watched(_ release: String) async throws {
    let old = try await OldPlugins(release)
    let plugins = old.scratch.url.appendingPathComponent("today").path
    try FileManager.default.createDirectory(atPath: plugins, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: old.plugins) {
      try FileManager.default.copyItem(
        atPath: buildFolder.path + "/" + name, toPath: plugins + "/" + name)
    }
    let app = try CrashingApp(
      ["--plugin-path", plugins, "--watch"], manifest: old.manifestOfToday(),
      environment: old.environment)
    try app.type("@counter", seeing: "The count is 0.")
    let file = "/libBasicsStudies.so"
    try FileManager.default.removeItem(atPath: plugins + file)
    try FileManager.default.moveItem(atPath: old.plugins + file, toPath: plugins + file)
    for text in [
      "'BasicsStudies' keeps its former build", "[contract-mismatch]",
      "plugin: SDK \(release), epoch \(SDK.epoch - 1)", "host:   SDK \(SDK.version)",
    ] { try app.terminal.wait(text) { $0.text.contains(text) } }
    try app.type("@increment", seeing: "The count is 1.")
    app.terminal.type(":quit\r")
    #expect(app.terminal.finish() == 0)
  }

  @Test("They run: every study by its script", arguments: OldPlugins.releases)
  func run(_ release: String) async throws {
    try await OldPlugins(release).runScripts(
      by: buildFolder.appendingPathComponent("appcore").path)
  }

  @Test(
    "They are replaced by today's builds while they run, and restored after a crash",
    arguments: OldPlugins.releases)
  func reload(_ release: String) async throws {
    let old = try await OldPlugins(release)
    let app = try CrashingApp(
      ["--plugin-path", old.plugins], manifest: old.manifest, environment: old.environment)
    for (line, text) in [
      (":tab navigation", "Multiple destinations"), ("@stack", "Go to a crossing"),
      ("@tour", "3 on the stack"), (":back", "2 on the stack"), ("@counter", "The count is 0."),
      ("@increment", "counted to 1 in all"),
    ] { try app.type(line, seeing: text) }
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored(seeing: "counted to 1 in all")
    try app.type("@increment", seeing: "counted to 2 in all")

    // Of those whose screens and delegate actions are still the same.
    let file = "/libNavigationStudies.so"
    try FileManager.default.removeItem(atPath: old.plugins + file)
    try FileManager.default.copyItem(
      atPath: buildFolder.path + file, toPath: old.plugins + file)
    try app.type(":reload NavigationStudies", seeing: "counted to 2 in all")
    try app.type("@increment", seeing: "counted to 3 in all")
    app.terminal.type(":quit\r")
    #expect(app.terminal.finish() == 0)
  }

  /// A session is resumed with the variables that it was begun with, and HOME is another one in each run.
  private static let variables = ["--set", "home=/nowhere"]

  /// `RECORD=1` keeps the session, once, when a release is made.
  @Test("What was kept by them is resumed", arguments: OldPlugins.releases)
  func resume(_ release: String) async throws {
    let old = try await OldPlugins(release)
    let session = old.scratch.url.appendingPathComponent("kept.session")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      // A session holds the path of its manifest, which is not to be that of this checkout.
      let manifest = old.scratch.url.appendingPathComponent("app.yaml")
      try FileManager.default.copyItem(atPath: old.manifest, toPath: manifest.path)
      let app = try CrashingApp(
        ["--plugin-path", old.plugins, "--session", session.path] + Self.variables,
        manifest: manifest.path, environment: old.environment)
      try app.type(":tab navigation", seeing: "Multiple destinations")
      try app.type("@stack", seeing: "Go to a crossing")
      try app.type("@tour", seeing: "3 on the stack")
      try app.type(":back", seeing: "2 on the stack")
      try app.type("@counter", seeing: "The count is 0.")
      try app.type("@increment", seeing: "counted to 1 in all")
      try app.type(":tab basics", seeing: "Optional counter")
      try app.type("@dialogs", seeing: "Confirmation dialog")
      try app.type("@show-alert", seeing: "It informs")
      kill(app.terminal.child, SIGTERM)
      #expect(app.terminal.finish() == 128 + SIGTERM)
      try FileManager.default.copyItem(at: session, to: old.kept)
    } else {
      try FileManager.default.copyItem(at: old.kept, to: session)
      #expect(chmod(session.path, 0o600) == 0)
    }
    // An alert in an enum, a stack of different children, and what they have counted.
    let lines = [
      ":expect It informs", ":expect-path /home/basics/dialogs", ":tab navigation",
      ":expect 3 on the stack; counted to 1 in all.", "@increment",
      ":expect counted to 2 in all",
    ]
    let result = try await Program.appcore(
      ["run", old.manifest, "--plugin-path", old.plugins, "--session", session.path, "--resume"]
        + Self.variables + lines.flatMap { ["-c", $0] },
      environment: old.environment)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}

/// The plugins of one release, in `Tests/Fixtures/OldPlugins`: the case studies, which use all of the
/// SDK between them.
///
/// `scripts/old-plugins.sh` keeps those of a release, for one architecture and compiler.
struct OldPlugins {
  private static let fixtures = packageFolder.appendingPathComponent("Tests/Fixtures/OldPlugins")
  private let folder: URL
  let scratch: TemporaryFolder

  /// Unpacks the builds of a release that run here.
  init(_ release: String) async throws {
    folder = Self.fixtures.appendingPathComponent(release)
    scratch = try TemporaryFolder()
    let result = try await Program.run(
      "/bin/sh",
      [
        "-c",
        """
        mkdir plugins && for file in "$OLD"/*.gz; do
          gzip -dc "$file" >"plugins/$(basename "$file" .gz)" || exit
        done
        """,
      ],
      environment: ["OLD": folder.appendingPathComponent(Self.target).path], folder: scratch.url,
      mergesErrors: true)
    try #require(result.status == 0, "\(result.output)")
  }

  /// The releases of this epoch that there are plugins of, built for this machine and compiler.
  static let releases = all.filter { isRecorded($0, inEpoch: SDK.epoch) }

  /// Those of the epoch before.
  static let earlierReleases = all.filter { isRecorded($0, inEpoch: SDK.epoch - 1) }

  /// Whether a release of this epoch is recorded.
  static var isEpochReleased: Bool {
    FileManager.default.fileExists(
      atPath: packageFolder.appendingPathComponent("api/epoch-\(SDK.epoch)").path)
  }

  private static let all: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? [])
    .filter { FileManager.default.fileExists(atPath: fixtures.path + "/\($0)/\(target)") }
    .sorted()

  private static func isRecorded(_ release: String, inEpoch epoch: Int) -> Bool {
    FileManager.default.fileExists(
      atPath: packageFolder.appendingPathComponent(
        "api/epoch-\(epoch)/\(release).swiftinterface"
      ).path)
  }

  /// The name of the folder with the builds that run here.
  static var target: String {
    var system = utsname()
    uname(&system)
    let machine = withUnsafeBytes(of: &system.machine) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return "\(machine)-swift-\(SDK.compilerVersion)"
  }

  /// The folder with the plugins.
  var plugins: String { scratch.url.appendingPathComponent("plugins").path }

  /// A session that the release's host left with these plugins.
  var kept: URL { folder.appendingPathComponent("kept.session") }

  var manifest: String { folder.appendingPathComponent("app.yaml").path }

  /// The path of a copy of the manifest for today's builds, with routes for what they have in addition.
  func manifestOfToday() throws -> String {
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let today = try String(
      contentsOf: packageFolder.appendingPathComponent("manifests/casestudies.yaml"),
      encoding: .utf8)
    let routes = today.matches(of: /\{ from: \w+, action: \w+(?=, push: \w+ \})/)
      .filter { !text.contains($0.output + ",") }
    return try scratch.write(
      "app.yaml", text + routes.map { "  - \($0.output), do: ignore }\n" }.joined()
    ).path
  }

  var environment: [String: String] {
    let home = scratch.url.path
    return [
      "HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home,
      "XDG_CACHE_HOME": home + "/cache", "COLUMNS": "80",
    ]
  }

  /// Leads through every study by its release's scripts, whose lines say what is expected.
  func runScripts(by appcore: String, variables: [String: String] = [:]) async throws {
    let scripts = folder.appendingPathComponent("scripts")
    let names = try FileManager.default.contentsOfDirectory(atPath: scripts.path)
    try #require(!names.isEmpty)
    for name in names.sorted() {
      let result = try await Program.run(
        appcore,
        [
          "run", manifest, "--plugin-path", plugins, "--script",
          scripts.appendingPathComponent(name).path,
        ],
        environment: environment.merging(variables) { $1 })
      #expect(result.status == 0, "\(name): \(result.errors)")
    }
  }
}
