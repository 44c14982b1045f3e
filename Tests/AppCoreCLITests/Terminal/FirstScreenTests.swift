import Foundation
import TestSupport
import Testing

/// The screens with lists of the apps that ship, in windows of the usual sizes.
@Suite("The first screen in a window", .ownThread)
struct FirstScreenTests {
  private static let sizes = [(80, 24), (40, 20), (120, 50)]

  /// How many rows a page has at least: half a window, or the shortest page where texts are wrapped.
  private static func listed(_ columns: Int, _ rows: Int) -> Int {
    columns < 80 ? 5 : rows / 2 - 2
  }

  /// What a window shows: a title, everything that is above the list, and a prompt.
  private func expectWhole(
    _ terminal: TypedTerminal, title: String, above: [String], listed due: Int
  ) throws {
    let screen = terminal.model.screen
    let top = try #require(
      screen.firstIndex { $0.hasPrefix("── \(title)") }, "no title in\n\(terminal.model.text)")
    for text in above {
      #expect(
        screen[top...].contains { $0.contains(text) }, "no '\(text)' in\n\(terminal.model.text)")
    }
    #expect(terminal.model.line == ">")
    let listed = screen.count { $0.contains("package-") || $0.contains("note-") }
    #expect(listed >= due, "\(listed) rows in\n\(terminal.model.text)")
  }

  @Test("The packages app shows its title, its summary and its filter", arguments: sizes)
  func packages(columns: Int, rows: Int) throws {
    let scratch = try TemporaryFolder()
    let stanzas = (100..<300).map { number in
      """
      Package: package-\(number)
      Status: install ok installed
      Version: 1.\(number)
      Architecture: amd64
      Description: summary of \(number)

      """
    }
    let status = try scratch.write("status", stanzas.joined(separator: "\n"))
    let terminal = try TypedTerminal(
      NotesProgram.appcore, ["run", "manifests/packages.yaml"], columns: columns, rows: rows,
      environment: ["APPCORE_DPKG_STATUS": status.path])
    try terminal.wait { $0.text.contains("rows 1–") && $0.line == ">" }
    try expectWhole(
      terminal, title: "Packages", above: ["200 installed", "[1] Filter"],
      listed: Self.listed(columns, rows))
    // The next page continues where this one ended.
    let text = terminal.model.text
    let match = try #require(text.firstMatch(of: /rows 1–(\d+) of 200/))
    let next = try #require(Int(match.1)) + 1
    terminal.type(":next\r")
    try terminal.wait { $0.text.contains("rows \(next)–") && $0.line == ">" }
    try expectWhole(
      terminal, title: "Packages", above: ["200 installed", "[1] Filter"],
      listed: Self.listed(columns, rows))
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("The notes app shows its title, its tabs and its search", arguments: sizes)
  func notes(columns: Int, rows: Int) async throws {
    let program = try NotesProgram()
    let written = try await program.run(
      (10..<50).flatMap { ["@new", "@text note-\($0)", ":back", "@dialog.save"] }, saveAfter: 3600)
    try #require(written.status == 0, "\(written.errors)")
    let terminal = try TypedTerminal(
      NotesProgram.appcore, program.arguments(), columns: columns, rows: rows)
    try terminal.wait { $0.text.contains("[1] Name") && $0.line == ">" }
    terminal.type("1 = ada\r")
    try terminal.wait { $0.text.contains("Name: ada") && $0.line == ">" }
    terminal.type("log in\r")
    try terminal.wait { $0.text.contains("rows 1–") && $0.line == ">" }
    try expectWhole(
      terminal, title: "Notes", above: ["● Notes", "New note", "Search"],
      listed: Self.listed(columns, rows))
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("In a pipe a page has 20 rows, whatever the window")
  func pipe() async throws {
    let program = try NotesProgram()
    let written = try await program.run(
      (10..<40).flatMap { ["@new", "@text note-\($0)", ":back", "@dialog.save"] },
      saveAfter: 3600, environment: ["LINES": "10"])
    #expect(written.status == 0, "\(written.errors)")
    #expect(written.output.contains("rows 1–20 of 30"))
  }
}
