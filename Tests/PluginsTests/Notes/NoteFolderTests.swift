import AppCore
import AppCoreTesting
import Testing

@testable import Notes

@Suite("NoteFolder")
struct NoteFolderTests {
  @Test("Two saves of one note run one after another, and what is there is not saved again")
  func turns() async throws {
    let files = files()
    try await with(files) {
      async let first = folder.save("a", over: file(3, 0), of: "ada")
      async let second = folder.save("a", over: file(3, 0), of: "ada")
      let saved = try await [first, second]
      #expect(saved.map(\.isCopy) == [false, false])
      #expect(saved.map(\.note.file) == [file(3, 1), file(3, 1)])
    }
    #expect(try await names(files) == [file(3, 1).name])
  }

  @Test("Saves of one note run in the order in which they took their turns")
  func orderOfTurns() async throws {
    let files = files()
    try await with(files) {
      let turns = [folder.turns.take(UniqueID(3)), folder.turns.take(UniqueID(3))]
      async let last = folder.save("b", over: file(3, 0), after: "a", of: "ada", in: turns[1])
      // However long the other one has been under way by then.
      for _ in 0..<100 { await Task.yield() }
      let first = try await folder.save("a", over: file(3, 0), of: "ada", in: turns[0])
      let second = try await last
      #expect(first == SavedNote(note: Note(file: file(3, 1), text: "a"), isCopy: false))
      #expect(second == SavedNote(note: Note(file: file(3, 2), text: "b"), isCopy: false))
    }
  }

  @Test("Where nothing was ever written there are no notes")
  func empty() async throws {
    try await with(files()) {
      let listing = try await folder.notes(of: "ada", matching: "")
      #expect(listing == NoteListing())
    }
  }

  @Test("Each save makes the next version, and the one before is kept beside it")
  func versions() async throws {
    let files = files()
    try await with(files) {
      let first = try await folder.save("a", over: nil, of: "ada")
      #expect(first == SavedNote(note: Note(file: file(0, 1), text: "a"), isCopy: false))
      let second = try await folder.save("b", over: first.note.file, of: "ada")
      #expect(second == SavedNote(note: Note(file: file(0, 2), text: "b"), isCopy: false))
      #expect(try await names(files) == [file(0, 1).name, file(0, 2).name])
      _ = try await folder.save("c", over: second.note.file, of: "ada")
      #expect(try await names(files) == [file(0, 2).name, file(0, 3).name])
      #expect(try await folder.note(UniqueID(0), of: "ada") == Note(file: file(0, 3), text: "c"))
    }
  }

