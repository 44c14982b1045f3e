import Foundation
import TestSupport
import Testing

/// A person at a terminal whose app's manifest is saved while it runs.
@Suite("appcore run --watch, a manifest that is saved", .ownThread)
struct WatchedManifestTests {
  private let folder: TemporaryFolder
  private static let text = """
    appcore: 1
    name: counter
    title: Counter
    include: [nodes.yaml]
    plugins: [MockSlow]
    start: home

    """
  private static let nodes = """
    appcore: 1
    nodes:
      home: { tabs: [counter, other] }
      counter: { feature: MockSlow.Counter, title: One }
      other: { feature: MockSlow.Counter, title: Other }

    """

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("app.yaml", Self.text)
    try folder.write("nodes.yaml", Self.nodes)
  }

  private func start(_ options: [String] = []) throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      ["run", folder.url.appendingPathComponent("app.yaml").path, "--watch"] + options,
      columns: 120, rows: 50)
    try terminal.wait("the first prompt") { $0.line == ">" }
    terminal.type("@add\r")
    try terminal.wait("the count") { $0.text.contains("The count is 1.") && $0.line == ">" }
    terminal.type("half a line")
    try terminal.wait(forLine: "> half a line")
    return terminal
  }

  /// Saves as an editor does that writes another file and renames it.
  private func rename(_ name: String, _ text: String) throws {
    let draft = try folder.write(".\(name).swp", text)
    #expect(Foundation.rename(draft.path, folder.url.appendingPathComponent(name).path) == 0)
  }

  private func end(_ terminal: TypedTerminal) {
    terminal.type("\u{15}:quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("Each way of saving is followed, the state stays, and so does the line that is typed")
  func saved() throws {
    let terminal = try start()
    try rename("app.yaml", Self.text.replacing("start: home", with: "start: home # here"))
    try terminal.wait("the manifest") {
      $0.text.contains("the manifest was reloaded; 2 instances continue")
        && $0.text.contains("The count is 1.") && $0.line == "> half a line"
    }
    // Cut and written, in an included file.
    let included = folder.url.appendingPathComponent("nodes.yaml")
    let handle = try FileHandle(forWritingTo: included)
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(Self.nodes.prefix(20).utf8))
    try handle.write(contentsOf: Data(Self.nodes.dropFirst(20).replacing("One", with: "Two").utf8))
    try handle.close()
    try terminal.wait("the new title") {
      $0.text.contains("Two") && $0.text.contains("The count is 1.") && $0.line == "> half a line"
    }
    // Several saves, one after the other.
    for word in ["Three", "Four", "Five"] {
      try rename("nodes.yaml", Self.nodes.replacing("One", with: word))
    }
    try terminal.wait("the last one") {
      $0.text.contains("Five") && $0.text.contains("The count is 1.") && $0.line == "> half a line"
    }
    end(terminal)
  }

  @Test("A wrong one is reported with its first problem, and what is right again is taken over")
  func wrong() throws {
    let terminal = try start()
    try rename(
      "nodes.yaml",
      Self.nodes.replacing("MockSlow.Counter, title: One", with: "MockSlow.Countr, title: One"))
    try terminal.wait("the problem") {
      let text = $0.text.split(separator: /\s+/).joined(separator: " ")
      return text.contains(
        "the manifest was not reloaded, and the app continues with the one before:")
        && text.contains("nodes.yaml:4:23: unknown feature 'MockSlow.Countr'")
        && $0.line == "> half a line"
    }
    terminal.type("\u{15}@add\r")
    try terminal.wait("the app as it was") {
      $0.text.contains("The count is 2.") && $0.line == ">"
    }
    try rename("nodes.yaml", Self.nodes)
    try terminal.wait("the manifest that runs") {
      $0.text.contains("the manifest is again the one that is running") && $0.line == ">"
    }
    try rename("nodes.yaml", Self.nodes.replacing("One", with: "Right"))
    try terminal.wait("the right one") {
      $0.text.contains("Right") && $0.text.contains("The count is 2.") && $0.line == ">"
    }
    end(terminal)
  }

  @Test("A file that a wrong manifest includes is followed, so that it can be put right")
  func included() throws {
    let terminal = try start()
    try folder.write("more.yaml", "appcore: 1\nnodes:\n  more: { feature: MockSlow.Countr }\n")
    try rename("app.yaml", Self.text.replacing("[nodes.yaml]", with: "[nodes.yaml, more.yaml]"))
    try terminal.wait("the problem") { $0.text.contains("more.yaml:3:20: unknown feature") }
    try rename(
      "more.yaml",
      "appcore: 1\nnodes:\n  more: { feature: MockSlow.Counter, title: More }\nlinks:\n  - { path: more, open: [more] }\n"
    )
    try terminal.wait("the manifest") { $0.text.contains("the manifest was reloaded") }
    terminal.type("\u{15}:open more\r")
    try terminal.wait("the new node") {
      guard let typed = $0.text.range(of: "> :open more") else { return false }
      return $0.text[typed.upperBound...].contains("The count is 0.") && $0.line == ">"
    }
    end(terminal)
  }

  @Test("By hand, ':reload' without a name does it")
  func byHand() async throws {
    let manifest = folder.url.appendingPathComponent("app.yaml").path
    let script = try folder.write(
      "input", "@add\n:reload\n:sleep 0.1\n:reload\n:expect The count is 1.\n")
    let same = try await Program.appcore(["run", manifest, "--script", script.path])
    #expect(same.status == 0, "\(same.errors)")
    #expect(same.output.contains("The running manifest is up to date; nothing has changed."))
  }

  @Test("After a crash the manifest is the one that was taken over, and what it lacks is left out")
  func crash() throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(CrashingApp.manifest), encoding: .utf8)
    let manifest = try folder.write("app.yaml", text)
    let app = try CrashingApp(["--watch"], manifest: manifest.path)
    try app.type("@add", seeing: "Count 1")
    try rename(
      "app.yaml",
      text.replacing("  faulty: {", with: "  before: { feature: MockFaults.Faulty }\n  faulty: {")
        .replacing("[faulty, other", with: "[before, faulty, other"))
    try app.terminal.wait("the manifest") {
      $0.text.contains("the manifest was reloaded; 2 instances continue")
    }
    try app.type("@add", seeing: "Count 2")
    // Its node has another place in this manifest than in the first.
    let told = try app.crash("@fault = reduce kill", seeing: "Count 2")
    #expect(
      told.hasPrefix("! MockFaults.Faulty crashed in reduce(into:action:) (SIGKILL)"), "\(told)")
    try app.type(":explain crash", seeing: "node: 'faulty'")
    #expect(app.quit() == 0)
  }

  @Test("An app that crashes while its manifest is wrong keeps its state in a file")
  func crashWhileWrong() throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(CrashingApp.manifest), encoding: .utf8)
    let manifest = try folder.write("app.yaml", text)
    let app = try CrashingApp(
      manifest: manifest.path, environment: ["XDG_STATE_HOME": folder.path])
    try app.type("@add", seeing: "Count 1")
    try rename("app.yaml", text.replacing("start:", with: "strat:"))
    app.terminal.type("@fault = reduce kill\r")
    #expect(app.terminal.finish() == 65)
    let shown = app.terminal.model.text.split(separator: "\n").joined()
    #expect(shown.contains("its state is kept in "), "\(shown)")
    let sessions = folder.url.appendingPathComponent("appcore/sessions").path
    let names = try FileManager.default.contentsOfDirectory(atPath: sessions)
    let name = try #require(names.first)
    // The manifest is corrected.
    try rename("app.yaml", text)
    let again = try CrashingApp(
      ["--session", "\(sessions)/\(name)", "--resume"], manifest: manifest.path)
    try again.terminal.wait("the state") { $0.text.contains("Count 1") && $0.line == ">" }
    #expect(again.quit() == 0)
  }
}
