import Foundation
import Glibc
import TestSupport
import Testing

/// What was written is saved, whichever way the program ends.
@Suite("The notes app, at its end", .ownThread)
struct NotesEndingTests {
  /// A folder that nobody can make.
  private static let impossible = "/proc/appcore/notes"
  private static let lines = ["@name ada", "@login", "@new", "@text Milk"]

  /// Runs a shell script with `run` as the command that runs the notes app, and `input` as a file
  /// with the lines.
  private func shell(
    _ script: String, _ program: NotesProgram, lines: [String] = lines,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    let input = try program.scratch.write("lines", lines.map { $0 + "\n" }.joined())
    let arguments = program.arguments(saveAfter: 3600).map { "'\($0)'" }.joined(separator: " ")
    return try await Program.run(
      "/bin/bash",
      ["-c", "run() { '\(NotesProgram.appcore)' \(arguments) \"$@\"; }\n" + script],
      environment: ["input": input.path].merging(environment) { $1 })
  }

  @Test("When nobody reads the output any more, the app ends with what is due saved")
  func readerGone() async throws {
    for _ in 0..<5 {
      let program = try NotesProgram()
      let dialogue = try NotesDialogue(program)
      try dialogue.write("@name ada", "@login", "@new", "@text Milk")
      for _ in 0..<5 { _ = try dialogue.expectScreen() }
      dialogue.closeOutput()
      try dialogue.write(":help")
      #expect(dialogue.waitForEnd() == 128 + SIGPIPE)
      #expect(try program.texts() == ["Milk"])
    }
  }

  @Test("A disk that fills up while lines come ends the app with what is due saved")
  func outputLater() async throws {
    // A file may have so many blocks: the first screens fit, a later one does not.
    let program = try NotesProgram()
    let lines = Self.lines + Array(repeating: ":help", count: 200)
    // The plugins' private copies, made before, would not fit either.
    let folder = program.scratch.url.path
    let result = try await shell(
      """
      '\(NotesProgram.appcore)' check manifests/notes.yaml >&2 || exit
      ulimit -f 8; run < $input > '\(folder)/output'
      """, program, lines: lines, environment: ["XDG_CACHE_HOME": folder + "/cache"])
    #expect(result.status == 74, "\(result.errors)")
    #expect(try program.texts() == ["Milk"])
  }

  @Test(
    "A slow disk loses nothing: what is written while a save continues is saved after it",
    .enabled(if: PreloadedLibrary.canBeMade), arguments: [":quit", nil])
  func slowDisk(end: String?) async throws {
    let program = try NotesProgram()
    let disk = try await PreloadedLibrary(
      """
      #include <unistd.h>
      int fsync(int file) { usleep(500000); return fdatasync(file); }
      """)
    let dialogue = try NotesDialogue(program, saveAfter: 0, environment: disk.environment)
    try dialogue.write("@name ada", "@login", "@new", "@text A", "@text B")
    for _ in 0..<6 { _ = try dialogue.expectScreen() }
    #expect(try program.texts() == [])
    if let end {
      try dialogue.write(end)
      #expect(dialogue.waitForEnd() == 0)
    } else {
      #expect(dialogue.end(by: SIGTERM) == 128 + SIGTERM)
    }
    #expect(try program.texts() == ["B"])
  }

