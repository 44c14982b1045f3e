import Foundation
import TestSupport
import Testing

/// The picture of a terminal in the README is of what the program shows.
@Suite("The picture of a terminal", .ownThread) struct PictureTests {
  @Test("It is what a person sees; RECORD=1 makes it anew")
  func readme() throws {
    let terminal = try TypedTerminal(
      NotesProgram.appcore, ["run", "manifests/packages.yaml"], columns: 80, rows: 36,
      environment: [
        "APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status", "NO_COLOR": "",
        "APPCORE_HISTORY": "off",
      ])
    try terminal.wait { $0.text.contains("[7] nano") && $0.line == ">" }
    terminal.type("busybox\r")
    try terminal.wait { $0.text.contains("Depends on") && $0.line == ">" }
    terminal.type(":b")
    try terminal.wait(forLine: "> :back")
    let picture = terminal.model.picture(
      title: "A terminal with the list of packages, the line 'busybox', and that package's page")
    terminal.type("\u{15}:quit\r")
    #expect(terminal.finish() == 0)
    let file = packageFolder.appendingPathComponent("docs/images/terminal.svg")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      (try? String(contentsOf: file, encoding: .utf8)) == picture,
      "differs from docs/images/terminal.svg")
  }
}
