internal import Glibc
internal import Support

/// Why a socket can't be opened at a path, or connected to.
package struct SocketError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// The file of a Unix socket.
///
/// It is reached through a descriptor of its folder, so that only the length of its name is limited.
package final class SocketPath {
  /// The longest name of a file that fits the 108 bytes of an address behind `/proc/self/fd/N/`, in
  /// bytes.
  private static let nameLimit = 80
  private let folder: Int32
  private let name: String

  /// Opens the folder of a path.
  package init(_ path: String) throws(SocketError) {
    name = FilePath.name(of: path)
    let parent = FilePath.folder(of: path)
    folder = Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let reason = errno
    guard !["", ".", ".."].contains(name), !path.utf8.contains(0) else {
      throw SocketError("it is not the path of a file")
    }
    guard name.utf8.count <= Self.nameLimit else {
      throw SocketError(
        "its name has \(name.utf8.count) bytes, and \(Self.nameLimit) are allowed; choose a shorter one"
      )
    }
    guard folder >= 0 else {
      throw SocketError("'\(parent)': \(SystemError(reason)); name a folder that exists")
    }
  }

  deinit { if folder >= 0 { _ = Glibc.close(folder) } }

  /// Opens a socket that only this user can connect to, in place of one that nobody listens at.
  func listen() throws(SocketError) -> Int32 {
    // Two processes that start at once must not take each other's socket for an abandoned one. Anybody
    // may hold the lock in a folder of others, so it is not waited for long.
    _ = Descriptor.lock(folder, tries: 50)
    defer { _ = flock(folder, LOCK_UN) }
    if let status {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw SocketError("it exists and is not a socket; remove it, or name another path")
      }
      let (other, reason) = open(connecting: true)
      if other >= 0 { _ = Glibc.close(other) }
      switch reason {
      case ECONNREFUSED: _ = unlinkat(folder, name, 0)
      case 0, EAGAIN: throw SocketError("a running app listens there; end it, or name another path")
      default: throw SocketError("\(SystemError(reason)); remove it, or name another path")
      }
    }
    // With its mode from the beginning, so that nobody connects before it has it.
    let mask = umask(0o177)
    let (listener, reason) = open(connecting: false)
    umask(mask)
    guard listener >= 0 else { throw SocketError("\(SystemError(reason))") }
    guard Glibc.listen(listener, 128) == 0, fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else {
      let reason = errno
      _ = Glibc.close(listener)
      throw SocketError("\(SystemError(reason))")
    }
    return listener
  }

  /// Connects to the process that listens, which is given some seconds to accept that.
  package func connect() throws(SocketError) -> Int32 {
    let (descriptor, reason) = open(connecting: true)
    if descriptor >= 0 { return descriptor }
    switch reason {
    case ECONNREFUSED, ENOENT:
      throw SocketError("no app listens there; start one with 'appcore run --socket PATH'")
    case EAGAIN: throw SocketError("the app there is stopped, or has too many clients")
    default: throw SocketError("\(SystemError(reason))")
    }
  }

  /// The inode of the file; `nil` if it is gone.
  var inode: ino_t? { status?.st_ino }

  func remove() { _ = unlinkat(folder, name, 0) }

  private var status: stat? {
    var status = stat()
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// A socket that is bound or connected; -1 and the error number if there can be none.
  private func open(connecting: Bool) -> (descriptor: Int32, error: Int32) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return (-1, errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // How long to wait for a process that is stopped while others wait for it, too.
    var patience = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) {
      $0.copyBytes(from: "/proc/self/fd/\(folder)/\(name)".utf8)
    }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return connecting
          ? Glibc.connect(descriptor, pointer, size) : bind(descriptor, pointer, size)
      }
    }
    guard status != 0 else { return (descriptor, 0) }
    let reason = errno
    _ = Glibc.close(descriptor)
    return (-1, reason)
  }
}
