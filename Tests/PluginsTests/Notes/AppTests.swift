import AppCheck
import AppCore
import AppCoreHostTesting
import AppCoreTesting
import Foundation
import TestSupport
import Testing

@testable import Notes

@Suite("The notes app")
struct AppTests {
  let manifest = packageFolder.path + "/manifests/notes.yaml"

  @Test("What is typed is saved a second later, and is listed")
  func story() async throws {
    let files = FileSystem.inMemory()
    var options = AppOptions()
    options.settings = ["folder": "/notes", "saveAfter": "1", "password": ""]
    // The real manifest, with this plugin as it is linked here, the others from their files, and
    // files in memory.
    let app = try await AppHarness(
      manifest: manifest, plugins: [NotesPlugin.self], options: options
    ) {
      $0.fileSystem = files
      $0.uuid = .incrementing
    }

    try await app.type("@name ada", "@login", "@new", "@text Milk")
    #expect(await app.path == "/home;user=ada/notes;user=ada/editor;user=ada")
    #expect(await app.screen.text.contains("Not saved yet"))

    await app.clock.advance(by: .seconds(1))
    #expect(await app.screen.text.contains("Saved"))
    #expect(try await files.list("/notes/ada").count == 1)

    let screen = try await app.type(":back")
    #expect(screen.controls.filter { $0.kind == "row" }.map(\.label) == ["Milk"])
  }
}
