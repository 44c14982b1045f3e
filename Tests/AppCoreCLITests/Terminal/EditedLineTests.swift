import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A line typed on a terminal", .ownThread) struct EditedLineTests {
  @Test("It is edited, completed, searched, pasted and given up, and leaves the terminal as it was")
  func session() throws {
    let terminal = try TypedTerminal.console()
    #expect(terminal.model.marksPastes)
    #expect(!terminal.modes.echoes && !terminal.modes.editsLines)
    terminal.type("@name 日本 x👩‍👩‍👧\u{7f}\u{1}\u{1b}f\u{1b}[C!")
    try terminal.wait(forLine: "> @name !日本 x")
    terminal.type("\r")
    try terminal.wait { $0.text.contains("[1] Name: !日本 x") && $0.line == ">" }
    terminal.type("@si\t")
    try terminal.wait(forLine: "> @size small")
    #expect(terminal.model.cursor.column == 8)
    terminal.type("l\t")
    try terminal.wait(forLine: "> @size large")
    terminal.type("\r")
    try terminal.wait { $0.text.contains("● large") && $0.line == ">" }
    terminal.type("\u{12}na")
    try terminal.wait(for: "search: na\n  @name !日本 x")
    terminal.type("\u{7}:wait\u{3}")
    try terminal.wait { $0.text.hasSuffix("> :wait^C\n>") }
    terminal.type("\u{1b}[200~:path\n@name pasted\n\u{1b}[201~")
    try terminal.wait(for: "Run these 2 lines? y: run  n: drop  j: join into one line")
    terminal.type("y")
    try terminal.wait { $0.text.contains("Name: pasted") && $0.line == ">" }
    #expect(terminal.model.screen.joined().contains("/panel") || !terminal.model.scrollback.isEmpty)
    terminal.type("\u{4}")
    #expect(terminal.finish() == 0)
    #expect(terminal.modes == terminal.modesBefore)
    #expect(!terminal.model.marksPastes)
    #expect(terminal.model.unknown == [])
  }

  @Test("':again' does not repeat itself")
  func againOfAgain() throws {
    let folder = try TemporaryFolder()
    let history = try folder.write("history", ":again 1\n@start\n")
    let terminal = try TypedTerminal.console(environment: ["APPCORE_HISTORY": history.path])
    terminal.type(":again 1\r")
    try terminal.wait {
      $0.text.contains("line 1 of the history is an ':again' itself") && $0.line == ">"
    }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("The screen changes a hundred times a second above the line, and nothing is torn")
  func updates() throws {
    let terminal = try TypedTerminal.console(interval: 10)
    terminal.type("@start\r")
    try terminal.wait { $0.text.contains("counted 5") && $0.line == ">" }
    let depth = terminal.model.scrollback.count
    for (index, letter) in "@name typed slowly".enumerated() {
      terminal.type(String(letter))
      let line = "> " + String("@name typed slowly".prefix(index + 1))
      try terminal.wait(line) {
        let column = $0.cursor.column == 2 + index + 1
        return column && $0.line.hasPrefix(line.trimmingCharacters(in: .whitespaces))
      }
    }
    let line = terminal.model.cursor.row
    #expect(terminal.model.text.components(separatedBy: "counted").count <= 3)
    try terminal.wait("a later count") { $0.text.contains("counted 1") }
    #expect(terminal.model.cursor.row == line)
    #expect(terminal.model.scrollback.count == depth)
    terminal.type("\r")
    try terminal.wait(for: "Name: typed slowly")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("After a new size the screen is drawn to it, once, with the line that was typed")
  func resizing() throws {
    let terminal = try TypedTerminal.console()
    terminal.type("some line")
    try terminal.wait(forLine: "> some line")
    terminal.resize(columns: 40, rows: 20)
    try terminal.wait("a title of 40 columns") { model in
      model.line == "> some line"
        && model.screen.contains { $0.hasPrefix("── Console") && $0.count == 39 || $0.count == 40 }
    }
    terminal.readAll()
    #expect(terminal.model.text.components(separatedBy: "counted 0").count == 2)
    #expect(terminal.model.text.components(separatedBy: "some line").count == 2)
    terminal.type("!\u{3}:quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("Sequences that come byte by byte and broken UTF-8 are read as they are meant")
  func slowLine() throws {
    let terminal = try TypedTerminal.console()
    // An escape character that stays alone is a key of its own: where other work on the machine
    // delays what follows it, the line is begun again.
    for _ in 0..<20 {
      terminal.type("ac")
      for byte in ["\u{1b}", "[", "D"] {
        terminal.type(byte)
        terminal.read(for: 20)
      }
      terminal.type("b")
      try terminal.wait("the typed line") { $0.line == "> abc" || $0.line.hasSuffix("b") }
      if terminal.model.line == "> abc" { break }
      terminal.type("\u{5}\u{15}")
      try terminal.wait(forLine: ">")
    }
    try terminal.wait(forLine: "> abc")
    var broken: [UInt8] = [0xff, 0xe6, 0x97]
    _ = write(terminal.leader, broken, broken.count)
    terminal.readAll()
    broken = [0xa5, 0x0d]
    _ = write(terminal.leader, broken, broken.count)
    try terminal.wait(for: "> ab\u{fffd}日c")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("A field named without a value asks for it; a secret one without showing it or keeping it")
  func questions() throws {
    let terminal = try TypedTerminal.console()
    terminal.type("@size\r")
    try terminal.wait(forLine: "Size (small, large):")
    terminal.type("la\t\r")
    try terminal.wait { $0.text.contains("● large") && $0.line == ">" }
    terminal.type("Password\r")
    try terminal.wait(forLine: "Password:")
    terminal.type("hunter2\r")
    try terminal.wait { $0.text.contains("Password: ••• set") && $0.line == ">" }
    terminal.type("@password hunter3\r")
    try terminal.wait { $0.text.contains("@password hunter3") && $0.line == ">" }
    terminal.type(" @name spaced\r")
    try terminal.wait { $0.text.contains("Name: spaced") && $0.line == ">" }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    let seen = (terminal.model.scrollback + terminal.model.screen).joined(separator: "\n")
    #expect(!seen.contains("hunter2"))
    let history = try String(contentsOf: terminal.historyFile, encoding: .utf8)
    #expect(history == "@size\nPassword\n:quit\n")
  }

  @Test("Ctrl-C ends the waiting for the app, and what was typed meanwhile is dropped")
  func interrupting() throws {
    let terminal = try TypedTerminal.console()
    terminal.type("@busy\r")
    try terminal.wait { $0.line == ">" && $0.text.contains("> @busy") }
    let start = Date()
    terminal.type(":wait 600\r")
    terminal.read(for: 300)
    terminal.type("\u{3}")
    try terminal.wait { $0.line == ">" && $0.text.contains("^C") }
    #expect(Date().timeIntervalSince(start) < 300)
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("Ctrl-C right after the first line of a text abandons the text")
  func abandonedText() throws {
    let terminal = try TypedTerminal.console()
    for number in 1...20 {
      terminal.type("@name <<END\r\u{3}@name \(number)\r")
      try terminal.wait { $0.text.contains("Name: \(number)") && $0.line == ">" }
    }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("The history lists its lines and types them again, and can be turned off")
  func history() throws {
    let terminal = try TypedTerminal.console()
    terminal.type("@name one\r")
    try terminal.wait { $0.text.contains("Name: one") && $0.line == ">" }
    terminal.type("@name two\r")
    try terminal.wait { $0.text.contains("Name: two") && $0.line == ">" }
    terminal.type(":history NAME\r")
    try terminal.wait(for: "1  @name one\n2  @name two\n>")
    terminal.type(":again 1\r")
    try terminal.wait { $0.text.contains("Name: one") && $0.line == ">" }
    terminal.type(":again 99\r")
    try terminal.wait(for: "the history has no line 99")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    for (options, environment) in [
      (["--no-history"], [:]), ([], ["APPCORE_HISTORY": "off"]),
    ] as [([String], [String: String])] {
      let without = try TypedTerminal.console(options: options, environment: environment)
      without.type(":path\r")
      try without.wait(for: "/panel")
      without.type("\u{1b}[A")
      try without.wait(forLine: "> :path")
      without.type("\u{15}:quit\r")
      #expect(without.finish() == 0)
      #expect(!FileManager.default.fileExists(atPath: without.historyFile.path))
    }
  }

  @Test("Escape is a key of its own however often the screen changes")
  func escapeWhileTicking() throws {
    let terminal = try TypedTerminal.console(interval: 10)
    terminal.type("@start\r")
    try terminal.wait { $0.text.contains("counted 5") && $0.line == ">" }
    terminal.type("@si\t\t")
    try terminal.wait(for: "size")
    terminal.type("\u{12}st")
    try terminal.wait(for: "search: st")
    terminal.type("\u{1b}")
    try terminal.wait("the end of the search") { !$0.text.contains("search: st") }
    terminal.type("\u{15}:quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("Lines of a paste after one that leads full screen are not dropped without a word")
  func pastedFullScreen() throws {
    let terminal = try TypedTerminal.console(environment: ["LANG": "C.UTF-8"])
    terminal.type("\u{1b}[200~:full-screen\n@name Ada\n@name Eve\n\u{1b}[201~y")
    try terminal.wait { $0.isAlternate && $0.text.contains("F1 help") }
    terminal.type(":lines\r")
    try terminal.wait { !$0.isAlternate && $0.line == ">" }
    let rows = terminal.model.scrollback + terminal.model.screen
    #expect(rows.contains { $0.contains("the 2 lines after it were not run") })
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }
}
