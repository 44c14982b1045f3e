@_spi(Host) internal import AppCore
internal import Glibc
internal import Support

/// The file system of the machine, by system calls.
///
/// Calls that a signal interrupts are repeated. Each method blocks its thread.
struct MachineFiles: FileSystem.Implementation {
  func read(_ path: String) throws(FileError) -> [UInt8] {
    let file = again { open(path, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { throw FileError(.read, path: path, code: errno) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var status = stat()
    if fstat(file, &status) == 0, status.st_size > 0 { bytes.reserveCapacity(Int(status.st_size)) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = again { Glibc.read(file, &chunk, chunk.count) }
      guard count >= 0 else { throw FileError(.read, path: path, code: errno) }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    // A symbolic link is kept; its target is replaced.
    let target = resolved(path)
    let temporary = try temporaryFile(
      of: bytes, mode: mode(of: target), beside: target, for: FileError(.write, path: path, code: 0)
    )
    guard rename(temporary, target) == 0 else {
      let code = errno
      unlink(temporary)
      throw FileError(.write, path: path, code: code)
    }
    if let code = flush(folder(of: target)) { throw FileError(.write, path: path, code: code) }
  }

  func create(_ bytes: [UInt8], at path: String) throws(FileError) {
    let mode = 0o666 & ~Self.currentMask
    if try createUnnamed(bytes, mode: mode, at: path) { return }
    let temporary = try temporaryFile(
      of: bytes, mode: mode, beside: path, for: FileError(.create, path: path, code: 0))
    defer { unlink(temporary) }
    // Unlike `rename`, both fail if the file exists; not every file system has hard links.
    guard link(temporary, path) == 0 || hasNoLinks(errno) && renameToNew(temporary, path) else {
      throw FileError(.create, path: path, code: errno)
    }
    if let code = flush(folder(of: path)) {
      unlink(path)
      throw FileError(.create, path: path, code: code)
    }
  }

  /// Creates a file that gets its name only when it is complete.
  ///
  /// So nothing is left behind if the process ends before that.
  ///
  /// - Returns: whether the file was created; `false` if the file system can't do it.
  private func createUnnamed(
    _ bytes: [UInt8], mode: mode_t, at path: String
  ) throws(FileError) -> Bool {
    // O_TMPFILE, which Swift does not import.
    let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
    let folder = folder(of: path)
    let file = again { open(folder, O_WRONLY | unnamed | O_CLOEXEC, 0o600) }
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

  /// Renames a file unless a file of the new name exists.
  ///
  /// - Returns: whether it was renamed; if not, `errno` is set.
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

  /// Creates a file with a temporary name in the folder of `path`, flushed to the disk.
  ///
  /// - Returns: its path.
  /// - Throws: an error with the operation and the path of `failure`.
  private func temporaryFile(
    of bytes: [UInt8], mode: mode_t, beside path: String, for failure: FileError
  ) throws(FileError) -> String {
    let folder = folder(of: path)
    var temporary = ""
    var file: Int32
    repeat {
      temporary = "\(folder)/.appcore-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      file = again { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    } while file < 0 && errno == EEXIST
    guard file >= 0 else {
      throw FileError(failure.operation, path: failure.path, code: errno)
    }
    let failed = fill(file, with: bytes, mode: mode)
    let closed = close(file) == 0 ? nil : errno
    if let code = failed ?? closed {
      unlink(temporary)
      throw FileError(failure.operation, path: failure.path, code: code)
    }
    return temporary
  }

  /// Flushes a folder to the disk, so that the names of new files in it survive a power failure.
  ///
  /// - Returns: the error number; `nil` on success.
  private func flush(_ folder: String) -> Int32? {
    let opened = again { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return errno }
    defer { close(opened) }
    // Some file systems can't flush a folder.
    return again({ fsync(opened) }) == 0 || errno == EINVAL ? nil : errno
  }

  /// Writes the bytes of a new file, sets its permissions, and flushes it to the disk.
  ///
  /// - Returns: the error number; `nil` on success.
  private func fill(_ file: Int32, with bytes: [UInt8], mode: mode_t) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        again { Glibc.write(file, buffer.baseAddress.map { $0 + written }, buffer.count - written) }
      }
      guard count > 0 else {
        return count < 0 ? errno : EIO
      }
      written += count
    }
    return fchmod(file, mode) == 0 && again({ fsync(file) }) == 0 ? nil : errno
  }

  /// The permissions of a file, or those of a new one if it does not exist.
  private func mode(of path: String) -> mode_t {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & 0o7777 }
    return 0o666 & ~Self.currentMask
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
        if let code = flush(folder(of: made)), code != EACCES {
          throw FileError(.createDirectory, path: path, code: code)
        }
        continue
      }
      guard errno != EEXIST else { continue }
      let code = errno
      // For a folder that exists, the error may be that its parent is not writable.
      guard isFolder(made) else { throw FileError(.createDirectory, path: path, code: code) }
    }
    guard isFolder(path) else { throw FileError(.createDirectory, path: path, code: EEXIST) }
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

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The path with its symbolic links resolved; the path itself if it can't be resolved.
  private func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Repeats a system call as long as signals interrupt it.
  private func again<Result: FixedWidthInteger & SignedInteger>(
    _ call: () -> Result
  ) -> Result {
    while true {
      let result = call()
      guard result < 0, errno == EINTR else { return result }
    }
  }
}

/// The file with the settings of an app.
enum SettingsFile {
  /// The path of the file: `appcore/<app>.json` in `XDG_CONFIG_HOME`, or in `.config` in `HOME`.
  ///
  /// A variable counts only if it is an absolute path.
  ///
  /// - Parameters:
  ///   - app: the app's name.
  ///   - variable: returns the value of an environment variable.
  /// - Returns: the path; `nil` if neither variable is an absolute path.
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
