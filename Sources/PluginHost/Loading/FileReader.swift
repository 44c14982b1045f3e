internal import Glibc
internal import Support

/// Reads an ELF file whole, and says precisely why it can't.
struct FileReader {
  let path: String
  var trust = FileTrust.all
  /// Called after the first block is read and before the rest; a test changes the file here.
  var onFirstBytes: () -> Void = {}

  private func problem(_ cause: Rejection) -> PluginError {
    PluginError(.read, path: path, cause)
  }

  /// Reads the file.
  ///
  /// The magic number is checked before the rest is read: a huge text file is rejected at once.
  ///
  /// - Returns: the bytes, which the caller must deallocate, the identity of the file, and whether
  ///   the file is safe from other users.
  func read() throws(PluginError) -> (
    UnsafeMutableRawBufferPointer, FileIdentity, isGuarded: Bool
  ) {
    if path.utf8.contains(0) { throw problem(.invalidName(path)) }
    guard let found = FilePath.status(path) else { throw missing(error: errno) }
    // Before the file is opened: to open a device can have effects.
    try requireFile(found)
    // O_NONBLOCK: by now the path may lead to a pipe that nobody writes to.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw missing(error: errno) }
    defer { close(descriptor) }
    guard let status = Descriptor.status(descriptor) else { throw unreadable(errno) }
    try requireFile(status)
    // Of the file that is open: the path may lead elsewhere by now.
    let violation = FileTrust.violation(of: status, at: path)
    if let violation, !trust.allowsAll { throw problem(violation) }
    let identity = FileIdentity(status)
    guard identity.size > 0 else {
      throw problem(Rejection(.pluginEmpty, "the file is empty"))
    }
    let limit = PluginFile.sizeLimit
    guard identity.size <= limit else {
      throw problem(
        Rejection(
          .pluginTooLarge, "the file has \(identity.size) bytes, and \(limit) is the limit"))
    }

    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(identity.size), alignment: 16)
    do throws(PluginError) {
      try fill(buffer, from: descriptor)
      guard let now = Descriptor.status(descriptor), Self.isUnchanged(now, identity) else {
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
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32
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
      if position == 0 {
        let first = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        do throws(Rejection) { try ELFFile.requireMagic(first) } catch { throw problem(error) }
        onFirstBytes()
      }
      position += count
    }
  }

  private func requireFile(_ status: stat) throws(PluginError) {
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: "a directory"
      case S_IFIFO: "a named pipe"
      case S_IFSOCK: "a socket"
      case S_IFCHR: "a character device"
      case S_IFBLK: "a block device"
      default: "not a regular file"
      }
    guard status.isRegular else { throw problem(Rejection(.pluginNotAFile, "this is \(kind)")) }
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
