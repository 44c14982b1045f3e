import AppCore
import Foundation
import Glibc
import TestSupport
import Testing

/// Where an app's data and its session are, wherever and however it is called.
@Suite("The place of an app's data", .ownThread)
struct DataPlaceTests {
  private let folder: TemporaryFolder
  private let program = buildFolder.appendingPathComponent("appcore").path

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("app/app.yaml", Self.manifest())
  }

  private static func manifest(_ file: String = "{$vars.data}/totals.json") -> String {
    """
    appcore: 1
    name: totals
    session: { keep: disk }
    vars: { data: { default: "{$dir}/data", env: TOTALS_DATA } }
    plugins: [ { name: SharingStudies, with: { file: "\(file)" } } ]
    start: storage
    nodes: { storage: { feature: SharingStudies.FileStorage } }

    """
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func environment(_ more: [String: String]) -> [String: String] {
    ["XDG_STATE_HOME": path("state"), "XDG_DATA_HOME": path("share")].merging(more) { $1 }
  }

  private func run(
    _ manifest: String, _ lines: [String], _ options: [String] = [], in place: String = "",
    _ more: [String: String] = [:]
  ) async throws -> ProgramResult {
    try FileManager.default.createDirectory(
      atPath: path(place), withIntermediateDirectories: true)
    return try await Program.run(
      program, ["run", manifest] + options + lines.flatMap { ["-c", $0] },
      environment: environment(more), folder: URL(filePath: path(place)))
  }

  /// Starts the app on a terminal in a folder.
  private func terminal(
    _ manifest: String, _ options: [String] = [], in place: String, _ more: [String: String] = [:]
  ) throws -> TypedTerminal {
    try TypedTerminal(
      "/usr/bin/env",
      ["-C", path(place), "PWD=" + path(place), program, "run", manifest] + options,
      columns: 160, rows: 40, environment: environment(more))
  }

  /// Counts on a terminal, and leaves the session in its file.
  private func leave(
    _ manifest: String, in place: String, _ more: [String: String] = [:]
  ) throws {
    let terminal = try terminal(manifest, in: place, more)
    try terminal.wait("the first prompt") { $0.line == ">" }
    terminal.type("@increment\r")
    try terminal.wait("the count") { $0.text.contains("after 1 changes") && $0.line == ">" }
    kill(terminal.child, SIGTERM)
    #expect(terminal.finish() == 128 + SIGTERM)
  }

  private func count(_ file: String) -> Int? {
    guard let text = try? String(contentsOfFile: path(file), encoding: .utf8),
      case .int(let count)? = (try? Value(json: text))?["changes"]
    else { return nil }
    return count
  }

  /// A text without the breaks of its lines.
  private func unwrapped(_ output: String) -> String { output.replacing("\n  ", with: " ") }

  private var sessions: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: path("state/appcore/sessions")).sorted()
    }
  }

  @Test("A file beside the manifest is the same one from every folder, also when it is resumed")
  func workingFolder() async throws {
    try leave("app.yaml", in: "app")
    #expect(count("app/data/totals.json") == 1)
    let resumed = try await run(
      path("app/app.yaml"), [":expect after 1 changes", "@increment"], ["--resume"], in: "elsewhere"
    )
    #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
    #expect(count("app/data/totals.json") == 2)
    #expect(!FileManager.default.fileExists(atPath: path("elsewhere/data")))
  }

  @Test("A relative path is refused with the remedy, and a copy of the value is written")
  func relative() async throws {
    try folder.write("app/app.yaml", Self.manifest("data/{$vars.data}.json"))
    let result = try await run("app.yaml", ["@increment"], in: "app", ["TOTALS_DATA": "totals"])
    #expect(result.status == 74, "\(result.output)\(result.errors)")
    #expect(
      unwrapped(result.output).contains("is not kept: the path is relative; give an absolute path"))
    #expect(result.errors.contains("a copy is in '\(path("state/appcore/unsaved"))"))
    #expect(!FileManager.default.fileExists(atPath: path("app/data")))
  }

  @Test("A session with other variables is not resumed without a word")
  func variables() async throws {
    let (first, second) = (["TOTALS_DATA": path("A")], ["TOTALS_DATA": path("B")])
    try leave("app.yaml", in: "app", first)
    // Somebody is asked, and Enter means no.
    let asked = try terminal("app.yaml", ["--resume"], in: "app", second)
    try asked.wait(for: "Resume it? [y/N]")
    #expect(asked.model.text.contains("data = '\(path("A"))', and it is '\(path("B"))' now"))
    kill(asked.child, SIGKILL)
    _ = asked.finish()
    // Nobody is there: the app starts with what the variables say now.
    let result = try await run("app.yaml", ["@increment"], ["--resume"], in: "app", second)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("the session was begun with data = '\(path("A"))'"))
    #expect(count("B/totals.json") == 1 && count("A/totals.json") == 1)
    #expect(try sessions.count == 1 && sessions[0].hasSuffix(".session.former"))
    // The session is still there for who wants it.
    let former = try await run(
      "app.yaml", ["@increment"],
      ["--resume", "--session", path("state/appcore/sessions/") + (sessions.first ?? "")],
      in: "app", first)
    #expect(former.status == 0, "\(former.errors)")
    #expect(count("A/totals.json") == 2)
  }

  @Test("A session stays that of its app when a link leads to another version")
  func updated() async throws {
    try folder.write("v1/app.yaml", Self.manifest())
    try folder.write("v2/app.yaml", Self.manifest() + "title: Second\n")
    let environment = ["TOTALS_DATA": path("data")]
    func link(_ version: String) throws {
      try? FileManager.default.removeItem(atPath: path("current"))
      try FileManager.default.createSymbolicLink(
        atPath: path("current"), withDestinationPath: version)
    }
    for (place, manifest) in [("current", "app.yaml"), ("", path("current/app.yaml"))] {
      try link("v1")
      try leave(manifest, in: place, environment)
      try link("v2")
      let terminal = try terminal(manifest, ["--resume"], in: place, environment)
      try terminal.wait("the session") {
        $0.text.contains("! resumed the session of ") && $0.line == ">"
      }
      terminal.type(":quit\r")
      #expect(terminal.finish() == 0)
      #expect(try sessions == [])
      try FileManager.default.removeItem(atPath: path("data"))
    }
  }

  @Test("The only session of an app that has moved is offered; that of another one is not")
  func moved() async throws {
    let environment = ["TOTALS_DATA": path("data")]
    try leave("app.yaml", in: "app", environment)
    try folder.write("other/app.yaml", Self.manifest())
    let other = try await run("app.yaml", [":path"], ["--resume"], in: "other", environment)
    #expect(other.errors.contains("there is no session in "), "\(other.errors)")
    try FileManager.default.moveItem(atPath: path("app"), toPath: path("moved"))
    let result = try await run(
      "app.yaml", [":expect after 1 changes"], ["--resume"], in: "moved", environment)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.errors.contains("there is no session"), "\(result.errors)")
    #expect(try sessions == [])
  }

  @Test("A damaged session is set aside, with a word, and the app starts", arguments: [0, 1, 2])
  func damaged(_ kind: Int) async throws {
    try leave("app.yaml", in: "app")
    let file = path("state/appcore/sessions/") + (try sessions.first ?? "")
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
    switch kind {
    case 0: bytes = [UInt8](repeating: 0, count: bytes.count)
    case 1: bytes["appcore session".utf8.count + 30] ^= 1
    default: bytes[bytes.count - 1] ^= 1
    }
    try Data(bytes).write(to: URL(filePath: file))
    let result = try await run("app.yaml", ["@increment"], ["--resume"], in: "app")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("after 2 changes"))
    let told = kind == 2 ? "and what it showed last may be lost" : "and the app starts afresh"
    #expect(result.errors.contains(told), "\(result.errors)")
    #expect(try Data(contentsOf: URL(filePath: file + ".damaged")) == Data(bytes))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("A second process on a session's file is told who has it")
  func inUse() async throws {
    let terminal = try terminal("app.yaml", in: "app")
    try terminal.wait("the first prompt") { $0.line == ">" }
    let second = try await run("app.yaml", [":path"], ["--resume"], in: "app")
    #expect(second.status == 65)
    let told = try #require(second.errors.firstMatch(of: /the process (\d+) \(appcore\) keeps its/))
    let worker = try #require(pid_t(told.1))
    #expect(kill(worker, 0) == 0 && !second.errors.contains("emove the file"), "\(second.errors)")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("A damaged file with shared values is seen on the screen and in JSON")
  func storage() async throws {
    try folder.write("app/data/totals.json", "{ \"count\": 7, ")
    for format in [[], ["--json"]] {
      let result = try await run("app.yaml", ["@increment"], format, in: "app")
      let output = unwrapped(result.output)
      #expect(output.contains("totals.json' is damaged: "), "\(output)")
      #expect(output.contains("repair the file, and its content is used"))
      if !format.isEmpty { #expect(result.output.contains("\"code\":\"unkept-value\"")) }
      #expect(!result.errors.contains("warning: "), "\(result.errors)")
      #expect(result.status == 74, "\(result.errors)")
    }
    #expect(
      try String(contentsOfFile: path("app/data/totals.json"), encoding: .utf8)
        == "{ \"count\": 7, ")
  }
}
