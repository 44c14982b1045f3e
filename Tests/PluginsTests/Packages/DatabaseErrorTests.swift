import Foundation
import TestSupport
import Testing

@testable import Packages

@Suite("DatabaseError")
struct DatabaseErrorTests {
  @Test("A malformed file is refused with the place, the fault and the remedy")
  func malformed() throws {
    try expectTable("damaged-databases") { text in
      do throws(DatabaseError) {
        _ = try database(text)
        return "right"
      } catch { return error.description }
    }
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

  @Test("A message tells what the system says, and the remedy")
  func wording() {
    let missing = DatabaseError(path: "/s", kind: .missing)
    #expect(
      missing.description == """
        /s: no such file; give the path of a dpkg status file; Debian's own is /var/lib/dpkg/status
        """)
    let denied = DatabaseError(path: "/s", kind: .unreadable(errno: EACCES))
    #expect(denied.message == "can't be read: Permission denied")
  }
}
