import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Full screen", .ownThread) struct FullScreenTests {
  private func browser(
    columns: Int = 80, rows: Int = 24, options: [String] = ["--full-screen"],
    environment: [String: String] = [:]
  ) throws -> TypedTerminal {
    try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", "manifests/packages.yaml"] + options, columns: columns, rows: rows,
      environment: ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status", "LANG": "C.UTF-8"]
        .merging(environment) { $1 })
  }

  private func console(
    options: [String] = [], isFullScreen: Bool = true
  ) throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", "Tests/Fixtures/manifests/console/console.yaml"]
        + (isFullScreen ? ["--full-screen"] : []) + options,
      environment: ["LANG": "C.UTF-8"])
    if isFullScreen { try terminal.wait(for: "F1 help") }
    return terminal
  }

  /// Leaves the app, whose terminal has to be as it was.
  private func expectRestored(_ terminal: TypedTerminal, status: [Int32] = [0]) {
    #expect(status.contains(terminal.finish()))
    #expect(terminal.modes == terminal.modesBefore)
    let model = terminal.model
    #expect(!model.isAlternate && !model.reportsMouse && !model.marksPastes)
    #expect(model.isCursorVisible)
    #expect(model.unknown == [])
  }

  @Test("The packages are browsed by keys alone, and ':log' has the line of each")
  func packages() throws {
    let terminal = try browser()
    try terminal.wait(for: "› Filter")
    #expect(terminal.model.isAlternate && terminal.model.reportsMouse)
    terminal.type("nano\r")
    try terminal.wait { $0.text.contains("[nano ") && !$0.text.contains("libc6") }
    terminal.type("\u{1b}[B\r")
    try terminal.wait(for: "Packages › nano")
    terminal.type("\u{1b}")
    try terminal.wait { $0.screen[0].hasPrefix(" Packages") && !$0.screen[0].contains("›") }
    // The cursor is where it was.
    try terminal.wait(for: "› nano")
    terminal.type("\u{1b}[A\u{15}")
    terminal.type("\r\u{15}\r")
    try terminal.wait(for: "libc6")
    terminal.type("\u{1b}[B/libgcc")
    try terminal.wait(for: "find: libgcc")
    terminal.type("\r\r")
    try terminal.wait(for: "F1 help")
    terminal.type(":log\r")
    try terminal.wait(for: "Esc close")
    let log = terminal.model.text
    #expect(log.contains("line  Filter = \"nano\"") || log.contains("Filter = \"nano\""))
    #expect(log.contains(":back"))
    terminal.type("\u{1b}")
    try terminal.wait(for: "F1 help")
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test("The picture in the document is what the app shows; RECORD=1 writes it")
  func picture() throws {
    let terminal = try browser(columns: 78, rows: 18)
    try terminal.wait(for: "› Filter")
    terminal.type("\u{1b}[B")
    try terminal.wait(for: "↑↓ choose")
    let file = packageFolder.appendingPathComponent("docs/full-screen.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    let picture = "text\n" + terminal.model.text + "\n"
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      text = ([parts[0], picture] + parts.dropFirst(2)).joined(separator: "```")
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(parts[1] == picture)
    }
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test("':lines' and ':full-screen' change the way, and the app stays where it is")
  func switching() throws {
    let terminal = try browser(options: [])
    try terminal.wait { $0.line == ">" }
    terminal.type("@filter nano\r")
    try terminal.wait { $0.text.contains("Filter: nano") && $0.line == ">" }
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("[nano ") }
    terminal.type(":lines\r")
    try terminal.wait { !$0.isAlternate && $0.text.contains("Filter: nano") && $0.line == ">" }
    #expect(!terminal.model.reportsMouse)
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("[nano ") }
    terminal.type(":quit\r")
    expectRestored(terminal)
  }

  @Test("':again' repeats a command of terminals full screen, too")
  func repeating() throws {
    let terminal = try browser(options: [], environment: ["APPCORE_HISTORY": "off"])
    try terminal.wait { $0.line == ">" }
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    terminal.type(":lines\r")
    try terminal.wait { !$0.isAlternate && $0.line == ">" }
    terminal.type(":again 1\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    // A line that is repeated becomes the last one.
    terminal.type(":again 1\r")
    try terminal.wait { !$0.isAlternate && $0.line == ">" }
    terminal.type(":quit\r")
    expectRestored(terminal)
  }

  @Test("Keys that follow ':lines' or ':full-screen' at once are for what is shown then")
  func keysBehind() throws {
    let terminal = try console()
    terminal.type(":\u{15}:lines\r@name Ada\r")
    try terminal.wait { !$0.isAlternate && $0.text.contains("Name: Ada") && $0.line == ">" }
    terminal.type(":full-screen\r!\r")
    try terminal.wait(for: "[Ada! ")
    terminal.type(":\u{15}:lines\r:quit\r")
    expectRestored(terminal)
  }

  @Test("A notice that was seen in lines is not shown again full screen, nor the other way round")
  func noticesOnce() throws {
    let (terminal, folder) = try shop()
    defer { withExtendedLifetime(folder) {} }
    func count() -> Int { terminal.model.text.components(separatedBy: "changed nothing").count - 1 }
    try terminal.wait { $0.line == ">" }
    terminal.type("@libc6\r@depends.libgcc-s1\r@depends.libc6\r")
    try terminal.wait(for: "changed nothing")
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    #expect(count() == 0)
    terminal.type(":\u{15}@depends.libc6\r")
    try terminal.wait(for: "changed nothing")
    terminal.type(":lines\r")
    try terminal.wait { !$0.isAlternate && $0.line == ">" }
    #expect(terminal.model.screen.suffix(12).joined().contains("changed nothing") == false)
    terminal.type(":quit\r")
    expectRestored(terminal)
  }

  /// The example of the manifest's document, whose stack holds at most two packages.
  private func shop() throws -> (TypedTerminal, TemporaryFolder) {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("docs/manifest.md"), encoding: .utf8)
    let manifest = text.components(separatedBy: "```")[1].dropFirst("yaml\n".count)
    let folder = try TemporaryFolder()
    let terminal = try TypedTerminal(
      ["run", folder.write("shop.yaml", String(manifest)).path],
      environment: [
        "LANG": "C.UTF-8",
        "SHOP_STATUS": packageFolder.appendingPathComponent("Tests/Fixtures/dpkg/demo-status").path,
      ])
    return (terminal, folder)
  }

  @Test("While the app is busy, what is typed in a field is seen there; Ctrl-C gives it up")
  func busy() throws {
    let terminal = try TypedTerminal(
      ["run", CrashingApp.manifest, "--full-screen", "--watchdog", "2"],
      environment: ["LANG": "C.UTF-8"])
    try terminal.wait(for: "F1 help")
    terminal.type("\u{1b}[B")
    try terminal.wait(for: "› Fault:")
    terminal.type("reduce loop\r")
    try terminal.wait(for: "the app is at work")
    terminal.type("half a te\u{7f}t")
    // The value that the field will have is not known; most have what was sent.
    try terminal.wait(for: "[reduce loophalf a tt ")
    try terminal.wait(for: "the app has not answered")
    terminal.type("\u{3}")
    try terminal.wait(for: "Ctrl-C again restores")
    terminal.type("\u{3}")
    try terminal.wait { $0.text.contains("restored") && $0.text.contains("[reduce loop ") }
    terminal.type("\u{3}\u{11}")
    expectRestored(terminal)
  }

  @Test("After a crash the focus, the position in a list and a half-typed text are as they were")
  func restoredPlaces() throws {
    let terminal = try browser()
    try terminal.wait(for: "› Filter")
    terminal.type("\u{1b}[B\u{1b}[B\u{1b}[B")
    try terminal.wait(for: "› gcc-12-base")
    try crash(terminal)
    try terminal.wait { $0.text.contains("› gcc-12-base") && $0.text.contains("restored") }
    terminal.type("\u{1b}[Ha\u{1b}[A\u{1b}[A")
    try terminal.wait(for: "› Filter")
    terminal.type("half\u{1b}[D")
    try terminal.wait(for: "[half ")
    try crash(terminal)
    try terminal.wait { $0.text.contains("[half ") && $0.text.contains("restored") }
    terminal.type("x")
    try terminal.wait(for: "[halxf ")
    kill(terminal.child, SIGTERM)
    expectRestored(terminal, status: [128 + SIGTERM])
  }

  @Test("A half-typed secret is not kept for after a crash")
  func restoredSecret() throws {
    let terminal = try console()
    terminal.type("\ts3cret")
    try terminal.wait(for: "[••••••")
    try crash(terminal)
    try terminal.wait { $0.text.contains("› Password: [not set ") && $0.text.contains("restored") }
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  /// Kills the process that runs the app, without its supervisor.
  private func crash(_ terminal: TypedTerminal) throws {
    let worker = try #require(CrashingApp(terminal).worker)
    kill(worker, SIGKILL)
    try terminal.wait("another process") { _ in
      CrashingApp(terminal).worker.map { $0 != worker } == true
    }
  }

  @Test("A value that is refused has a line in ':log'")
  func refusedValues() throws {
    let folder = try TemporaryFolder()
    let manifest = try folder.write(
      "app.yaml",
      """
      appcore: 1
      plugins: [BasicsStudies]
      start: controls
      nodes: { controls: { feature: BasicsStudies.Controls } }

      """
    ).path
    let terminal = try TypedTerminal(
      ["run", manifest, "--full-screen"], environment: ["LANG": "C.UTF-8"])
    try terminal.wait(for: "F1 help")
    terminal.type("\t\t\t\tx\r")
    try terminal.wait(for: "takes a number")
    terminal.type("\u{3}:log\r")
    try terminal.wait { $0.text.contains("@steps") && $0.text.contains("not-a-number") }
    terminal.type("q\u{11}")
    expectRestored(terminal)
  }

  @Test("A manifest that asks for it is shown full screen, unless the person asks for lines")
  func display() throws {
    let folder = try TemporaryFolder()
    let manifest = try folder.write(
      "app.yaml",
      """
      appcore: 1
      display: full-screen
      plugins: [MockConsole]
      start: panel
      nodes: { panel: { feature: MockConsole.Panel } }

      """
    ).path
    let shown = try TypedTerminal(["run", manifest], environment: ["LANG": "C.UTF-8"])
    try shown.wait { $0.isAlternate && $0.text.contains("F1 help") }
    shown.type("\u{11}")
    expectRestored(shown)
    let lines = try TypedTerminal(["run", manifest, "--no-full-screen"])
    try lines.wait { $0.line == ">" }
    #expect(!lines.model.isAlternate)
    lines.type(":quit\r")
    expectRestored(lines)
  }

  @Test("A text of several lines that is begun in a line is not waited for")
  func textInALine() throws {
    let terminal = try console()
    terminal.type(":\u{15}1 <<END\r")
    try terminal.wait(for: "A text of several lines is typed in its field.")
    terminal.type("abc\r")
    try terminal.wait(for: "[abc ")
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test("Where it can't be shown there are lines, and a note says why")
  func obstacles() throws {
    let dumb = try browser(environment: ["TERM": "dumb"])
    try dumb.wait(for: "Not full screen: ")
    dumb.type(":full-screen\n:quit\n")
    #expect(dumb.finish() == 0)
    let small = try browser(columns: 19, rows: 24)
    try small.wait(for: "Not full screen: it")
    small.type(":quit\r")
    #expect(small.finish() == 0)
    #expect(!small.model.isAlternate)
  }

  @Test("A new size is drawn to, down to one cell and back")
  func resizing() throws {
    let terminal = try browser()
    try terminal.wait(for: "› Filter")
    for (columns, rows) in [(40, 12), (1, 1), (200, 60), (20, 5), (80, 24)] {
      terminal.resize(columns: columns, rows: rows)
      guard columns >= 20 else { continue }
      try terminal.wait("\(columns) × \(rows)") {
        $0.screen.first?.hasPrefix(" Packages") == true && $0.text.contains("F1 help")
      }
      #expect(terminal.model.rows == rows)
    }
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test("Of many sizes in a row, the last is drawn")
  func manySizes() throws {
    let terminal = try browser()
    try terminal.wait(for: "› Filter")
    for round in 0..<10 {
      // Faster than they can be drawn.
      for step in 0..<20 {
        terminal.terminal.resize(columns: 40 + step * 3, rows: 12 + step)
        usleep(500)
      }
      let (columns, rows) = (50 + round * 5, 14 + round)
      terminal.resize(columns: columns, rows: rows)
      try terminal.wait("\(columns) × \(rows)") {
        $0.screen.first?.hasPrefix(" Packages") == true
          && $0.screen.last?.contains("F1 help") == true
      }
    }
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test("While nothing happens, nothing is written")
  func idle() throws {
    let terminal = try browser()
    try terminal.wait(for: "› Filter")
    terminal.readAll()
    let count = terminal.model.written
    #expect(!terminal.read(for: 500))
    #expect(terminal.model.written == count)
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test(
    "A plugin that traps or exits leaves the terminal as it was", arguments: ["@trap", "@exit"])
  func crashes(line: String) throws {
    let terminal = try console(options: ["--no-supervise"])
    terminal.type(":\u{15}\(line)\r")
    #expect(terminal.finish() != 0)
    #expect(terminal.modes == terminal.modesBefore)
    let model = terminal.model
    #expect(!model.isAlternate && !model.reportsMouse && !model.marksPastes)
  }

  @Test("After a crash the app is full screen again, and says what happened")
  func restored() throws {
    let terminal = try console()
    terminal.type("abc\r")
    try terminal.wait(for: "[abc ")
    terminal.type(":\u{15}@trap\r")
    try terminal.wait {
      $0.isAlternate && $0.text.contains("[abc ") && $0.text.contains("restored")
    }
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test("After a crash, the command that has left the lines is not half-typed")
  func restoredLines() throws {
    let terminal = try console(isFullScreen: false)
    try terminal.wait { $0.line == ">" }
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    terminal.type(":\u{15}@trap\r")
    try terminal.wait {
      !$0.isAlternate && $0.text.contains("restored") && $0.line.hasPrefix(">")
    }
    #expect(terminal.model.line == ">")
    terminal.type(":full-screen\r")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    terminal.type("\u{11}")
    expectRestored(terminal)
  }

  @Test(
    "A signal that ends the process leaves the terminal as it was",
    arguments: [SIGTERM, SIGHUP, SIGQUIT, SIGKILL])
  func signals(signal: Int32) throws {
    let terminal = try console(options: signal == SIGKILL ? [] : ["--no-supervise"])
    guard signal == SIGKILL else {
      kill(terminal.child, signal)
      return expectRestored(terminal, status: [signal, 128 + signal])
    }
    // The supervisor ends with the terminal's modes, however its worker ends.
    kill(terminal.child, SIGTERM)
    expectRestored(terminal, status: [SIGTERM, 128 + SIGTERM])
  }

  @Test("Ctrl-Z gives the terminal to the shell, and fg brings back the picture and the text")
  func suspending() throws {
    let terminal = try TypedTerminal(
      "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
      environment: ["PS1": "$ ", "LANG": "C.UTF-8"])
    try terminal.wait(for: "$")
    let appcore = buildFolder.appendingPathComponent("appcore").path
    terminal.type(
      "\(appcore) run Tests/Fixtures/manifests/console/console.yaml --full-screen 2>/dev/null\n")
    try terminal.wait(for: "F1 help")
    terminal.type("half a text")
    try terminal.wait(for: "[half a text")
    terminal.type("\u{1a}")
    try terminal.wait(for: "Stopped")
    try terminal.wait("the modes of before") { _ in terminal.modes == terminal.modesBefore }
    #expect(!terminal.model.isAlternate)
    terminal.type("fg\n")
    try terminal.wait { $0.isAlternate && $0.text.contains("[half a text") }
    terminal.type("\u{1b}")
    try terminal.wait { !$0.text.contains("half a text") }
    terminal.type("\u{11}")
    try terminal.wait { !$0.isAlternate && $0.line.hasPrefix("$") }
    #expect(terminal.modes == terminal.modesBefore)
    terminal.type("exit\n")
    #expect(terminal.finish() == 0)
  }
}
