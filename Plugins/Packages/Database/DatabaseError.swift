/// Why a status file can't be browsed.
struct DatabaseError: Error, Hashable, Sendable {
  /// The cause; lines are counted from 1.
  enum Kind: Hashable, Sendable {
    /// The file does not exist.
    case missing
    /// Opening or reading the file failed with this `errno`.
    case unreadable(errno: Int32)
    /// The path names a directory.
    case directory
    /// The path names a pipe, a socket or a device.
    case notRegular
    /// The file is too large for 32-bit offsets.
    case tooLarge(bytes: Int)
    /// There is a NUL byte on this line.
    case binary(line: Int)
    /// The file does not begin with a package: there is no `Package:` field up to this line.
    case notStatusFile(line: Int)
    /// A line is neither a field, nor a continuation line, nor empty.
    case malformedLine(line: Int, text: String)
    /// The stanza that begins on this line has no `Package:` field, or an empty one.
    case missingPackage(line: Int)
    /// dpkg does not accept the value of a `Package:` field as a name.
    case invalidName(String, line: Int)
    /// A stanza has the same field twice.
    case duplicateField(name: String, line: Int, first: Int)
    /// Two stanzas have the same package name and architecture.
    case duplicatePackage(name: String, line: Int, first: Int)
    /// The task was cancelled.
    case cancelled
  }

  let path: String
  let kind: Kind

  /// The largest file that can be read, in bytes.
  static let largestSize = Int(UInt32.max) - 1
}
