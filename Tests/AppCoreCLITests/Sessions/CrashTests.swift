import Foundation
import Glibc
import TestSupport
import Testing

/// A plugin's code ends the process, and the app is back on the same screen.
@Suite("An app whose plugin crashes", .ownThread)
struct CrashTests {
  /// A line that ends the process, and what is told of it.
  struct Crash: CustomTestStringConvertible, Sendable {
    let line: String
    let told: String
    var testDescription: String { line }

    init(_ line: String, _ told: String) { (self.line, self.told) = (line, told) }
  }

  private static let owner = "! MockFaults.Faulty crashed in "
  private static let reducer = owner + "reduce(into:action:) ("
  private static let place = "libMockFaults.so+0x"

  static let crashes = [
    Crash("@fault = reduce trap", reducer + place), Crash("@fault = reduce segv", reducer + place),
    Crash("@fault = reduce bus", reducer), Crash("@fault = reduce abort", reducer + place),
    Crash("@fault = reduce exit", reducer + place),
    Crash("@fault = reduce quit", reducer + "it ended the process with status 3)"),
    Crash("@fault = reduce kill", reducer + "SIGKILL)"),
    Crash("@fault = reduce overflow", reducer + place),
    // Which of the app's own descriptors is missed first varies, and with it the message.
    Crash("@fault = reduce descriptors", reducer),
    Crash("@fault = reduce handlers", reducer + "SIGSEGV)"),
    Crash("@fault = screen trap", owner + "screen(_:) (" + place),
    Crash("@fault = screen kill", owner + "screen(_:) (SIGKILL)"),
    Crash("@fault = initialState trap", owner + "initialState(_:) (" + place),
    Crash("@fault = initialState kill", owner + "initialState(_:) (SIGKILL)"),
    Crash("@fault = effect trap", owner + "an effect (" + place),
    Crash("@fault = effect segv", owner + "an effect (" + place),
    Crash("@fault = effect exit", owner + "an effect (" + place),
    Crash("@fault = encode trap", owner + "State.encode(to:) (" + place),
    Crash("@fault = encode kill", owner + "State.encode(to:) (SIGKILL)"),
  ]