  @Test("Whoever saves second keeps a note of its own, and neither text is lost")
  func conflict() async throws {
    let files = files([path(7, 1): "base"])
    try await with(files) {
      _ = try await folder.save("mine\nmilk", over: file(7, 1), of: "ada")
      let second = try await folder.save("yours\neggs", over: file(7, 1), of: "ada")
      #expect(
        second
          == SavedNote(
            note: Note(file: file(0, 1), text: "yours (other copy)\neggs"), isCopy: true))
      #expect(try await folder.note(UniqueID(7), of: "ada").text == "mine\nmilk")
    }
  }

  @Test("A version that comes after later ones were made and its number was free is a copy, too")
  func lateVersion() async throws {
    let files = files([path(7, 1): "base"])
    try await with(files) {
      var last = file(7, 1)
      for text in ["b", "c", "d"] {
        last = try await folder.save(text, over: last, of: "ada").note.file
      }
      #expect(try await names(files) == [file(7, 3).name, file(7, 4).name])
      let late = try await folder.save("late", over: file(7, 1), of: "ada")
      #expect(late.isCopy)
      #expect(try await folder.note(UniqueID(7), of: "ada").text == "d")
      #expect(try await folder.note(late.note.file.id, of: "ada").text == "late (other copy)")
      #expect(!(try await names(files)).contains(file(7, 2).name))
    }
  }

  @Test("Many writers at once: every text that was confirmed can be read")
  func manyWriters() async throws {
    let files = files([path(7, 1): "base"])
    try await with(files) {
      let confirmed = try await withThrowingTaskGroup(of: String.self) { group in
        for writer in 0..<8 {
          group.addTask {
            var last = file(7, 1)
            var text = ""
            for round in 0..<5 {
              let saved = try await folder.save("\(writer).\(round)", over: last, of: "ada")
              last = saved.note.file
              text = saved.note.text
            }
            return text
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      let listing = try await folder.notes(of: "ada", matching: "")
      #expect(listing.notes.count == 8)
      #expect(Set(listing.notes.map(\.title)) == confirmed)
    }
  }

  @Test("Deleting removes all versions; one that somebody saved since is kept")
  func deleting() async throws {
    let files = files([path(7, 1): "a", path(7, 2): "b", path(8, 1): "c"])
    try await with(files) {
      await #expect(throws: NoteError.changedElsewhere) {
        try await folder.delete(file(7, 1), of: "ada")
      }
      try await folder.delete(file(7, 2), of: "ada")
      #expect(try await names(files) == [file(8, 1).name])
      await #expect(throws: NoteError.noSuchNote) {
        try await folder.note(UniqueID(7), of: "ada")
      }
    }
  }

  @Test("A search finds notes by their titles and by their texts, whatever the case")
  func search() async throws {
    let files = files([path(1, 1): "Shopping\nmilk, EGGS", path(2, 1): "Work\ncall Bob"])
    try await with(files) {
      for (query, titles) in [
        ("shop", ["Shopping"]), ("eggs", ["Shopping"]), ("BOB", ["Work"]), ("none", []),
        ("", ["Shopping", "Work"]),
      ] {
        let listing = try await folder.notes(of: "ada", matching: query)
        #expect(listing.notes.map(\.title) == titles)
        #expect(listing.total == 2)
      }
    }
  }

  @Test("The notes that were changed last stand first")
  func order() async throws {
    let clock = CallCounter()
    let files = FileSystem.inMemory(date: DateGenerator { clock.next() })
    try await with(files) {
      for text in ["old", "middle", "new"] { _ = try await folder.save(text, over: nil, of: "ada") }
      let titles = try await folder.notes(of: "ada", matching: "").notes.map(\.title)
      #expect(titles == ["new", "middle", "old"])
    }
  }

  @Test("Files that are no notes are left alone, and those that can't be shown are named")
  func foreign() async throws {
    let files = files([
      path(1, 1): "fine", "/notes/ada/readme.md": "x", "/notes/ada/.appcore-1": "x",
      "/notes/ada/\(UniqueID(2)).x.txt": "x", "/notes/ada/\(UniqueID(2)).01.txt": "x",
      path(3, 1): String(repeating: "x", count: Note.limit + 1),
      path(5, 1) + "/inside": "x",
    ])
    try await files.write([0x66, 0xff], to: path(4, 1))
    try await with(files) {
      let listing = try await folder.notes(of: "ada", matching: "")
      #expect(listing.notes == [summary(1, "fine")])
      #expect(
        listing.problems == [
          "'\(path(3, 1))' has 1048577 bytes; a note has at most 1048576",
          "'\(path(4, 1))' is not UTF-8 text",
          "'\(path(5, 1))' is not a regular file",
        ])
    }
  }

  @Test("A text that is too long is refused before anything is written")
  func tooLong() async throws {
    let files = files([path(1, 1): "fine"])
    try await with(files) {
      let text = String(repeating: "x", count: Note.limit + 1)
      await #expect(throws: NoteError.tooLong(bytes: Note.limit + 1)) {
        try await folder.save(text, over: file(1, 1), of: "ada")
      }
      let left = try await names(files)
      #expect(left == [file(1, 1).name])
    }
  }

  @Test("The home folder is that of the environment, and has to be known")
  func home() async throws {
    let folder = NoteFolder(path: "~/notes")
    let home = withDependencies {
      $0.environment = ["HOME": "/home/ada"]
    } operation: {
      try? folder.folder(of: "ada")
    }
    #expect(home == "/home/ada/notes/ada")
    withDependencies {
      $0.environment = [:]
    } operation: {
      #expect(throws: NoteError.noHome(folder: "~/notes")) { try folder.folder(of: "ada") }
      #expect(throws: NoteError.relativeFolder("notes")) {
        try NoteFolder(path: "notes").folder(of: "ada")
      }
    }
  }

  @Test("Every error says what is wrong and what to do")
  func wording() {
    let errors: [NoteError] = [
      .noHome(folder: "~/n"), .relativeFolder("n"), .badUser(""), .badID("x"), .noSuchNote,
      .notAFile("/x"), .tooLong(bytes: 9), .notText("/x"), .changedElsewhere,
      .file(FileError(.create, path: "/x", code: 28)), .file(FileError(.read, path: "/x", code: 5)),
    ]
    #expect(
      errors.map(\.description) == [
        "the notes' folder is '~/n', but HOME is not set; set it, or give the plugin a 'folder' "
          + "that begins with '/'",
        "the notes' folder is 'n'; give the plugin a 'folder' that begins with '/' or '~/'",
        "a user without a name has no folder", "no note is called 'x'",
        "there is no such note, or no longer", "'/x' is not a regular file",
        "it has 9 bytes; a note has at most 1048576. Make two notes of it",
        "'/x' is not UTF-8 text",
        "another window has saved it meanwhile; go back and open it again to see how it is now",
        "can't create '/x': No space left on device; make room on the disk, then try again",
        "can't read '/x': Input/output error",
      ])
  }

  @Test("A configuration that can't be meant is refused")
  func configuration() throws {
    for seconds in [-1, 3601, Double.nan, .infinity] {
      #expect(throws: NotesPlugin.Misconfiguration.self) {
        try NotesPlugin(configuration: .init(saveAfter: seconds))
      }
    }
    #expect(try NotesPlugin(configuration: .init()).saveAfter == .seconds(1))
  }
}
