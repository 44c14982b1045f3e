internal import Glibc

/// What a path leads to that is not a regular file.
public enum FileKind: String, Hashable, Sendable {
  case directory = "a directory"
  case pipe = "a named pipe"
  case socket = "a socket"
  case characterDevice = "a character device"
  case blockDevice = "a block device"
  case other = "not a regular file"

  /// `nil` for a regular file.
  init?(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    case S_IFCHR: self = .characterDevice
    case S_IFBLK: self = .blockDevice
    default: self = .other
    }
  }
}
