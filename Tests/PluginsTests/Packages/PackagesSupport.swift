import Foundation
import Synchronization

@testable import Packages

/// The machine's own status file.
let systemStatus = "/var/lib/dpkg/status"
let hasDpkg = FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query")

let python = "/usr/bin/python3"
let hasPython = FileManager.default.isExecutableFile(atPath: python)

/// Parses a text as a status file.
func database(_ text: String) throws(DatabaseError) -> PackageDatabase {
  try PackageDatabase(parsing: Array(text.utf8), path: "status")
}

/// What parsing a text fails with.
func failure(_ bytes: [UInt8]) -> DatabaseError.Kind? {
  do throws(DatabaseError) {
    _ = try PackageDatabase(parsing: bytes, path: "status")
    return nil
  } catch {
    return error.kind
  }
}

func failure(_ text: String) -> DatabaseError.Kind? { failure(Array(text.utf8)) }

/// A stanza of an installed package, with further lines.
func stanza(
  _ name: String, version: String = "1.0", architecture: String = "amd64",
  status: String = "install ok installed", _ lines: String...
) -> String {
  let head = """
    Package: \(name)
    Status: \(status)
    Architecture: \(architecture)
    Version: \(version)
    """
  return ([head] + lines).joined(separator: "\n") + "\n\n"
}

/// Keeps what a loader reports, from whichever thread.
final class ProgressRecorder: Sendable {
  private let all = Mutex<[LoadProgress]>([])

  var steps: [LoadProgress] { all.withLock { $0 } }

  func append(_ step: LoadProgress) { all.withLock { $0.append(step) } }
}
