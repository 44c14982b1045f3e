import AppCore
import AppCoreTesting
import Synchronization
import Testing

@testable import Notes

/// What becomes of emergency copies, in words.
final class KeptCopies: Sendable {
  private let notes = Mutex<[String]>([])

  var all: [String] { notes.withLock { $0 } }

  var emergencyCopy: EmergencyCopy {
    EmergencyCopy { content in
      self.note("kept '\(content.text)'")
    } whileSaving: { content in
      self.note("holds '\(content.text)' of \(content.name)")
      return { failure in self.note(failure ?? "saved") }
    }
  }

  private func note(_ text: String) { notes.withLock { $0.append(text) } }
}

/// An editor on files in memory, and a clock that stands still.
@MainActor
struct EditorBench {
  let files: FileSystem
  let clock = TestClock()
  let copies = KeptCopies()
  let store: TestStoreOf<Editor>

  init(_ files: FileSystem, id: UniqueID? = nil, user: String = "ada") throws {
    self.files = files
    store = try TestStore(arguments: Editor.Arguments(user: user, id: id.map { "\($0)" })) {
      Editor(folder: folder, saveAfter: .seconds(1))
    } withDependencies: { [clock, copies] in
      $0.fileSystem = files
      $0.uuid = .incrementing
      $0.clock = clock.appClock
      $0.emergencyCopy = copies.emergencyCopy
    }
    // Tests that wait for programs may keep the threads that files are read on.
    store.timeout = .seconds(60)
  }

  /// Opens a note.
  static func opened(
    _ id: Int, _ version: Int, _ text: String, in files: FileSystem
  ) async throws -> EditorBench {
    let bench = try EditorBench(files, id: UniqueID(id))
    await bench.store.didStart()
    let note = Note(file: file(id, version), text: text)
    await bench.store.receive(.internal(.read(note))) {
      $0.phase = .ready
      $0.file = note.file
      $0.text = text
      $0.savedText = text
    }
    return bench
  }

  func write(_ text: String) async {
    await store.send(.textChanged(text)) { $0.text = text }
  }

  /// Takes in that the text was saved as a version, which the graph is told of.
  func receiveSaved(_ id: Int, _ version: Int, _ text: String) async {
    let saved = SavedNote(note: Note(file: file(id, version), text: text), isCopy: false)
    await store.receive(.internal(.saved(saved))) {
      $0.saving = nil
      $0.file = saved.note.file
      $0.savedText = text
    }
    await store.receive(.delegate(.saved(id: "\(UniqueID(id))")))
  }
}

@MainActor
@Suite("Notes.Editor")
struct EditorTests {
  @Test("A text is saved by itself when nothing was changed for a second, and not before")
  func autosave() async throws {
    let bench = try EditorBench(files())
    let store = bench.store
    await store.didStart()
    await bench.write("Milk")
    await bench.clock.advance(by: .milliseconds(900))
    await store.send(.lineAdded("eggs")) { $0.text = "Milk\neggs" }
    await bench.clock.advance(by: .milliseconds(900))
    #expect(try await bench.files.exists("/notes") == false)
    await bench.clock.advance(by: .milliseconds(100))
    await store.receive(.internal(.rested)) { $0.saving = "Milk\neggs" }
    await bench.receiveSaved(0, 1, "Milk\neggs")
    #expect(try await bench.files.readText(path(0, 1)) == "Milk\neggs")
    await bench.store.finish()
  }

  @Test("Saving now does not wait, and nothing is saved twice")
  func saveNow() async throws {
    let bench = try await EditorBench.opened(7, 2, "a", in: files([path(7, 2): "a"]))
    await bench.store.send(.saveTapped)
    await bench.write("b")
    await bench.store.send(.saveTapped) { $0.saving = "b" }
    await bench.receiveSaved(7, 3, "b")
    await bench.clock.advance(by: .seconds(5))
    #expect(try await names(bench.files) == [file(7, 2).name, file(7, 3).name])
    await bench.store.finish()
  }

  @Test("Text changed back to the saved one is not saved again")
  func unchanged() async throws {
    let bench = try await EditorBench.opened(7, 1, "a", in: files([path(7, 1): "a"]))
    await bench.write("b")
    await bench.write("a")
    await bench.clock.advance(by: .seconds(5))
    #expect(try await names(bench.files) == [file(7, 1).name])
    await bench.store.finish()
  }

  @Test("A note that can't be read says why, and is read when asked to")
  func unreadable() async throws {
    let files = files()
    let bench = try EditorBench(files, id: UniqueID(7))
    await bench.store.didStart()
    let reason = "there is no such note, or no longer"
    await bench.store.receive(.internal(.readingFailed(UniqueID(7), reason))) {
      $0.phase = .failed(UniqueID(7), reason: reason)
    }
    try await files.write("a", to: path(7, 1))
    await bench.store.send(.retryTapped) { $0.phase = .reading(UniqueID(7)) }
    await bench.store.receive(/Editor.Action.Internal.read) {
      $0.phase = .ready
      $0.file = file(7, 1)
      $0.text = "a"
      $0.savedText = "a"
    }
    await bench.store.finish()
  }

  @Test("An unknown note and a user without a name are refused before anything is shown")
  func badArguments() {
    #expect(throws: NoteError.badID("../../etc/passwd")) {
      try Editor(folder: folder, saveAfter: .zero)
        .initialState(.init(user: "ada", id: "../../etc/passwd"))
    }
    #expect(throws: NoteError.badUser("")) { try EditorBench(files(), user: "") }
  }

  @Test("A text that can't be saved stays, with the reason, and is saved when it can be")
  func failure() async throws {
    let files = files(["/notes/ada": "a file in the way"])
    let bench = try EditorBench(files)
    await bench.store.didStart()
    await bench.write("Milk")
    await bench.store.send(.saveTapped) { $0.saving = "Milk" }
    let reason =
      "can't create the directory '/notes/ada': File exists; something else than a folder has its name"
    await bench.store.receive(.internal(.savingFailed(reason))) {
      $0.saving = nil
      $0.failure = reason
    }
    try await files.remove("/notes/ada")
    await bench.store.send(.saveTapped) {
      $0.saving = "Milk"
      $0.failure = nil
    }
    await bench.receiveSaved(0, 1, "Milk")
    await bench.store.finish()
  }

  @Test("A note that another window saved first is kept as a new one, and continues as that")
  func conflict() async throws {
    let files = files([path(7, 1): "base"])
    let bench = try await EditorBench.opened(7, 1, "base", in: files)
    try await files.write("theirs", to: path(7, 2))
    await bench.write("mine\nmilk")
    await bench.store.send(.saveTapped) { $0.saving = "mine\nmilk" }
    let copy = Note(file: file(0, 1), text: "mine (other copy)\nmilk")
    await bench.store.receive(.internal(.saved(SavedNote(note: copy, isCopy: true)))) {
      $0.saving = nil
      $0.file = copy.file
      $0.text = copy.text
      $0.savedText = copy.text
      $0.notice =
        "Another window had saved this note first. Yours is kept as a new note, "
        + "'mine (other copy)'."
    }
    await bench.store.receive(.delegate(.saved(id: "\(UniqueID(0))")))
    await bench.store.send(.lineAdded("eggs")) {
      $0.text = "mine (other copy)\nmilk\neggs"
      $0.notice = nil
    }
    await bench.store.send(.saveTapped) { $0.saving = "mine (other copy)\nmilk\neggs" }
    await bench.receiveSaved(0, 2, "mine (other copy)\nmilk\neggs")
    #expect(try await files.readText(path(7, 2)) == "theirs")
    await bench.store.finish()
  }
}
