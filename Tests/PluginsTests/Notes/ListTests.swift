import AppCore
import AppCoreTesting
import Testing

@testable import Notes

@MainActor
@Suite("Notes.List")
struct ListTests {
  private func store(_ files: FileSystem) throws -> TestStoreOf<List> {
    let store = try TestStore(arguments: List.Arguments(user: "ada")) {
      List(folder: folder)
    } withDependencies: {
      $0.fileSystem = files
    }
    store.timeout = .seconds(60)
    return store
  }

  @Test("A change makes it look again, with what is being looked for")
  func changed() async throws {
    let files = files()
    let store = try store(files)
    await store.didStart()
    await store.receive(.internal(.listed(NoteListing()))) { $0.listing = NoteListing() }
    try await files.write("Milk", to: path(1, 1))
    await store.sendInput(.changed)
    let one = NoteListing(notes: [summary(1, "Milk")], total: 1)
    await store.receive(.internal(.listed(one))) { $0.listing = one }
    try await files.write("Bread", to: path(1, 2))
    await store.send(.reloadTapped)
    let other = NoteListing(notes: [summary(1, "Bread")], total: 1)
    await store.receive(.internal(.listed(other))) { $0.listing = other }
    await store.finish()
  }

  @Test("A folder that can't be read is said to be so, until it can")
  func failure() async throws {
    let files = files(["/notes/ada": "this is a file"])
    let store = try store(files)
    await store.didStart()
    await store.receive(/List.Action.Internal.listingFailed) {
      $0.failure =
        "can't list '/notes/ada': Not a directory; something else than a folder has its name"
    }
    try await files.remove("/notes/ada")
    await store.send(.reloadTapped)
    await store.receive(.internal(.listed(NoteListing()))) {
      $0.listing = NoteListing()
      $0.failure = nil
    }
    await store.finish()
  }

  @Test("A user that has no folder is refused before anything is shown")
  func badUser() {
    #expect(throws: NoteError.badUser("")) {
      try List(folder: folder).initialState(.init(user: ""))
    }
  }
}
