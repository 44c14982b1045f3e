internal import Glibc
internal import Support

/// Reads a regular file whole, and says precisely why it can't.
struct FileReader {
  let path: String
  let sizeLimit: UInt64
  var trust = FileTrust.all
  /// Called after the first block is read and before the rest; a test changes the file here.
  var onFirstBytes: () -> Void = {}

  private func problem(_ cause: Rejection) -> PluginError {
    PluginError(.read, path: path, cause)
  }

  /// Reads an ELF file.
  ///
  /// The magic number is checked before the rest is read: a huge text file is rejected at once.
  ///
  /// - Returns: the bytes, which the caller must deallocate, the identity of the file, and whether
  ///   the file is safe from other users.
  func read() throws(PluginError) -> (
    UnsafeMutableRawBufferPointer, FileIdentity, isGuarded: Bool
  ) {
    try read(magic: true)
  }

  /// Reads a regular file of any kind; the caller must deallocate the bytes.
  func readAny() throws(PluginError) -> (UnsafeMutableRawBufferPointer, FileIdentity) {
    let (buffer, identity, _) = try read(magic: false)
    return (buffer, identity)
  }

  private func read(
    magic: Bool
  ) throws(PluginError) -> (UnsafeMutableRawBufferPointer, FileIdentity, isGuarded: Bool) {
    if path.utf8.contains(0) { throw problem(.invalidName(path)) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw missing(error: errno) }
    // Before the file is opened: to open a device can have effects.
    if let kind = FileKind(status) {
      throw problem(Rejection(.pluginNotAFile, "this is \(kind.rawValue)"))
    }

    // O_NONBLOCK: by now the path may lead to a pipe that nobody writes to.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw missing(error: errno) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    if let kind = FileKind(status) {
      throw problem(Rejection(.pluginNotAFile, "this is \(kind.rawValue)"))
    }
    // Of the file that is open: the path may lead elsewhere by now.
    let violation = FileTrust.violation(of: status)
    if let violation, !trust.allowsAll { throw problem(.writable(path: path, violation)) }
    let identity = FileIdentity(status)
    guard identity.size > 0 else {
      throw problem(Rejection(.pluginEmpty, "the file is empty"))
    }
    guard identity.size <= sizeLimit else {
      throw problem(
        Rejection(
          .pluginTooLarge, "the file has \(identity.size) bytes, and \(sizeLimit) is the limit"))
    }

    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(identity.size), alignment: 16)
    do throws(PluginError) {
      try fill(buffer, from: descriptor, magic: magic)
      guard fstat(descriptor, &status) == 0, Self.isUnchanged(status, identity) else {
        throw problem(changedWhileRead)
      }
    } catch {
      buffer.deallocate()
      throw error
    }
    return (buffer, identity, violation == nil)
  }

  /// Whether the file stayed the same while it was read.
  ///
  /// A file that was replaced by a rename meanwhile has a new change time, but the same bytes.
  private static func isUnchanged(_ status: stat, _ identity: FileIdentity) -> Bool {
    let now = FileIdentity(status)
    if now == identity { return true }
    return status.st_nlink == 0 && now.size == identity.size && now.modified == identity.modified
  }

  private func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, magic: Bool
  ) throws(PluginError) {
    var position = 0
    while position < buffer.count {
      let wanted = position == 0 ? min(4096, buffer.count) : buffer.count - position
      guard let base = buffer.baseAddress else { return }
      let count = Descriptor.uninterrupted {
        pread(descriptor, base + position, wanted, off_t(position))
      }
      guard count >= 0 else { throw unreadable(errno) }
      guard count > 0 else { throw problem(changedWhileRead) }
      if position == 0, magic {
        let first = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        do throws(Rejection) { try ELFHeader.requireMagic(first) } catch { throw problem(error) }
      }
      if position == 0 { onFirstBytes() }
      position += count
    }
  }

  private var changedWhileRead: Rejection {
    Rejection(
      .pluginChanged, "the file changed while it was read",
      remedy: "wait until the build has ended, and try again")
  }

  private func unreadable(_ error: Int32) -> PluginError {
    problem(Rejection(.pluginUnreadable, "the system refuses: \(errorText(error))"))
  }

  private func missing(error: Int32) -> PluginError {
    switch error {
    case ELOOP: problem(Rejection(.pluginBrokenLink, "this link leads back to itself"))
    case ENOENT, ENOTDIR:
      if let target = FilePath.linkTarget(path) {
        problem(
          Rejection(
            .pluginBrokenLink, "this is a link to '\(target)', which does not exist"))
      } else {
        PluginError(.found, path: path, .notFound(error: error))
      }
    default: unreadable(error)
    }
  }
}

/// The kind of a file that is not a regular one.
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
