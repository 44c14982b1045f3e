import Foundation
import TestSupport
import Testing

/// Every way to leave the editor with unsaved text; the autosave is set to an hour.
@Suite("The notes app, left with text that is not saved", .ownThread)
struct NotesLeavingTests {
  private static let question = "Some of the text is not saved yet"

  private func run(
    _ program: NotesProgram, _ lines: [String], _ options: [String] = []
  ) async throws -> ProgramResult {
    try await program.run(lines, saveAfter: 3600, options: options)
  }

  @Test("':back' asks, and what is answered happens; a question that is never answered saves")
  func back() async throws {
    for (answer, texts) in [
      (["@dialog.save"], ["PRECIOUS"]), (["@dialog.discard"], []),
      (["@dialog.cancel"], ["PRECIOUS"]),
      ([], ["PRECIOUS"]),
    ] {
      let program = try NotesProgram()
      let result = try await run(
        program, ["@new", "@text PRECIOUS", ":back", ":expect \(Self.question)"] + answer)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try program.texts() == texts, "\(answer)")
    }
  }

  @Test("':open' asks first and stops; once it is answered it goes where it was to go")
  func open() async throws {
    let program = try NotesProgram()
    #expect(try await run(program, ["@new", "@text other", "@save"]).status == 0)
    let file = try #require(
      FileManager.default.contentsOfDirectory(atPath: program.folder + "/ada").first)
    let link = ":open note/ada/\(file.prefix { $0 != "." })"
    let stopped = try await run(program, ["@new", "@text PRECIOUS", link, "@save"])
    #expect(stopped.status == 65)
    let told = stopped.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      told.hasSuffix(
        "line 5: 'PRECIOUS' asks before it is left; answer it, then write the command again "
          + "[asked-first]"), "\(told)")
    #expect(stopped.output.contains(Self.question))
    #expect(try program.texts() == ["PRECIOUS", "other"])
    let answered = try await run(
      program,
      [
        "@new", "@text SECOND", link, ":expect \(Self.question)", "@dialog.save", link,
        ":expect other",
      ],
      ["--json"])
    #expect(answered.status == 0)
    #expect(answered.output.contains("\"asked-first\""))
    #expect(!answered.output.contains("not-shown"), "\(answered.output)")
    #expect(try program.texts() == ["PRECIOUS", "SECOND", "other"])
    // Nothing is asked where nothing is unsaved.
    let direct = try await run(program, ["@new", link, ":expect other"])
    #expect(direct.status == 0, "\(direct.errors)")
  }

  @Test("':dismiss' of a form asks first, also while the form's own question is in front")
  func dismiss() async throws {
    let program = try NotesProgram()
    let manifest = try String(
      contentsOf: packageFolder.appendingPathComponent("manifests/notes.yaml"), encoding: .utf8)
    let path = try program.scratch.write(
      "modal.yaml",
      manifest.replacing("newRequested, push:", with: "newRequested, present:")
        .replacing("action: closed, do: back", with: "action: closed, do: [ dismiss ]")
    ).path
    func run(_ lines: [String]) async throws -> ProgramResult {
      try await Program.appcore(
        [
          "run", path, "--set", "folder=\(program.folder)", "--set", "saveAfter=3600",
          "--allow-outside",
        ],
        input: (["@name ada", "@login"] + lines).map { $0 + "\n" }.joined())
    }
    let stopped = try await run(["@new", "@text PRECIOUS", ":dismiss"])
    #expect(stopped.status == 65)
    #expect(stopped.errors.contains("[asked-first]"), "\(stopped.errors)")
    #expect(try program.texts() == ["PRECIOUS"])
    let twice = try await run([
      "@new", "@text SECOND", ":back", ":expect \(Self.question)", ":dismiss",
    ])
    #expect(twice.status == 65)
    #expect(twice.errors.contains("[asked-first]"), "\(twice.errors)")
    #expect(try program.texts() == ["PRECIOUS", "SECOND"])
    // A form in which nothing was written is dismissed.
    let empty = try await run(["@new", ":dismiss", ":expect-path /home;user=ada/notes;user=ada"])
    #expect(empty.status == 0, "\(empty.errors)")
  }

  @Test("':tab' leaves the editor where it is, and a tab that a dialog covers can't be selected")
  func tab() async throws {
    let program = try NotesProgram()
    let result = try await run(
      program, ["@new", "@text PRECIOUS", ":tab account", ":tab notes", ":expect PRECIOUS"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.texts() == ["PRECIOUS"])
    let covered = try await run(program, [":tab account", "@logout", ":tab notes"])
    #expect(covered.status == 65)
    #expect(covered.errors.contains("a dialog covers the tabs"), "\(covered.errors)")
    #expect(covered.errors.contains("[tabs-covered]"))
  }

  @Test("A route that resets the app saves what it removes, and what was written last is listed")
  func logout() async throws {
    let program = try NotesProgram()
    let result = try await run(
      program,
      [
        "@new", "@text PRECIOUS", ":tab account", "@logout", "@yes", "@name ada", "@login",
        ":expect PRECIOUS",
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.texts() == ["PRECIOUS"])
  }

  @Test("Leaving at once after a removal waits for what the removed editor saves")
  func atOnce() async throws {
    let program = try NotesProgram()
    let result = try await run(
      program, ["@new", "@text PRECIOUS", ":tab account", "@logout", ":wait 0", "@yes", ":quit"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.texts() == ["PRECIOUS"])
  }

  @Test("Text that was discarded, or deleted before its first save, is not saved by its removal")
  func unwanted() async throws {
    let program = try NotesProgram()
    let result = try await run(
      program,
      [
        "@new", "@text thrown away", ":back", "@dialog.discard", "@new", "@text deleted", "@delete",
        "@yes", ":expect There are no notes yet.",
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.texts() == [])
  }
}
