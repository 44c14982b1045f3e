import Foundation
import Glibc
import TestSupport
import Testing

/// What README shows of an app whose plugin crashes.
@Suite("The crash in README", .ownThread)
struct ReadmeTranscriptTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The notes app with a third tab, in which a plugin crashes when it is told to.
  private func manifest() throws -> String {
    let shipped = try String(
      contentsOf: packageFolder.appendingPathComponent("manifests/notes.yaml"), encoding: .utf8)
    let text = shipped.replacing("  - Dialogs\n", with: "  - Dialogs\n  - MockFaults\n")
      .replacing(
        "      - { node: account, with: { user: $.user } }\n",
        with: "      - { node: account, with: { user: $.user } }\n      - faulty\n"
      )
      .replacing(
        "  editor:        {",
        with: "  faulty:        { feature: MockFaults.Faulty, title: Faulty }\n  editor:        {"
      )
      .replacing(
        "  - { from: account, action: logoutRequested,",
        with: "  - { from: faulty, action: opened, do: ignore }\n"
          + "  - { from: account, action: logoutRequested,")
    return try folder.write("notes.yaml", text).path
  }

  /// A text with what differs from run to run made equal.
  private static func plain(_ text: String) -> String {
    text.replacing(/\+0x[0-9a-f]+/, with: "+0x1a2b").replacing(
      /restored in \d+ ms/, with: "restored in 23 ms"
    )
    .split(separator: "\n", omittingEmptySubsequences: false)
    .map { String($0.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  @Test("Half a sentence is typed when a plugin crashes, and it is still there")
  func transcript() throws {
    let now = folder.url.appendingPathComponent("now")
    let terminal = try TypedTerminal(
      [
        "run", try manifest(), "--set", "folder=\(folder.url.path)/notes", "--set",
        "saveAfter=3600", "--no-history",
      ], columns: 110, rows: 40, environment: CrashingApp.environment)
    let app = CrashingApp(terminal)
    try terminal.wait { $0.text.contains("Log in") && $0.line == ">" }
    try app.type("@name ada", seeing: "Name: ada")
    try app.type("@login", seeing: "There are no notes yet.")
    try app.type(":tab faulty", seeing: "Count 0")
    try app.type("@fault = later \(now.path)", seeing: "Count 0")
    try app.type(":tab notes", seeing: "There are no notes yet.")
    try app.type("new note", seeing: "Nothing to save yet")
    try app.type("text = Milk", seeing: "Not saved yet")
    terminal.type("line = eggs and a lot of fl")
    try terminal.wait(forLine: "> line = eggs and a lot of fl")
    try Data().write(to: now)
    _ = try app.restored(seeing: "│ Milk")
    try terminal.wait(forLine: "> line = eggs and a lot of fl")
    let seen = Self.plain(terminal.model.text)
    let shown = seen[(seen.range(of: "! MockFaults.Faulty")?.lowerBound ?? seen.startIndex)...]
      .trimmingCharacters(in: .newlines)
    let readme = try String(
      contentsOf: packageFolder.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.contains("```text\n\(shown)\n```"), "\(shown)")
    terminal.type("our\r")
    try terminal.wait(for: "│ eggs and a lot of flour")
    #expect(app.quit() == 0)
  }
}
