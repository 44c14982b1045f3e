@_spi(Host) internal import AppCore
internal import Glibc
internal import Support

/// The file system of the machine, by system calls.
///
/// Calls that a signal interrupts are repeated. Each method blocks its thread.
struct MachineFiles: FileSystem.Implementation {
  func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = Descriptor.uninterrupted { open(path, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { throw FileError(.read, path: path, code: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(file, &status) == 0, status.st_size > 0 { bytes.reserveCapacity(Int(status.st_size)) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Descriptor.uninterrupted { Glibc.read(file, &chunk, chunk.count) }
      guard count >= 0 else { throw FileError(.read, path: path, code: errno) }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let mode = UInt32(0o666 & ~Self.currentMask)
    do throws(SystemError) {
      try FileReplacement.write(bytes, to: path, newMode: mode)
    } catch {
      throw FileError(.write, path: path, code: error.code)
    }
    // Beside the target, if the path is a link to it.
    let target = FilePath.resolved(path) ?? path
    if let code = flush(FilePath.folder(of: target)) {
      throw FileError(.write, path: path, code: code)
    }
  }

  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    let mode = 0o666 & ~Self.currentMask
    if try createUnnamed(bytes, mode: mode, at: path) { return }
    let temporary = try temporaryFile(of: bytes, mode: mode, beside: path)
    defer { unlink(temporary) }
    // Unlike `rename`, both fail if the file exists; not every file system has hard links.
    guard link(temporary, path) == 0 || hasNoLinks(errno) && renameToNew(temporary, path) else {
      throw FileError(.create, path: path, code: errno)
    }
    if let code = flush(FilePath.folder(of: path)) {
      unlink(path)
      throw FileError(.create, path: path, code: code)
    }
  }

  /// Creates a file that gets its name only when it is complete, so that nothing is left behind if
  /// the process ends before that; returns `false` if the file system can't do it.
  private func createUnnamed(
    _ bytes: [UInt8], mode: mode_t, at path: String
  ) throws(FileError) -> Bool {
    // O_TMPFILE, which Swift does not import.
    let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
    let folder = FilePath.folder(of: path)
    let file = Descriptor.uninterrupted { open(folder, O_WRONLY | unnamed | O_CLOEXEC, 0o600) }
    guard file >= 0 else { return false }
    defer { close(file) }
    if let code = fill(file, with: bytes, mode: mode) {
      throw FileError(.create, path: path, code: code)
    }
    guard
      linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    else {
      // There may be no /proc, and no hard links.
      if errno == ENOENT || hasNoLinks(errno) { return false }
      throw FileError(.create, path: path, code: errno)
    }
    if let code = flush(folder) {
      unlink(path)
      throw FileError(.create, path: path, code: code)
    }
    return true
  }

  /// Whether an error of `link` may mean that the file system has no hard links.
  private func hasNoLinks(_ code: Int32) -> Bool {
    [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(code)
  }

  /// Renames a file unless a file of the new name exists; returns `false` and sets `errno` if it
  /// was not renamed.
  private func renameToNew(_ old: String, _ new: String) -> Bool {
    typealias Rename =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    // Swift's Glibc module does not declare it.
    guard let function = dlsym(nil, "renameat2") else {
      errno = ENOSYS
      return false
    }
    // RENAME_NOREPLACE
    return unsafeBitCast(function, to: Rename.self)(AT_FDCWD, old, AT_FDCWD, new, 1) == 0
  }

  /// Creates a file with a temporary name in the folder of `path`, flushed to the disk, and returns
  /// its path.
  private func temporaryFile(
    of bytes: [UInt8], mode: mode_t, beside path: String
  ) throws(FileError) -> String {
    let folder = FilePath.folder(of: path)
    var temporary = ""
    var file: Int32
    repeat {
      temporary = "\(folder)/.appcore-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      file = Descriptor.uninterrupted {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      }
    } while file < 0 && errno == EEXIST
    guard file >= 0 else { throw FileError(.create, path: path, code: errno) }
    let failed = fill(file, with: bytes, mode: mode)
    let closed = close(file) == 0 ? nil : errno
    if let code = failed ?? closed {
      unlink(temporary)
      throw FileError(.create, path: path, code: code)
    }
    return temporary
  }

  /// Flushes a folder to the disk, so that the names of new files in it survive a power failure;
  /// returns the error number, `nil` on success.
  private func flush(_ folder: String) -> Int32? {
    let opened = Descriptor.uninterrupted { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return errno }
    defer { close(opened) }
    // Some file systems can't flush a folder.
    return Descriptor.uninterrupted({ fsync(opened) }) == 0 || errno == EINVAL ? nil : errno
  }

  /// Writes the bytes of a new file, sets its permissions, and flushes it to the disk; returns the
  /// error number, `nil` on success.
  private func fill(_ file: Int32, with bytes: [UInt8], mode: mode_t) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Descriptor.uninterrupted {
          Glibc.write(file, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        }
      }
      guard count > 0 else {
        return count < 0 ? errno : EIO
      }
      written += count
    }
    return fchmod(file, mode) == 0 && Descriptor.uninterrupted({ fsync(file) }) == 0 ? nil : errno
  }

  /// The process's `umask`, read only once, because reading it changes it for a moment.
  private static let currentMask: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  func list(_ path: String) throws(FileError) -> [String] {
    guard let folder = opendir(path) else { throw FileError(.list, path: path, code: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        guard errno == 0 else { throw FileError(.list, path: path, code: errno) }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  func remove(_ path: String) throws(FileError) {
    guard Glibc.remove(path) == 0 else { throw FileError(.remove, path: path, code: errno) }
  }

  func createDirectory(_ path: String) throws(FileError) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, 0o777) == 0 {
        // Files in a new folder survive a power failure only if its own name does. Flushing needs
        // the permission to read the parent folder; without that it is skipped.
        if let code = flush(FilePath.folder(of: made)), code != EACCES {
          throw FileError(.createDirectory, path: path, code: code)
        }
        continue
      }
      guard errno != EEXIST else { continue }
      let code = errno
      // For a folder that exists, the error may be that its parent is not writable.
      guard FilePath.isFolder(made) else {
        throw FileError(.createDirectory, path: path, code: code)
      }
    }
    guard FilePath.isFolder(path) else {
      throw FileError(.createDirectory, path: path, code: EEXIST)
    }
  }

  func exists(_ path: String) throws(FileError) -> Bool {
    var status = stat()
    guard lstat(path, &status) != 0 else { return true }
    let error = FileError(.stat, path: path, code: errno)
    guard error.isNotFound else { throw error }
    return false
  }

  func status(of path: String) throws(FileError) -> FileStatus {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileError(.stat, path: path, code: errno) }
    let kind: FileStatus.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
    let modified = status.st_mtim
    return FileStatus(
      kind: kind, size: Int(status.st_size),
      modified: Instant(
        sinceEpoch: .seconds(modified.tv_sec) + .nanoseconds(modified.tv_nsec)))
  }

  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? { FileWatches.shared?.watch(path, didChange) }

}

/// The file with the settings of an app.
enum SettingsFile {
  /// The path of the file: `appcore/<app>.json` in `XDG_CONFIG_HOME`, or in `.config` in `HOME`.
  ///
  /// A variable counts only if it is an absolute path; `nil` if neither is.
  static func path(app: String, _ variable: (String) -> String?) -> String? {
    let folder: String
    if let config = variable("XDG_CONFIG_HOME"), config.hasPrefix("/") {
      folder = config
    } else if let home = variable("HOME"), home.hasPrefix("/") {
      folder = home + "/.config"
    } else {
      return nil
    }
    let name = String(app.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" }.prefix(60))
    return "\(folder)/appcore/\(name).json"
  }
}
