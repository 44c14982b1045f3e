internal import AppCheck
internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import AppCoreTesting
import Testing

/// The notes app that ships, with its real plugins, on files in memory.
@Suite("The notes app")
struct NotesAppTests {
  private func app(
    _ files: FileSystem = .inMemory(), settings: [String: String] = [:]
  ) async throws -> AppHarness {
    var options = AppOptions()
    options.settings = settings.merging(["folder": "/notes"]) { mine, _ in mine }
    return try await AppHarness(
      manifest: Project.path("manifests/notes.yaml"), options: options
    ) {
      $0.fileSystem = files
      $0.uuid = .incrementing
      $0.environment = ["HOME": "/home/ada"]
    }
  }

  private let first = "00000000-0000-0000-0000-000000000000"

  @Test("Log in, write, find, change, delete, log out")
  func story() async throws {
    let files = FileSystem.inMemory()
    let app = try await app(files)
    #expect(try await app.refusal(of: "@password x").code == "no-such-control")
    try await app.type("@login")
    #expect(await app.screen.text.contains("type your name first"))
    try await app.type("@name ada", "@login")
    #expect(await app.path == "/home;user=ada/notes;user=ada")
    #expect(await app.screen.text.contains("There are no notes yet."))

    try await app.type("@new", #"@text "Milk\neggs""#)
    #expect(await app.screen.text.contains("Not saved yet"))
    await app.clock.advance(by: .seconds(1))
    #expect(await app.screen.text.contains("Saved"))
    #expect(try await files.readText("/notes/ada/\(first).1.txt") == "Milk\neggs")
    try await app.type(":back", "@search EGG")
    #expect(await app.screen.controls.filter { $0.kind == "row" }.map(\.label) == ["Milk"])
    try await app.type("@search bread")
    #expect(await app.screen.text.contains("No note of 1 holds 'bread'."))
    #expect(await app.screen.control("all")?.isEnabled == true)

    try await app.type("@all", "Milk", "@line bread", "@save", "@close", "@search bread")
    #expect(await app.screen.controls.filter { $0.kind == "row" }.map(\.label) == ["Milk"])
    try await app.type("@\(first)", "@delete")
    #expect(await app.screen.text.contains("Delete 'Milk'?"))
    try await app.type("@no", "@delete", "@yes")
    #expect(await app.path == "/home;user=ada/notes;user=ada")
    #expect(await app.screen.text.contains("No note of 0 holds 'bread'."))
    #expect(try await files.list("/notes/ada") == [])

    try await app.type(":tab account", "@logout", "@no", "@logout", "@yes")
    #expect(await app.path == "/login")
    #expect(await app.refusedRoutes.isEmpty)
    #expect(await app.lostNotifications.isEmpty)
  }

  @Test("A password is asked for where there is one, and is shown nowhere")
  func password() async throws {
    let app = try await app(settings: ["password": "sesame"])
    try await app.type("@name ada", "@password guess", "@login")
    #expect(await app.screen.text.contains("that is not the password"))
    try await app.type("@password sesame", ":state")
    #expect(!(await app.screen.text.contains("sesame")))
    try await app.type("@login")
    #expect(await app.path == "/home;user=ada/notes;user=ada")
  }

  @Test("A link to a note waits for the login, and a position reopens a note")
  func links() async throws {
    let files = FileSystem.inMemory(["/notes/ada/\(first).1.txt": "Milk"])
    let app = try await app(files)
    try await app.type(":open note/ada/\(first)")
    #expect(await app.path == "/login")
    try await app.type("@name ada", "@login")
    let place = "/home;user=ada/notes;user=ada/editor;user=ada;id=\(first)"
    #expect(await app.path == place)
    #expect(await app.screen.control("text")?.value == "Milk")
    try await app.type(":back", ":open \(place)")
    #expect(await app.screen.control("text")?.value == "Milk")
    #expect(try await app.refusal(of: ":open note/ada/nothing").code == "unavailable")
    try await app.type(":open note/ada/00000000-0000-0000-0000-00000000000f")
    #expect(await app.screen.text.contains("there is no such note, or no longer"))
    try await app.type(":back")
    #expect(await app.path == "/home;user=ada/notes;user=ada")
  }
}