  @Test("It continues, and says whose code it was", arguments: crashes)
  func wasRestored(_ crash: Crash) throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    let told = try app.crash(crash.line, seeing: "Count 1")
    #expect(told.hasPrefix(crash.told), "\(told)")
    #expect(!app.terminal.modes.echoes)
    #expect(app.terminal.model.marksPastes)
    // It is usable, and the action that ended it was not repeated.
    try app.type("@add", seeing: "Count 2")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
    #expect(!app.terminal.model.text.contains("appcore: ended by"))
  }

  @Test("'willEnd' of an instance that is left")
  func ending() throws {
    let app = try CrashingApp()
    try app.type("@fault = open", seeing: "Another")
    try app.type("@fault = willEnd trap", seeing: "Another")
    let told = try app.crash(":back", seeing: "Another")
    #expect(told.hasPrefix(Self.owner + "willEnd(_:) ("), "\(told)")
    // Who leaves loses nothing either: the second time the instance is suspended, and then it goes.
    app.terminal.type(":quit\r")
    try app.terminal.wait(for: "'MockFaults.Faulty' is suspended: it crashed twice in willEnd(_:).")
    #expect(app.quit() == 0)
  }

  @Test("Stacks, tabs and states come back as they were")
  func structure() throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    try app.type(":tab other", seeing: "Count 0")
    for count in 1...3 { try app.type("@add", seeing: "Count \(count)") }
    try app.type("@fault = open", seeing: "Another")
    for count in 1...2 { try app.type("@add", seeing: "Count \(count)") }
    _ = try app.crash("@fault = reduce kill", seeing: "Another")
    #expect(app.terminal.model.text.contains("Count 2"))
    try app.type(":back", seeing: "Count 3")
    try app.type(":tab faulty", seeing: "Count 1")
    #expect(app.quit() == 0)
  }

  @Test("The line that is being typed is still there, with the cursor where it was")
  func line() throws {
    let app = try CrashingApp()
    // The last two characters are gone back over.
    app.terminal.type("half a lino\u{1b}[D\u{1b}[D")
    try app.terminal.wait { $0.line == "> half a lino" && $0.cursor.column == 11 }
    kill(try #require(app.worker), SIGKILL)
    let told = try app.restored()
    #expect(told.hasPrefix("! the app crashed (SIGKILL); no plugin is known to have run"))
    try app.terminal.wait { $0.line == "> half a lino" && $0.cursor.column == 11 }
    app.terminal.type("X")
    try app.terminal.wait(forLine: "> half a liXno")
    #expect(app.quit() == 0)
  }

  @Test("The lines of a text that is being typed are lost, and that is said")
  func text() throws {
    let app = try CrashingApp()
    app.terminal.type("@fault <<END\r")
    try app.terminal.wait(forLine: "…")
    kill(try #require(app.worker), SIGKILL)
    // It goes over two rows, broken at a space or not.
    let told = try app.restored().filter { !$0.isWhitespace }
    #expect(told.contains("'@fault<<END'arelost"), "\(told)")
    try app.clear()
    kill(try #require(app.worker), SIGKILL)
    let toldAgain = try app.restored()
    #expect(!toldAgain.contains("are lost"), "\(toldAgain)")
    #expect(app.quit() == 0)
  }

  @Test("The line that did it is offered, not repeated")
  func again() throws {
    let app = try CrashingApp()
    _ = try app.crash("@fault = reduce trap")
    // The last line of the history.
    app.terminal.type("\u{1b}[A")
    try app.terminal.wait(forLine: "> @fault = reduce trap")
    #expect(app.quit() == 0)
  }

  @Test("A list is at the page where it was")
  func page() throws {
    let folder = try TemporaryFolder()
    let packages = (10..<50).map { number in
      "Package: package\(number)\nStatus: install ok installed\nVersion: 1\nDescription: One\n"
    }
    let status = folder.url.appendingPathComponent("status")
    try packages.joined(separator: "\n").write(to: status, atomically: true, encoding: .utf8)
    let terminal = try TypedTerminal(
      ["run", "manifests/packages.yaml"],
      columns: 100, rows: 24,
      environment: CrashingApp.environment.merging(["APPCORE_DPKG_STATUS": status.path]) { $1 })
    let app = CrashingApp(terminal)
    try terminal.wait("the list") { $0.text.contains("rows 1–14 of 40") && $0.line == ">" }
    terminal.type(":next\r")
    try terminal.wait("its second page") { $0.text.contains("rows 15–28 of 40") && $0.line == ">" }
    let worker = try #require(app.worker)
    kill(worker, SIGKILL)
    try terminal.wait("another process") { _ in app.worker.map { $0 != worker } ?? false }
    // Nothing of what was there before is left on the terminal then.
    terminal.type("\u{c}x")
    try terminal.wait("the second page") {
      $0.text.contains("rows 15–28 of 40") && $0.line == "> x"
    }
    #expect(app.quit() == 0)
  }

  @Test(":explain crash shows the details of the crash")
  func explained() throws {
    let app = try CrashingApp()
    try app.type(":explain crash", seeing: "Nothing has crashed")
    _ = try app.crash("@fault = reduce trap")
    try app.type(":explain crash", seeing: "node: 'faulty'")
    // Long lines go over several rows, broken at a space or not.
    let text = app.terminal.model.text.filter { !$0.isWhitespace }
    for detail in [
      "action: .view(.faultTyped(\"reduce trap\"))", "plugin: MockFaults 1.0.0",
      "shows the line of the source",
    ] {
      #expect(text.contains(detail.filter { !$0.isWhitespace }), "\(detail)")
    }
    #expect(app.quit() == 0)
  }

  @Test("Half a sentence in a note is still there, and so is what was written before")
  func notes() throws {
    let program = try NotesProgram()
    let terminal = try TypedTerminal(
      NotesProgram.appcore, program.arguments(saveAfter: 3600), columns: 100, rows: 40,
      environment: CrashingApp.environment)
    let app = CrashingApp(terminal)
    try terminal.wait { $0.text.contains("Log in") && $0.line == ">" }
    try app.type("@name ada", seeing: "Name: ada")
    try app.type("@login", seeing: "There are no notes yet.")
    try app.type("new note", seeing: "Nothing to save yet")
    try app.type("text = Milk", seeing: "Not saved yet")
    terminal.type("line = eggs and a lot of fl")
    try terminal.wait(forLine: "> line = eggs and a lot of fl")
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored(seeing: "│ Milk")
    try terminal.wait(forLine: "> line = eggs and a lot of fl")
    terminal.type("our\r")
    try terminal.wait(for: "│ eggs and a lot of flour")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    #expect(try program.texts() == ["Milk\neggs and a lot of flour"])
  }
}
