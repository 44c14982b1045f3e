internal import Glibc

extension DatabaseError: CustomStringConvertible {
  /// The line with the error, counted from 1; `nil` if the error is not in a line.
  var line: Int? {
    switch kind {
    case .binary(let line), .notStatusFile(let line), .missingPackage(let line),
      .malformedLine(let line, _), .invalidName(_, let line), .duplicateField(_, let line, _),
      .duplicatePackage(_, let line, _):
      line
    case .missing, .unreadable, .directory, .notRegular, .tooLarge, .cancelled:
      nil
    }
  }

  /// The cause, without the path and the line.
  var message: String {
    switch kind {
    case .missing: "no such file"
    case .unreadable(let errno): "can't be read: \(Self.systemMessage(errno))"
    case .directory: "is a directory, not a status file"
    case .notRegular: "is a pipe, a socket or a device, not a status file"
    case .tooLarge(let bytes):
      "the file has \(bytes) bytes; at most \(Self.largestSize) can be read"
    case .binary: "a NUL byte: this is not text"
    case .notStatusFile: "not a dpkg status file: no 'Package:' field in the first stanza"
    case .malformedLine(_, let text):
      "'\(text)' is neither a field ('Name: value') nor a continuation (it begins with no blank)"
    case .missingPackage: "this stanza has no 'Package:' field with a name"
    case .invalidName(let name, _):
      "'\(name)' is not a package name: letters, digits and '-+._' are allowed, the first one a "
        + "letter or a digit"
    case .duplicateField(let name, _, let first):
      "field '\(name)' appears twice in one stanza; first on line \(first)"
    case .duplicatePackage(let name, _, let first):
      "package '\(name)' appears twice in the file; first on line \(first)"
    case .cancelled: "the reading was cancelled"
    }
  }

  /// Advice on how to correct the error.
  var remedy: String {
    switch kind {
    case .missing, .directory, .notRegular, .notStatusFile, .binary:
      "give the path of a dpkg status file; Debian's own is /var/lib/dpkg/status"
    case .unreadable: "check the permissions of the file and of the folders above it"
    case .tooLarge: "split the file between two stanzas"
    case .malformedLine, .missingPackage, .invalidName, .duplicateField, .duplicatePackage:
      "correct that line, or restore the copy that dpkg keeps: /var/lib/dpkg/status-old"
    case .cancelled: "load it again"
    }
  }

  /// The path and line, the cause, and the remedy.
  var description: String {
    let place = line.map { "\(path):\($0)" } ?? path
    return "\(place): \(message); \(remedy)"
  }

  private static func systemMessage(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
        return "error \(code)"
      }
      return String(cString: base)
    }
  }
}
