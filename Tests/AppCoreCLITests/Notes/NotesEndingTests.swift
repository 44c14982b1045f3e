import Foundation
import Glibc
import TestSupport
import Testing

/// What was written is saved, whichever way the program ends; `Tests/Transcripts/apps` has what ends
/// without signals.
@Suite("The notes app, at its end", .ownThread)
struct NotesEndingTests {
  /// A folder that nobody can make.
  private static let impossible = "/proc/appcore/notes"
  private static let lines = ["@name ada", "@login", "@new", "@text Milk"]

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

  @Test(
    "A text that is being typed full screen is saved as the app ends", arguments: [SIGTERM, nil])
  func typedFullScreen(signal: Int32?) throws {
    let program = try NotesProgram()
    let terminal = try TypedTerminal(
      NotesProgram.appcore, program.arguments(saveAfter: 3600), columns: 100,
      environment: ["LANG": "C.UTF-8"])
    for line in Self.lines.dropLast() + [":full-screen"] {
      try terminal.wait { $0.line.hasSuffix(">") }
      terminal.type(line + "\r")
    }
    try terminal.wait { $0.isAlternate && $0.text.contains("Nothing to save yet") }
    terminal.type("\rMilk")
    try terminal.wait(for: "Milk")
    // What is typed is seen before the app has handled it; help is shown by the app.
    terminal.type("\u{1b}OP")
    try terminal.wait { !$0.text.contains("Nothing to save yet") }
    if let signal { kill(terminal.child, signal) } else { terminal.hangUp() }
    #expect([0, 74, 128 + SIGHUP, 128 + SIGTERM].contains(terminal.finish()))
    #expect(try program.texts() == ["Milk"])
  }

  @Test("A hang-up or a SIGTERM that comes twice is one", arguments: [SIGHUP, SIGTERM])
  func repeated(signal: Int32) async throws {
    for _ in 0..<(runsAllTests ? 10 : 3) {
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
    for number in 0..<(runsAllTests ? 40 : 12) {
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
