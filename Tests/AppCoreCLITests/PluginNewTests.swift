import Foundation
import TestSupport
import Testing

@Suite("appcore plugin new")
struct PluginNewTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func new(_ arguments: String...) async throws -> ProgramResult {
    try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, ["plugin", "new"] + arguments,
      folder: folder.url)
  }

  @Test("It makes a folder whose manifest runs, and lists what is in it")
  func runs() async throws {
    let made = try await new("Lamps", "--into", ".")
    #expect(made.status == 0, "\(made.errors)")
    #expect(
      made.output.split(separator: "\n") == [
        "Lamps/README.md", "Lamps/lamps.yaml", "Lamps/Package.swift",
        "Lamps/Sources/Lamps/LampsPlugin.swift", "Lamps/Sources/Lamps/Counter.swift",
        "Lamps/Tests/LampsTests/CounterTests.swift", "Lamps/.appcore-tree", "Lamps/.gitignore",
      ])
    #expect(made.errors == "next: cd Lamps; appcore run --watch lamps.yaml; swift test\n")
    let app = folder.url.appendingPathComponent("Lamps/lamps.yaml").path
    let run = try await Program.appcore(["run", app], input: "@add\n@add\n@add\n:path\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\n/counter/bonus;limit=2\n"), "\(run.output)")
  }

  @Test("Its tests run, those of Swift Testing and those of XCTest", .long)
  func tests() async throws {
    try #require(try await new("Lamps").status == 0)
    try folder.write(
      "Lamps/Tests/LampsTests/OlderTests.swift",
      """
      import AppCore
      import XCTest
      @testable import Lamps

      final class OlderTests: XCTestCase {
        func testCounter() {
          let state = Counter().initialState(Counter.Arguments(limit: 3))
          XCTAssertEqual(state.limit, 3)
        }
      }
      """)
    let run = try await Program.run(
      "/usr/bin/env", ["swift", "test", "--scratch-path", ".build"],
      folder: folder.url.appendingPathComponent("Lamps"))
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("Executed 1 test"), "\(run.output)")
    #expect(run.output.contains("Test run with"), "\(run.output)")
  }

  @Test("Its package holds no path of this machine, and says what to do where there is no appcore")
  func package() async throws {
    try #require(try await new("Lamps").status == 0)
    let lamps = folder.url.appendingPathComponent("Lamps")
    let text = try String(
      contentsOf: lamps.appendingPathComponent("Package.swift"), encoding: .utf8)
    #expect(!text.contains(buildFolder.path) && !text.contains(folder.url.path))
    let noted = try String(
      contentsOf: lamps.appendingPathComponent(".appcore-tree"), encoding: .utf8)
    #expect(noted.hasPrefix("/") && noted.hasSuffix("\n"))
    func describe(_ tree: String?) async throws -> ProgramResult {
      try await Program.run(
        "/usr/bin/env", ["swift", "package", "--scratch-path", ".build", "dump-package"],
        environment: tree.map { ["APPCORE_TREE": $0] } ?? [:], folder: lamps)
    }
    #expect(try await describe(nil).status == 0)
    let wrong = try await describe("/nowhere")
    #expect(wrong.status != 0)
    #expect(
      wrong.errors.contains("there is no appcore at '/nowhere': set APPCORE_TREE"),
      "\(wrong.errors)")
  }

  @Test(
    "A name that can't be a plugin's is refused with the reason, and nothing is made",
    arguments: [
      ("", "it becomes a module's and a C function's; use letters, digits and '_'"),
      ("2Fast", "it becomes a module's and a C function's"),
      ("_Hidden", "it becomes a module's and a C function's"),
      ("my-plugin", "it becomes a module's and a C function's"),
      ("../Up", "it becomes a module's and a C function's"),
      ("Ger\u{e4}te", "it becomes a module's and a C function's"),
      ("class", "'class' can't be the name of a plugin: it is a word of Swift; take another"),
      ("Self", "it is a word of Swift"),
      ("AppCore", "there is a module of that name, and a program holds only one"),
      ("Shell", "there is a module of that name"),
      ("Testing", "there is a module of that name"),
      ("Notes", "there is a plugin 'Notes' already: '"),
    ])
  func names(name: String, reason: String) async throws {
    let made = try await new(name)
    #expect(made.status == 64)
    #expect(made.output.isEmpty)
    #expect(made.errors.hasPrefix("appcore: ") && made.errors.contains(reason), "\(made.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test("A plugin that is installed for the user is not given a namesake")
  func installed() async throws {
    try folder.write("data/appcore/plugins/libLamps.so", "")
    let made = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, ["plugin", "new", "Lamps"],
      environment: ["XDG_DATA_HOME": folder.url.appendingPathComponent("data").path],
      folder: folder.url)
    #expect(made.status == 64)
    #expect(made.errors.contains("data/appcore/plugins/libLamps.so'; a manifest that asks for"))
  }

  @Test("An existing file, folder or link is left as it is", arguments: ["file", "folder", "link"])
  func exists(kind: String) async throws {
    let place = folder.url.appendingPathComponent("Lamps")
    switch kind {
    case "file": try folder.write("Lamps", "mine")
    case "folder": try folder.write("Lamps/mine", "mine")
    default:
      try FileManager.default.createSymbolicLink(
        atPath: place.path, withDestinationPath: "nowhere")
    }
    let made = try await new("Lamps")
    #expect(made.status == 64)
    #expect(
      made.errors == "appcore: 'Lamps' exists, and is left as it is; remove it, or name another "
        + "folder with --into\n")
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(all.sorted() == (kind == "folder" ? ["Lamps", "Lamps/mine"] : ["Lamps"]))
  }

  @Test("A folder that there is not, or that can't be written in, is named")
  func places() async throws {
    let missing = try await new("Lamps", "--into", "there")
    #expect(missing.status == 66)
    #expect(
      missing.errors
        == "appcore: there is no folder 'there'; make it, or name another one with --into\n")
    let refused = try await new("Lamps", "--into", "/proc")
    #expect(refused.status == 74)
    #expect(refused.errors.hasPrefix("appcore: can't write '/proc/Lamps': "))
  }
}
