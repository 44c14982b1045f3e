/// Why a status file can't be browsed.
struct DatabaseError: Error, Hashable, Sendable {
  /// What is wrong; lines are counted from 1.
  enum Kind: Hashable, Sendable {
    /// There is no such file.
    case missing
    /// The system refused to open or to read it, with this `errno`.
    case unreadable(errno: Int32)
    /// The path names a directory.
    case directory
    /// The path names a pipe, a socket or a device.
    case notRegular
    /// The file has more bytes than offsets of 32 bits can count.
    case tooLarge(bytes: Int)
    /// There is a NUL byte on this line.
    case binary(line: Int)
    /// The first stanza is not a package's: nothing up to this line is a `Package:` field.
    case notStatusFile(line: Int)
    /// A line is neither a field, nor the continuation of one, nor empty.
    case malformedLine(line: Int, text: String)
    /// The stanza that begins on this line has no `Package:` field, or an empty one.
    case missingPackage(line: Int)
    /// The value of a `Package:` field is none that dpkg takes.
    case invalidName(String, line: Int)
    /// A stanza has the same field twice.
    case duplicateField(name: String, line: Int, first: Int)
    /// Two stanzas are of the same package and architecture.
    case duplicatePackage(name: String, line: Int, first: Int)
    /// The task was cancelled.
    case cancelled
  }

  let path: String
  let kind: Kind

  /// The largest file that can be read, in bytes.
  static let largestSize = Int(UInt32.max) - 1
}
