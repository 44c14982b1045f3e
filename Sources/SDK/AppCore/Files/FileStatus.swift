/// A file's metadata.
public struct FileStatus: Hashable, Sendable {
  /// The kind of a directory entry.
  public enum Kind: Hashable, Sendable {
    /// An ordinary file.
    case file
    case folder
    /// A device, a socket or a pipe: reading it may block forever.
    case other
  }

  /// What it is.
  public let kind: Kind
  /// How many bytes a file has.
  public let size: Int
  /// When its content was changed the last time.
  public let modified: Instant

  /// Creates a status.
  public init(kind: Kind, size: Int, modified: Instant) {
    self.kind = kind
    self.size = size
    self.modified = modified
  }
}
