import AppCore
import Synchronization
import Testing

@testable import Notes

/// Moments, one second apart.
final class CallCounter: Sendable {
  private let seconds = Mutex(0)
  func next() -> Instant {
    seconds.withLock {
      $0 += 1
      return Instant(secondsSinceEpoch: $0)
    }
  }
}

@Suite("The names of users, files and notes")
struct NoteNameTests {
  @Test("No user's folder is outside the notes' folder, and no two users share one")
  func users() throws {
    let names = [
      "ada": "ada", "Ada Lovelace": "Ada Lovelace", "..": "%2E.", ".": "%2E",
      ".hidden": "%2Ehidden",
      "a/../../etc": "a%2F..%2F..%2Fetc", "a%2Fb": "a%252Fb", "a/b": "a%2Fb", "a\nb": "a%0Ab",
      "a\u{0}": "a%00", "žofie": "žofie", "a.b": "a.b",
    ]
    for (user, name) in names { #expect(try UserFolder(user: user).name == name) }
    #expect(throws: NoteError.badUser("")) { try UserFolder(user: "") }
    let long = String(repeating: "/", count: 100)
    #expect(throws: NoteError.badUser(long)) { try UserFolder(user: long) }
  }

  @Test("A file's name is read back as it is written, and no other way")
  func files() {
    let file = NoteFile(id: UniqueID(3), version: 12)
    #expect(file.name == "00000000-0000-0000-0000-000000000003.12.txt")
    #expect(NoteFile(name: file.name) == file)
    let id = "00000000-0000-0000-0000-00000000000a"
    for name in [
      "\(id).0.txt", "\(id).-1.txt", "\(id).+1.txt", "\(id).01.txt", "\(id).1.md", "\(id).1",
      "\(id.uppercased()).1.txt", "x.1.txt", "\(id).99999999999999999999.txt", ".txt", "",
      "\(id).1.txt.bak",
    ] {
      #expect(NoteFile(name: name) == nil, "\(name)")
    }
    #expect(NoteFile(id: UniqueID(1), version: .max).next == nil)
  }

  @Test("A note is called by its first line that is not blank")
  func titles() {
    for (text, title) in [
      ("", "(empty)"), ("\n  \n", "(empty)"), ("\n  Milk \r\neggs", "Milk"), ("one", "one"),
      (String(repeating: "x", count: 61), String(repeating: "x", count: 59) + "…"),
      (String(repeating: "x", count: 60), String(repeating: "x", count: 60)),
    ] {
      #expect(Note.title(of: text) == title)
    }
  }

  @Test("A copy is marked in its title")
  func copies() {
    #expect(Note.markedAsCopy("Milk\neggs") == "Milk (other copy)\neggs")
    #expect(Note.markedAsCopy("\n\nMilk") == "\n\nMilk (other copy)")
    #expect(Note.title(of: Note.markedAsCopy("Milk")) == "Milk (other copy)")
    #expect(Note.markedAsCopy("") == " (other copy)")
  }
}
