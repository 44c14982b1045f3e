import Foundation
import TestSupport
import Testing

@Suite("The notes app, on a terminal", .ownThread)
struct NotesTerminalTests {
  private func start(_ program: NotesProgram, saveAfter: Double) throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      NotesProgram.appcore, program.arguments(saveAfter: saveAfter), rows: 40)
    try terminal.wait { $0.text.contains("Log in") && $0.line == ">" }
    return terminal
  }

  private func type(_ terminal: TypedTerminal, _ line: String, seeing text: String) throws {
    terminal.type(line + "\r")
    try terminal.wait(text) { $0.text.contains(text) && $0.line == ">" }
  }

  /// Waits until the screen that was shown last, and no earlier one above it, holds all of these.
  private func wait(_ terminal: TypedTerminal, for texts: String...) throws {
    try terminal.wait(texts.joined(separator: ", ")) { model in
      guard let tabs = model.text.range(of: "● Notes", options: .backwards) else { return false }
      let screen = model.text[tabs.upperBound...]
      return texts.allSatisfy { screen.contains($0) } && model.line == ">"
    }
  }

  @Test("A person logs in, writes, sees it saved by itself, finds, discards, quits and reopens")
  func story() throws {
    let program = try NotesProgram()
    let first = try start(program, saveAfter: 0.2)
    try type(first, "1 ada", seeing: "Name: ada")
    try type(first, "log in", seeing: "There are no notes yet.")
    try type(first, "new note", seeing: "Nothing to save yet")
    first.type("text = Milk\r")
    // Nobody types: the screen changes above the prompt.
    try wait(first, for: "│ Milk", "✓ Saved")
    first.type("line = eggs\r")
    try wait(first, for: "│ eggs", "✓ Saved")
    try type(first, ":back", seeing: "[2] Search: (as in")
    try type(first, "search = EGG", seeing: "'EGG' is in 1 of 1 notes.")
    #expect(first.model.text.contains("Milk"))
    first.type(":quit\r")
    #expect(first.finish() == 0)
    #expect(try program.texts() == ["Milk\neggs"])

    let second = try start(program, saveAfter: 3600)
    try type(second, "1 ada", seeing: "Name: ada")
    try type(second, "log in", seeing: "Milk")
    try type(second, "milk", seeing: "│ eggs")
    try type(second, "line = thrown away", seeing: "Not saved yet")
    try type(second, ":back", seeing: "Some of the text is not saved yet")
    try type(second, "discard", seeing: "[2] Search: (as in")
    second.type(":quit\r")
    #expect(second.finish() == 0)
    #expect(try program.texts() == ["Milk\neggs"])
  }
}
