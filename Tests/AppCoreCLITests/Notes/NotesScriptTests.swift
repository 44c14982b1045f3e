import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The notes app, from a pipe", .ownThread)
struct NotesScriptTests {
  @Test("Log in, write, find, discard, quit, reopen")
  func story() async throws {
    let program = try NotesProgram()
    let first = try await program.run([
      "@new", "@text <<END", "Milk", "eggs", "END", "@save", ":expect Saved", ":back",
      "@new", "@text thrown away", ":back", ":expect not saved yet", "@dialog.discard",
      "@search EGG", ":expect 'EGG' is in 1 of 1 notes.", ":quit",
    ])
    #expect(first.status == 0, "\(first.errors)")
    #expect(try program.texts() == ["Milk\neggs"])
    let second = try await program.run(["Milk", ":expect eggs", ":expect Saved"])
    #expect(second.status == 0, "\(second.errors)")
    #expect(!second.output.contains("thrown away"))
  }

  @Test(
    "However the app is left, what was written before it would have saved itself is saved",
    arguments: [":quit", "", ":path"])
  func leaving(_ last: String) async throws {
    let program = try NotesProgram()
    let result = try await program.run(
      ["@new", "@text first", ":back", "Save and close", "@new", "@text second", last],
      saveAfter: 3600)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.texts() == ["first", "second"])
  }

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

  @Test("A password is taken from the environment, and nobody comes in without it")
  func password() async throws {
    let program = try NotesProgram()
    let environment = ["APPCORE_NOTES_PASSWORD": "sesame"]
    let refused = try await program.run(["@new"], environment: environment)
    #expect(refused.status == 65)
    #expect(refused.output.contains("type the password first"))
    let result = try await Program.appcore(
      program.arguments(),
      input: "@name ada\n@password sesame\n@login\n:expect There are no notes yet.\n:log\n",
      environment: environment)
    #expect(result.status == 0, "\(result.errors)")
    #expect(!result.output.contains("sesame"))
  }

  @Test("The folder is in the home folder unless it is said where, and a link opens a note")
  func home() async throws {
    let scratch = try TemporaryFolder()
    // Away from the home folder: what the host keeps of plugins that it has seen.
    let environment = ["HOME": scratch.url.path]
    func run(_ lines: String, _ options: [String] = []) async throws -> ProgramResult {
      try await Program.appcore(
        ["run", "manifests/notes.yaml"] + options, input: lines, environment: environment)
    }
    let written = try await run("@name ada\n@login\n@new\n@text Milk\n@save\n")
    #expect(written.status == 0, "\(written.errors)")
    let folder = scratch.url.appendingPathComponent(".local/share/appcore/notes/ada").path
    let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let id = try #require(file.split(separator: ".").first)
    let opened = try await run("@name ada\n@login\n:expect Milk\n", ["--open", "note/ada/\(id)"])
    #expect(opened.status == 0, "\(opened.errors)")
    let nowhere = try await run(
      "@name ada\n@login\n:expect begins with '/'\n", ["--set", "folder=notes"])
    #expect(nowhere.status == 0, "\(nowhere.errors)")
  }

  @Test("A link opens another user's note, and the first screen, manifest and page say so")
  func otherUser() async throws {
    let program = try NotesProgram()
    #expect(try await program.run(["@new", "@text Milk", "@save", ":expect Saved"]).status == 0)
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: program.folder + "/ada").first)
    let id = try #require(file.split(separator: ".").first)
    let opened = try await Program.appcore(
      program.arguments(),
      input: "@name eve\n@login\n:open note/ada/\(id)\n:expect Milk\n")
    #expect(opened.status == 0, "\(opened.errors)")
    #expect(opened.output.contains("It keeps nobody from those of others."))
    for page in ["manifests/notes.yaml", "docs/notes.md"] {
      let text = try String(
        contentsOf: packageFolder.appendingPathComponent(page), encoding: .utf8)
      let words = text.replacing("\n# ", with: " ").replacing("\n", with: " ")
      #expect(words.contains("user name alone protects nothing"), "\(page)")
    }
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
