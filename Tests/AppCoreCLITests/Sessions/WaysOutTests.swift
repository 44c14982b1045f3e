import Foundation
import Glibc
import TestSupport
import Testing

/// Signals, closed windows, slow disks and files that can't be written.
@Suite("An app that is left or ended", .ownThread)
struct WaysOutTests {
  /// Signals that end a process, and don't ask for an end; `APPCORE_FAULTS=all` has all tried.
  static let signals: [Int32] =
    ProcessInfo.processInfo.environment["APPCORE_FAULTS"] == "all"
    ? [4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 16, 24, 25, 26, 27, 29, 30, 31, 34, 64]
    : [SIGUSR1, SIGALRM, SIGSEGV, SIGPIPE, 34]

  @Test(
    "A signal that does not ask for an end loses nothing", arguments: signals,
    ["app", "supervisor"])
  func signal(number: Int32, receiver: String) throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    kill(receiver == "app" ? try #require(app.worker) : app.terminal.child, number)
    // The program ignores two of them.
    if ![SIGPIPE, SIGXFSZ].contains(number) {
      #expect(try app.restored(seeing: "Count 1").hasPrefix("! the app crashed ("))
    }
    try app.type("@add", seeing: "Count 2")
    #expect(app.quit() == 0)
    #expect(app.terminal.modes == app.terminal.modesBefore)
  }

  @Test(
    "A window that is closed loses nothing, however slow the disk is",
    .enabled(if: PreloadedLibrary.canBeMade))
  func window() async throws {
    let program = try NotesProgram()
    let disk = try await PreloadedLibrary(
      """
      #include <unistd.h>
      int fsync(int file) { usleep(900000); return fdatasync(file); }
      """)
    let terminal = try TypedTerminal(
      NotesProgram.appcore, program.arguments(saveAfter: 3600), columns: 100,
      environment: disk.environment)
    for (line, seen) in [
      ("@name ada", "Name: ada"), ("@login", "There are no notes"), ("@new", "Nothing to save yet"),
      ("@text Milk", "Not saved yet"),
    ] {
      try terminal.wait { $0.line == ">" }
      terminal.type(line + "\r")
      try terminal.wait(for: seen)
    }
    terminal.hangUp()
    // Whether the app has a shell above it depends on the program that makes its session.
    #expect([0, 74, 129].contains(terminal.finish()))
    #expect(try program.texts() == ["Milk"])
  }

  @Test(
    "Text that is not on the disk in time is reported, with a copy",
    .enabled(if: PreloadedLibrary.canBeMade))
  func late() async throws {
    let program = try NotesProgram()
    // What the program itself writes is there before the disk becomes slow.
    _ = try await Program.appcore(["check", "manifests/notes.yaml"])
    let disk = try await PreloadedLibrary(
      """
      #include <unistd.h>
      int fsync(int file) { sleep(60); return fdatasync(file); }
      """)
    let state = program.scratch.url.appendingPathComponent("state").path
    let result = try await program.run(
      ["@new", "@text Milk", ":quit"], saveAfter: 3600,
      environment: disk.environment.merging(["XDG_STATE_HOME": state]) { $1 })
    #expect(result.status == 74)
    let lines = result.errors.split(separator: "\n")
    #expect(
      lines.contains {
        $0.hasPrefix("appcore: ended without waiting any longer for effects of 'editor' #")
          && $0.hasSuffix("; what was being saved may be lost")
      }, "\(result.errors)")
    let last = try #require(lines.last)
    #expect(
      last.hasPrefix(
        "appcore: the note 'Milk' was not saved: the app ended before it was on the disk; a copy is in '"
      ), "\(result.errors)")
    let path = try #require(last.split(separator: "'").last.map(String.init))
    #expect(path.hasPrefix(state + "/appcore/unsaved/"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "Milk")
  }

  /// Runs the app from a shell, behind commands for the shell.
  private func app(after commands: String, options: String = "") throws -> CrashingApp {
    let appcore = NotesProgram.appcore
    let terminal = try TypedTerminal(
      "/bin/bash",
      ["-c", "\(commands)\nexec '\(appcore)' run \(CrashingApp.manifest) --no-history \(options)"],
      columns: 120, rows: 50)
    try terminal.wait("the first prompt") { $0.line == ">" }
    return CrashingApp(terminal)
  }

  @Test("An app whose state can't be kept says so, before a crash and after it")
  func image() throws {
    let app = try app(
      after: "'\(NotesProgram.appcore)' check \(CrashingApp.manifest) > /dev/null 2>&1; ulimit -f 2"
    )
    try app.type("@add", seeing: "Count 1")
    app.terminal.type("@fault = \(String(repeating: "x", count: 2000))\r")
    let warning =
      "! the app's state can't be kept for a restart: File too large; after a crash, an earlier "
      + "screen comes back; 'ulimit -f' limits its size"
    try app.terminal.wait("the warning") { Self.words($0).contains(warning) && $0.line == ">" }
    kill(try #require(app.worker), SIGKILL)
    try app.terminal.wait("the message") {
      Self.words($0).contains(
        "its latest state could not be written, so an earlier screen was restored in ")
        && $0.line == ">"
    }
    #expect(app.quit() == 0)
  }

  /// What a terminal has shown, with one space for each line break.
  private static func words(_ model: TerminalModel) -> String {
    (model.scrollback + [model.text]).joined(separator: " ").split(separator: /\s+/)
      .joined(separator: " ")
  }

  @Test("Without a supervisor, a plugin that closes the terminal ends the app, which is as it was")
  func closed() throws {
    let app = try CrashingApp(["--no-supervise"])
    app.terminal.type("@fault = reduce close0\r")
    #expect(app.terminal.finish() == 70)
    #expect(app.terminal.modes == app.terminal.modesBefore)
    let text = Self.words(app.terminal.model)
    #expect(
      text.contains("appcore: ended by plugin 'MockFaults', feature 'MockFaults.Faulty'"), "\(text)"
    )
    #expect(text.contains("the app's terminal was closed"), "\(text)")
  }

  @Test("A crash leaves a line on standard error and in the log")
  func trace() throws {
    let folder = try TemporaryFolder()
    let errors = folder.url.appendingPathComponent("errors").path
    let app = try app(after: "", options: "--verbose 2> '\(errors)'")
    try app.type("@add", seeing: "Count 1")
    _ = try app.crash("@fault = reduce index", seeing: "Count 1")
    let crash = "MockFaults.Faulty crashed in reduce(into:action:) (libMockFaults.so+0x"
    try app.type(":log", seeing: "the app continues: " + crash)
    #expect(app.quit() == 0)
    let text = try String(contentsOfFile: errors, encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("appcore: " + crash) }, "\(text)")
    #expect(lines.contains { $0.contains("the app continues: " + crash) }, "\(text)")
    // Swift's library says what is wrong, and not by which calls it came about.
    #expect(lines.contains { $0.hasSuffix("Fatal error: Index out of range") }, "\(text)")
    #expect(!text.contains("libswiftCore.so"), "\(text)")
  }
}
