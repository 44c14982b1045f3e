import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Full screen", .ownThread) struct FullScreenTests {
  @Test("The packages are browsed by keys alone, and ':log' has the line of each")
  func packages() throws {
    let terminal = try TypedTerminal.packages()
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
    #expect(log.contains("@filter = \"nano\""))
    #expect(log.contains(":back"))
    terminal.type("\u{1b}")
    try terminal.wait(for: "F1 help")
    terminal.leave()
  }

  @Test("The picture in the document is what the app shows; RECORD=1 writes it")
  func picture() throws {
    let terminal = try TypedTerminal.packages(columns: 78, rows: 18)
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
    terminal.leave()
  }

  @Test("':lines' and ':full-screen' change the way, and the app stays where it is")
  func switching() throws {
    let terminal = try TypedTerminal.packages(options: [])
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
    terminal.leave(typing: ":quit\r")
  }

  @Test("':again' repeats a command of terminals full screen, too")
  func repeating() throws {
    let terminal = try TypedTerminal.packages(options: [], environment: ["APPCORE_HISTORY": "off"])
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
    terminal.leave(typing: ":quit\r")
  }

  @Test("A number in a line that is repeated full screen is that of the screen as lines")
  func repeatedNumber() throws {
    let folder = try TemporaryFolder()
    let history = try folder.write("history", "1 Ada\n")
    let terminal = try TypedTerminal.fullScreen(environment: ["APPCORE_HISTORY": history.path])
    terminal.type(":again 1\r")
    try terminal.wait(for: "[Ada ")
    terminal.leave(typing: ":quit\r")
  }

  @Test("Keys that follow ':lines' or ':full-screen' at once are for what is shown then")
  func keysBehind() throws {
    let terminal = try TypedTerminal.fullScreen()
    terminal.type(":\u{15}:lines\r@name Ada\r")
    try terminal.wait { !$0.isAlternate && $0.text.contains("Name: Ada") && $0.line == ">" }
    terminal.type(":full-screen\r!\r")
    try terminal.wait(for: "[Ada! ")
    terminal.leave(typing: ":\u{15}:lines\r:quit\r")
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
    terminal.leave(typing: ":quit\r")
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

  @Test("A value that is refused has a line in ':log'")
  func refusedValues() throws {
    let folder = try TemporaryFolder()
    let terminal = try TypedTerminal.fullScreen(
      manifest(in: folder, plugin: "BasicsStudies", feature: "Controls"))
    terminal.type("\t\t\t\tx\r")
    try terminal.wait(for: "takes a number")
    terminal.type("\u{3}:log\r")
    try terminal.wait { $0.text.contains("@steps") && $0.text.contains("not-a-number") }
    terminal.leave(typing: "q\u{11}")
  }

  @Test("A manifest that asks for it is shown full screen, unless the person asks for lines")
  func display() throws {
    let folder = try TemporaryFolder()
    let manifest = try manifest(
      in: folder, plugin: "MockConsole", feature: "Panel", display: "display: full-screen")
    let shown = try TypedTerminal(["run", manifest], environment: ["LANG": "C.UTF-8"])
    try shown.wait { $0.isAlternate && $0.text.contains("F1 help") }
    shown.leave()
    let lines = try TypedTerminal(["run", manifest, "--no-full-screen"])
    try lines.wait { $0.line == ">" }
    #expect(!lines.model.isAlternate)
    lines.leave(typing: ":quit\r")
  }

  @Test("The theme of a manifest colors the screen, and another one when it is reloaded")
  func theme() throws {
    let folder = try TemporaryFolder()
    func write(_ theme: String) throws -> String {
      try manifest(in: folder, plugin: "MockConsole", feature: "Panel", display: "theme: \(theme)")
    }
    let path = try write("{ border: '#1e90ff' }")
    let terminal = try TypedTerminal.fullScreen(
      path, environment: ["COLORTERM": "truecolor", "NO_COLOR": ""])
    #expect(terminal.received.contains("38;2;30;144;255m───"))
    _ = try write("{ border: bright-red }")
    terminal.type(":\u{15}:reload\r")
    try terminal.wait("the other color") { _ in terminal.received.contains("[0;91m───") }
    terminal.leave(typing: ":\u{15}:quit\r")
    let plain = try TypedTerminal.fullScreen(
      path, environment: ["COLORTERM": "truecolor", "NO_COLOR": "1"])
    #expect(!plain.received.contains("91m"))
    plain.leave()
  }

  private func manifest(
    in folder: TemporaryFolder, plugin: String, feature: String, display: String = ""
  ) throws -> String {
    try folder.write(
      "app.yaml",
      """
      appcore: 1
      \(display)
      plugins: [\(plugin)]
      start: start
      nodes: { start: { feature: \(plugin).\(feature) } }

      """
    ).path
  }

  @Test("A text of several lines that is begun in a line is not waited for")
  func textInALine() throws {
    let terminal = try TypedTerminal.fullScreen()
    terminal.type(":\u{15}1 <<END\r")
    try terminal.wait(for: "A text of several lines is typed in its field.")
    terminal.type("abc\r")
    try terminal.wait(for: "[abc ")
    terminal.leave()
  }
}
