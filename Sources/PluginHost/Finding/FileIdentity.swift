internal import Glibc

/// Identifies a file and its current version, for the cost of a `stat`.
public struct FileIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64
  /// In bytes.
  public let size: UInt64
  /// In nanoseconds since 1970.
  public let modified: Int64
  /// When the file's data or attributes last changed, in nanoseconds since 1970; unlike
  /// ``modified`` no program can set it.
  public let changed: Int64

  /// Whether it is the same file with the same size, whatever its times.
  ///
  /// Another process that uses a private copy updates its times.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode && size == other.size
  }
}

extension FileIdentity {
  init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(clamping: status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim))
  }
}
