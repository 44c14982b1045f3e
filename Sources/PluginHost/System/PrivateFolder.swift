internal import Glibc
internal import Support

/// A folder that only this user can enter, held by its descriptor; files appear in it complete or
/// not at all.
///
/// Nobody else can put another folder in its place: see ``TrustedPath``.
package final class PrivateFolder: Sendable {
  /// The path by which it was opened.
  let path: String
  private let folder: OpenFile

  private var descriptor: Int32 { folder.number }

  /// Opens a folder; it and its parents are created if they are missing.
  ///
  /// The result is `nil` if the folder can't be made private and writable, or if others could
  /// replace it.
  ///
  /// - Parameter path: an absolute path.
  package convenience init?(_ path: String) {
    guard let folder = try? TrustedPath.open(path, isCreating: true) else { return nil }
    self.init(folder, path)
  }

  private init?(_ folder: OpenFile, _ path: String) {
    guard let status = folder.status, status.st_uid == geteuid() else { return nil }
    if status.st_mode & 0o077 != 0, fchmod(folder.number, 0o700) != 0 { return nil }
    guard faccessat(folder.number, ".", W_OK | X_OK, 0) == 0 else { return nil }
    self.folder = folder
    self.path = path
  }

  /// Creates a folder with an unpredictable name; `nil`, with `errno` set, if that fails.
  static func temporary(in parent: String, prefix: String) -> PrivateFolder? {
    let outer: OpenFile
    do throws(TrustedPath.Failure) {
      outer = try TrustedPath.open(parent, isCreating: false)
    } catch {
      if case .system(let error) = error { errno = error } else { errno = EACCES }
      return nil
    }
    for _ in 0..<16 {
      let name = prefix + ContentDigest.text(.random(in: 0 ... .max))
      if mkdirat(outer.number, name, 0o700) == 0 {
        return PrivateFolder("\(parent)/\(name)")
      }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// The path of `appcore` in the user's cache; `nil` if neither `XDG_CACHE_HOME` nor `HOME` is an
  /// absolute path.
  package static func cache(_ environment: [String: String]) -> String? {
    func absolute(_ path: String?) -> String? {
      path.flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
    }
    let base = absolute(environment["XDG_CACHE_HOME"])
    return (base ?? absolute(environment["HOME"]).map { $0 + "/.cache" }).map { $0 + "/appcore" }
  }

  /// The bytes of a file; `nil` where there is none that is this user's, or it is larger than a limit.
  package func bytes(of name: String, limit: Int) -> [UInt8]? {
    guard let file = open(name), let bytes = try? WholeFile.read(file.number, limit: limit) else {
      return nil
    }
    return bytes.count <= limit ? bytes : nil
  }

  /// Puts a file that only this user can read in the place of one that may be there; where that is
  /// refused, nothing changes.
  package func replace(_ name: String, with bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      _ = try? write(bytes, to: name, mode: 0o600)
    }
  }

  /// Whether code can be run from here: `false` on a file system that is mounted `noexec`.
  var runsCode: Bool {
    // ST_NOEXEC, one of GNU's extensions.
    let noExecution: UInt = 8
    var status = statvfs()
    return fstatvfs(descriptor, &status) != 0 || UInt(status.f_flag) & noExecution == 0
  }

  /// The path of an entry.
  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Opens a folder in this one, and creates it if it is missing; `isNew` is `true` if it was
  /// created.
  func folder(_ name: String) throws(Rejection) -> (PrivateFolder, isNew: Bool) {
    let isNew = mkdirat(descriptor, name, 0o700) == 0
    var error = isNew || errno == EEXIST ? 0 : errno
    if error == 0 {
      let number = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if number < 0 {
        error = errno
      } else if let folder = PrivateFolder(OpenFile(number), path(of: name)) {
        return (folder, isNew)
      } else {
        error = EACCES
      }
    }
    throw Rejection.notCopied(folder: path, error: error)
  }

  /// Opens a regular file for reading; `nil` if there is none that belongs to this user.
  func open(_ name: String) -> OpenFile? {
    let number = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = OpenFile(number)
    guard let status = file.status, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else { return nil }
    return file
  }

  /// Writes a file under a temporary name and renames it, so that nobody sees a partial file.
  ///
  /// - Parameters:
  ///   - bytes: the contents.
  ///   - name: the name of the file.
  ///   - mode: the permissions of the file.
  ///   - isNew: whether an existing file is kept, which another process has made meanwhile.
  /// - Returns: the identity of the file; `nil` if an existing one was kept.
  /// - Throws: why it can't be written.
  @discardableResult
  func write(
    _ bytes: UnsafeRawBufferPointer, to name: String, mode: mode_t, onlyIfNew isNew: Bool = false
  ) throws(Rejection) -> FileIdentity? {
    let temporary = ".new-" + ContentDigest.text(.random(in: 0 ... .max))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = openat(descriptor, temporary, flags, 0o600)
    guard number >= 0 else {
      throw Rejection.notCopied(folder: path, error: errno)
    }
    var error: Int32 = 0
    var position = 0
    while position < bytes.count, error == 0, let base = bytes.baseAddress {
      let count = Glibc.write(number, base + position, bytes.count - position)
      if count > 0 { position += count } else if errno != EINTR { error = errno }
    }
    if error == 0, fchmod(number, mode) != 0 { error = errno }
    if error == 0 { error = rename(temporary, to: name, replacing: !isNew) }
    // After the rename, which sets the change time.
    var status = stat()
    if error == 0, fstat(number, &status) != 0 { error = errno }
    // Some file systems report a full disk only here.
    if close(number) != 0, error == 0 {
      error = errno
      unlinkat(descriptor, name, 0)
    }
    if error != 0 {
      unlinkat(descriptor, temporary, 0)
      if error == EEXIST, isNew { return nil }
      throw .notCopied(folder: path, error: error)
    }
    return FileIdentity(status)
  }

  private func rename(_ name: String, to new: String, replacing: Bool) -> Int32 {
    if !replacing {
      if linkat(descriptor, name, descriptor, new, 0) == 0 {
        unlinkat(descriptor, name, 0)
        return 0
      }
      // Any other error comes from a file system without hard links.
      if errno == EEXIST { return EEXIST }
    }
    return renameat(descriptor, name, descriptor, new) == 0 ? 0 : errno
  }

  /// Marks an entry as used now, by setting its times.
  func touch(_ name: String) { utimensat(descriptor, name, nil, 0) }

  /// Removes the entries that were modified longest ago, and temporary files of killed processes.
  ///
  /// - Parameters:
  ///   - count: how many entries are kept.
  ///   - age: in seconds; all entries that are younger are kept, too.
  ///   - isMeant: whether an entry is counted and may be removed.
  package func removeOldest(
    keeping count: Int, atLeast age: Int = 0, where isMeant: (String) -> Bool = { _ in true }
  ) {
    var entries: [(modified: Int64, name: String)] = []
    let now = FileClock.now()
    for name in FilePath.names(in: path) ?? [] {
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      if name.hasPrefix(".") {
        if FileIdentity(status).modified < now - 3_600_000_000_000 {
          unlinkat(descriptor, name, 0)
        }
      } else if isMeant(name) {
        entries.append((FileIdentity(status).modified, name))
      }
    }
    guard entries.count > count else { return }
    entries.sort { ($0.modified, $0.name) < ($1.modified, $1.name) }
    let limit = now - Int64(age) * 1_000_000_000
    for entry in entries.dropLast(count) where age == 0 || entry.modified < limit {
      remove(entry.name)
    }
  }

  /// Removes a file, or a folder of files.
  func remove(_ name: String) {
    if unlinkat(descriptor, name, 0) == 0 { return }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let inner = openat(descriptor, name, flags)
    guard inner >= 0 else { return }
    for file in FilePath.names(in: path(of: name)) ?? [] { unlinkat(inner, file, 0) }
    close(inner)
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }

  /// Removes a temporary folder and the files in it.
  static func remove(_ path: String) {
    for name in FilePath.names(in: path) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
