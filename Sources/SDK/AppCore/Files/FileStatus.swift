/// A file's metadata.
public struct FileStatus: Hashable, Sendable {
  /// The kind of a directory entry.
  public enum Kind: Hashable, Sendable {
    /// An ordinary file.
    case file
    case folder
    /// A device, a socket or a pipe; reading it may block forever.
    case other
  }

  /// The kind of the entry.
  public let kind: Kind
  /// The size of a file in bytes.
  public let size: Int
  /// The time of the last modification.
  public let modified: Instant

  /// Creates a status.
  public init(kind: Kind, size: Int, modified: Instant) {
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}