  @Test(
    "On a file system without hard links notes are saved, and none is overwritten",
    .enabled(if: PreloadedLibrary.canBeMade))
  func noHardLinks() async throws {
    let program = try NotesProgram()
    let disk = try await PreloadedLibrary(
      """
      #include <errno.h>
      int link(const char *a, const char *b) { errno = EPERM; return -1; }
      int linkat(int a, const char *b, int c, const char *d, int e) { errno = EPERM; return -1; }
      """)
    let lines = ["@new", "@text A", "@save", ":expect Saved", "@text B", "@save", ":expect Saved"]
    let result = try await program.run(lines, saveAfter: 3600, environment: disk.environment)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try program.texts() == ["B"])
    let files = try FileManager.default.contentsOfDirectory(atPath: program.folder + "/ada")
    // The last two versions, and nothing that was in between.
    #expect(files.count == 2 && files.allSatisfy { $0.hasSuffix(".txt") }, "\(files)")
  }

  @Test("A window that is closed ends the app with what is due saved")
  func window() throws {
    for _ in 0..<3 {
      let program = try NotesProgram()
      let terminal = try TypedTerminal(
        NotesProgram.appcore, program.arguments(saveAfter: 3600), columns: 100)
      for line in Self.lines {
        try terminal.wait { $0.line.hasSuffix(">") }
        terminal.type(line + "\r")
      }
      try terminal.wait(for: "Not saved yet")
      terminal.hangUp()
      #expect([129, 0, 74].contains(terminal.finish()))
      #expect(try program.texts() == ["Milk"])
    }
  }

  @Test("A hang-up or a SIGTERM that comes twice is one", arguments: [SIGHUP, SIGTERM])
  func repeated(signal: Int32) async throws {
    for _ in 0..<10 {
      let program = try NotesProgram()
      let dialogue = try NotesDialogue(program)
      try dialogue.write("@name ada", "@login", "@new", "@text Milk")
      for _ in 0..<5 { _ = try dialogue.expectScreen() }
      dialogue.send(signal)
      usleep(2000)
      #expect(dialogue.end(by: signal) == 128 + signal)
      #expect(try program.texts() == ["Milk"])
    }
  }

  @Test("Text that was taken when a signal comes is saved, whatever lines come behind it")
  func accepted() async throws {
    // The short form of what scripts/attack does a thousand times.
    for number in 0..<40 {
      let program = try NotesProgram()
      let dialogue = try NotesDialogue(program, saveAfter: number % 2 == 0 ? 0 : 3600)
      try dialogue.write("@name ada", "@login", "@new")
      for _ in 0..<4 { _ = try dialogue.expectScreen() }
      var shown = 0
      try dialogue.write(Self.rounds.map { "@text round \($0)" }.joined(separator: "\n"))
      for round in 1...Int.random(in: 1...5) {
        _ = try dialogue.expectScreen()
        shown = round
      }
      #expect(dialogue.end(by: SIGTERM) == 128 + SIGTERM)
      while let screen = try? dialogue.screen() {
        guard screen["error"] == nil else { continue }
        shown += 1
      }
      let saved = try program.texts().first.flatMap { $0.split(separator: " ").last }
      #expect(saved.flatMap { Int($0) } ?? 0 >= shown, "of \(shown) rounds \(saved ?? "none")")
    }
  }

  private static let rounds = 1...50

  @Test(
    "Text that can't be saved at the end is reported, with a copy, and the status is 74",
    arguments: [[], [":quit"]])
  func failed(end: [String]) async throws {
    let program = try NotesProgram(folder: Self.impossible)
    let state = program.scratch.url.appendingPathComponent("state").path
    let result = try await shell(
      "run < $input > /dev/null", program, lines: Self.lines + end,
      environment: ["XDG_STATE_HOME": state])
    #expect(result.status == 74)
    let last = try #require(result.errors.split(separator: "\n").last)
    #expect(last.hasPrefix("appcore: the note 'Milk' was not saved: can't create the directory '"))
    let path = try #require(last.split(separator: "'").last.map(String.init))
    #expect(path.hasPrefix(state + "/appcore/unsaved/"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "Milk")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test("Where there is no place for a copy either, that is reported too")
  func failedTwice() async throws {
    let program = try NotesProgram(folder: Self.impossible)
    let result = try await shell(
      "run < $input > /dev/null", program, environment: ["XDG_STATE_HOME": Self.impossible])
    #expect(result.status == 74)
    #expect(result.errors.contains("was not saved: can't create the directory '"))
    #expect(result.errors.contains("there is no copy either: can't create '"))
  }

  @Test("A signal after which nothing can be saved ends the app with 74, too")
  func failedBySignal() async throws {
    let program = try NotesProgram(folder: Self.impossible)
    let state = program.scratch.url.path
    let dialogue = try NotesDialogue(program, environment: ["XDG_STATE_HOME": state])
    try dialogue.write("@name ada", "@login", "@new", "@text Milk")
    for _ in 0..<5 { _ = try dialogue.expectScreen() }
    #expect(dialogue.end(by: SIGTERM) == 74)
  }
}

/// A library that is loaded before all others, and does in their place what a test needs.
struct PreloadedLibrary {
  private static let compiler = "/usr/bin/cc"
  static let canBeMade = FileManager.default.isExecutableFile(atPath: compiler)
  private let scratch: TemporaryFolder
  let environment: [String: String]

  init(_ code: String) async throws {
    scratch = try TemporaryFolder()
    let source = try scratch.write("library.c", code)
    let library = scratch.url.appendingPathComponent("library.so").path
    let result = try await Program.run(
      Self.compiler, ["-shared", "-fPIC", "-o", library, source.path])
    #expect(result.status == 0, "\(result.errors)")
    environment = ["LD_PRELOAD": library]
  }
}
