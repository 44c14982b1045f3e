import Foundation
import TestSupport
import Testing

/// The pictures in the documents are of what the program shows.
@Suite("The pictures of a terminal", .ownThread) struct PictureTests {
  @Test(
    "Those full screen are what '--screenshot' writes; RECORD=1 makes them anew",
    arguments: [
      (
        "full-screen", "packages",
        ["--set", "status=Tests/Fixtures/dpkg/demo-status", "-c", ":sort Package"]
      ),
      (
        "dates", "casestudies",
        ["-c", "@dates", "-c", "@arrival 2024-02-28", "-c", "@departure 2024-03-01"]
      ),
    ])
  func fullScreen(name: String, app: String, options: [String]) async throws {
    let folder = try TemporaryFolder()
    let picture = folder.url.appendingPathComponent("picture.svg")
    let run = try await Program.appcore(
      ["run", "manifests/\(app).yaml"] + options + ["--screenshot", picture.path])
    #expect(run.status == 0, "\(run.errors)")
    try expect(String(contentsOf: picture, encoding: .utf8), in: "\(name).svg")
  }

  @Test("The one of lines is what a person sees; RECORD=1 makes it anew")
  func lines() throws {
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
    try expect(picture, in: "terminal.svg")
  }

  private func expect(_ picture: String, in name: String) throws {
    let file = packageFolder.appendingPathComponent("docs/images/\(name)")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try picture.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      (try? String(contentsOf: file, encoding: .utf8)) == picture,
      "differs from docs/images/\(name)")
  }
}
