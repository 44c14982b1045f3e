import Foundation
import TestSupport
import Testing

@testable import Packages

@Suite("DatabaseError")
struct DatabaseErrorTests {
  @Test(
    "A malformed file is refused with the line of what is wrong",
    arguments: [
      // A line that is neither field nor continuation.
      (stanza("a") + "Package: b\nno colon\n", .malformedLine(line: 7, text: "no colon")),
      (stanza("a") + " x\n", .malformedLine(line: 6, text: "x")),
      (stanza("a") + "two words: x\n", .malformedLine(line: 6, text: "two words: x")),
      (stanza("a") + ": x\n", .malformedLine(line: 6, text: ": x")),
      // A file whose first stanza is not a package's.
      ("root:x:0:0:root:/root:/bin/sh\n", .notStatusFile(line: 1)),
      ("A: b\nC: d\n\nPackage: a\n", .notStatusFile(line: 1)),
      ("A: b\njust text\n", .notStatusFile(line: 2)), ("#!/bin/sh\n", .notStatusFile(line: 1)),
      // A later stanza without a name.
      ("Package: a\n\nVersion: 1\nX: y\n\nPackage: b\n", .missingPackage(line: 3)),
      ("Package:\nVersion: 1\n", .missingPackage(line: 1)),
      // A field that appears twice, whatever its case.
      ("Package: a\nX-Y: 1\nx-y: 2\n", .duplicateField(name: "x-y", line: 3, first: 2)),
      (
        "Package: a\n\nPackage: b\nPackage: c\n",
        .duplicateField(name: "Package", line: 4, first: 3)
      ),
      ("Package: a\nX: 1\n\nPackage: b\nX: 1\n", nil),
      // The same package and architecture twice, at the first repetition in the file.
      (
        stanza("z") + stanza("a") + stanza("z") + stanza("a"),
        .duplicatePackage(name: "z", line: 11, first: 1)
      ),
      (stanza("a") + stanza("a", architecture: "i386"), nil),
      ("Package: 0ad+x-y_z.1\n", nil),
    ] as [(String, DatabaseError.Kind?)])
  func malformed(text: String, kind: DatabaseError.Kind?) {
    #expect(failure(text) == kind)
  }

  @Test(
    "A package name that dpkg refuses is refused with its line",
    arguments: ["a b", "ä", "-a", "a:amd64", "a,b", ".", "a_b~"])
  func invalidNames(name: String) {
    #expect(failure("Status: x\nPackage: \(name)\nX: y\n") == .invalidName(name, line: 2))
  }

  @Test("NUL bytes are refused with their line")
  func binaryFiles() {
    #expect(failure(Array("Package: a\nX: ".utf8) + [0]) == .binary(line: 2))
    #expect(failure([0x7F, 0x45, 0x4C, 0x46, 0x00]) == .binary(line: 1))
  }

  @Test("Each reason that a file can't be read is named")
  func unreadableFiles() async throws {
    let scratch = try TemporaryFolder()
    let folder = scratch.url.path
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

  @Test("A file beyond the limit is refused before it is read")
  func hugeFiles() async throws {
    let scratch = try TemporaryFolder()
    let path = scratch.url.path + "/huge"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    // Sparse: it has the size, and takes no room.
    let size = DatabaseError.largestSize + 1
    #expect(truncate(path, size) == 0)
    await #expect(throws: DatabaseError(path: path, kind: .tooLarge(bytes: size))) {
      try await PackageDatabase.load(path: path)
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
