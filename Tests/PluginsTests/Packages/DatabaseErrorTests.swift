import Foundation
import Testing

@testable import Packages

@Suite("DatabaseError")
struct DatabaseErrorTests {
  @Test("A line that is neither field nor continuation is refused with its number")
  func malformedLines() {
    let good = stanza("a")
    #expect(failure(good + "Package: b\nno colon\n") == .malformedLine(line: 7, text: "no colon"))
    #expect(failure(good + " x\n") == .malformedLine(line: 6, text: "x"))
    #expect(failure(good + "two words: x\n") == .malformedLine(line: 6, text: "two words: x"))
    #expect(failure(good + ": x\n") == .malformedLine(line: 6, text: ": x"))
  }

  @Test("A file whose first stanza is not a package's is not a status file")
  func otherFiles() {
    #expect(failure("root:x:0:0:root:/root:/bin/sh\n") == .notStatusFile(line: 1))
    #expect(failure("A: b\nC: d\n\nPackage: a\n") == .notStatusFile(line: 1))
    #expect(failure("A: b\njust text\n") == .notStatusFile(line: 2))
    #expect(failure("#!/bin/sh\n") == .notStatusFile(line: 1))
  }

  @Test("A later stanza without a name is refused with its first line")
  func missingPackage() {
    #expect(failure("Package: a\n\nVersion: 1\nX: y\n\nPackage: b\n") == .missingPackage(line: 3))
    #expect(failure("Package:\nVersion: 1\n") == .missingPackage(line: 1))
  }

  @Test("A field that appears twice is refused with both lines, whatever its case")
  func duplicateFields() {
    #expect(
      failure("Package: a\nX-Y: 1\nx-y: 2\n") == .duplicateField(name: "x-y", line: 3, first: 2))
    #expect(
      failure("Package: a\n\nPackage: b\nPackage: c\n")
        == .duplicateField(name: "Package", line: 4, first: 3))
    #expect(failure("Package: a\nX: 1\n\nPackage: b\nX: 1\n") == nil)
  }

  @Test("The same package and architecture twice is refused at the first repetition in the file")
  func duplicatePackages() {
    let text = stanza("z") + stanza("a") + stanza("z") + stanza("a")
    #expect(failure(text) == .duplicatePackage(name: "z", line: 11, first: 1))
    #expect(failure(stanza("a") + stanza("a", architecture: "i386")) == nil)
  }

  @Test("A package name that dpkg refuses is refused with its line")
  func invalidNames() {
    for name in ["a b", "ä", "-a", "a:amd64", "a,b", ".", "a_b~"] {
      let text = "Status: x\nPackage: \(name)\nX: y\n"
      #expect(failure(text) == .invalidName(name, line: 2))
    }
    #expect(failure("Package: 0ad+x-y_z.1\n") == nil)
  }

  @Test("NUL bytes are refused with their line")
  func binaryFiles() {
    #expect(failure(Array("Package: a\nX: ".utf8) + [0]) == .binary(line: 2))
    #expect(failure([0x7F, 0x45, 0x4C, 0x46, 0x00]) == .binary(line: 1))
  }

  @Test("Each reason that a file can't be read is named")
  func unreadableFiles() async throws {
    try await withFolder { folder in
      let pipe = folder + "/pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let expected: [(String, DatabaseError.Kind)] = [
        (folder + "/none", .missing), (systemStatus + "/x", .missing), (folder, .directory),
        (pipe, .notRegular), ("/dev/null", .notRegular), ("", .missing),
        (folder + "/" + String(repeating: "x", count: 300), .unreadable(errno: ENAMETOOLONG)),
      ]
      for (path, kind) in expected {
        await #expect(throws: DatabaseError(path: path, kind: kind)) {
          try await PackageDatabase.load(path: path)
        }
      }
    }
  }

  @Test("A file beyond the limit is refused before it is read")
  func hugeFiles() async throws {
    try await withFolder { folder in
      let path = folder + "/huge"
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      // Sparse: it has the size, and takes no room.
      let size = DatabaseError.largestSize + 1
      #expect(truncate(path, size) == 0)
      await #expect(throws: DatabaseError(path: path, kind: .tooLarge(bytes: size))) {
        try await PackageDatabase.load(path: path)
      }
    }
  }

  @Test("A message tells the place, the fault and the remedy")
  func wording() {
    let malformed = DatabaseError(path: "/s", kind: .malformedLine(line: 7, text: "no colon"))
    #expect(
      malformed.description == """
        /s:7: 'no colon' is neither a field ('Name: value') nor a continuation (it begins with no \
        blank); correct that line, or restore the copy that dpkg keeps: /var/lib/dpkg/status-old
        """)
    let missing = DatabaseError(path: "/s", kind: .missing)
    #expect(
      missing.description == """
        /s: no such file; give the path of a dpkg status file; Debian's own is /var/lib/dpkg/status
        """)
    let denied = DatabaseError(path: "/s", kind: .unreadable(errno: EACCES))
    #expect(denied.message == "can't be read: Permission denied")
  }
}
