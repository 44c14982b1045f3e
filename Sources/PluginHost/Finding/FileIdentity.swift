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

  init(device: UInt64, inode: UInt64, size: UInt64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }

  /// Whether it is the same file with the same size, whatever its times.
  ///
  /// Another process that uses a private copy updates its times.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode && size == other.size
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(clamping: status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }
}
