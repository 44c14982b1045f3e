import Foundation
import TestSupport
import Testing

@Suite("Mocks made of interfaces, on a terminal")
struct InterfaceTests {
  @Test("A mock says that it is one, and its forms are filled in")
  func terminal() async throws {
    let folder = try TemporaryFolder()
    let interface = try await Program.appcore(["interface", "Session", "--json"])
    let file = try folder.write("Session.json", interface.output)
    let terminal = try TypedTerminal(
      ["run", "manifests/notes.yaml", "--mock", "Session=\(file.path)", "--no-supervise"],
      environment: ["APPCORE_NOTES_FOLDER": folder.path])
    try terminal.wait(for: "Session.Login · mock")
    terminal.type("@loggedIn-user ada\r")
    try terminal.wait(for: "user: ada")
    terminal.type("@loggedIn\r")
    try terminal.wait(for: "● Notes")
    terminal.type(":reload Session\r")
    try terminal.wait(for: "[plugin-linked]")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }
}
