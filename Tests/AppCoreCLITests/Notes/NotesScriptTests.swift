import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The notes app, from a pipe", .ownThread)
struct NotesScriptTests {
  @Test(
    "A signal that asks it to end leaves it time to save", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signals(_ signal: Int32) async throws {
    let program = try NotesProgram()
    let dialogue = try NotesDialogue(program, saveAfter: 3600)
    try dialogue.write("@name ada", "@login", "@new", "@text kept")
    for _ in 0..<5 { _ = try dialogue.expectScreen() }
    #expect(try program.texts() == [])
    #expect(dialogue.end(by: signal) == 128 + signal)
    #expect(try program.texts() == ["kept"])
  }

  @Test("Two programs on one folder lose nothing of each other")
  func twoPrograms() async throws {
    let program = try NotesProgram()
    #expect(try await program.run(["@new", "@text base", "@save"]).status == 0)
    let one = try NotesDialogue(program)
    let other = try NotesDialogue(program)
    for dialogue in [one, other] {
      try dialogue.write("@name ada", "@login", "base")
      for _ in 0..<4 { _ = try dialogue.expectScreen() }
    }
    // Both at once: whoever comes second keeps a note of its own.
    for (dialogue, text) in [(one, "from one"), (other, "from the other")] {
      try dialogue.write("@text \(text)", "@save")
    }
    for dialogue in [one, other] {
      for _ in 0..<2 { _ = try dialogue.expectScreen() }
    }
    let texts = try program.texts()
    #expect(
      texts == ["from one", "from the other (other copy)"]
        || texts == ["from one (other copy)", "from the other"])
  }
}
