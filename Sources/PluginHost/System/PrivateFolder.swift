internal import Glibc
internal import Support

/// A folder that only this user can enter, held by its descriptor; files appear in it complete or
/// not at all.
///
/// Nobody else can put another folder in its place: see ``TrustedPath``.
package final class PrivateFolder: Sendable {
  let path: String
  private let folder: OpenFile

  private var descriptor: Int32 { folder.number }

  /// Opens a folder; it and its parents are created if they are missing.
  ///
  /// The result is `nil` if the folder can't be made private and writable, or if others could
  /// replace it.
  package convenience init?(_ path: String) {
    guard let folder = try? TrustedPath.open(path, isCreating: true) else { return nil }
    self.init(folder, path)
  }

  /// Opens a folder of the user's cache of appcore; `nil` also if neither `XDG_CACHE_HOME` nor `HOME`
  /// is an absolute path.
  convenience init?(inCache name: String, _ environment: [String: String]) {
    let path = FilePath.ofUser(name, "XDG_CACHE_HOME", or: ".cache") { environment[$0] }
    guard let path else { return nil }
    self.init(path)
  }

  private init?(_ folder: OpenFile, _ path: String) {
    guard let status = folder.status, status.st_uid == geteuid() else { return nil }
    if status.st_mode & 0o077 != 0, fchmod(folder.number, 0o700) != 0 { return nil }
    guard faccessat(folder.number, ".", W_OK | X_OK, 0) == 0 else { return nil }
    self.folder = folder
    self.path = path
  }

  /// Creates a folder with an unpredictable name.
  static func temporary(in parent: String) throws(SystemError) -> PrivateFolder {
    let outer: OpenFile
    do throws(TrustedPath.Failure) {
      outer = try TrustedPath.open(parent, isCreating: false)
    } catch {
      if case .system(let error) = error { throw SystemError(error) }
      throw SystemError(EACCES)
    }
    for _ in 0..<16 {
      let name = "appcore-plugins-" + ContentDigest.text(.random(in: 0 ... .max))
      if mkdirat(outer.number, name, 0o700) == 0 {
        guard let folder = PrivateFolder("\(parent)/\(name)") else { throw SystemError(EACCES) }
        return folder
      }
      guard errno == EEXIST else { break }
    }
    throw SystemError(errno)
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
    bytes.withUnsafeBytes { bytes in _ = try? write(bytes, to: name) }
  }

  /// Whether code can be run from here: `false` on a file system that is mounted `noexec`.
  var runsCode: Bool {
    var status = statvfs()
    return fstatvfs(descriptor, &status) != 0 || !Self.runsNoCode(status)
  }

  /// Whether a path is on a file system that is mounted `noexec`.
  static func runsNoCode(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && runsNoCode(status)
  }

  private static func runsNoCode(_ status: statvfs) -> Bool {
    // ST_NOEXEC, one of GNU's extensions.
    let noExecution: UInt = 8
    return UInt(status.f_flag) & noExecution != 0
  }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// Opens a folder in this one, and creates it if it is missing; `isNew` is `true` if it was
  /// created.
  func folder(_ name: String) throws(SystemError) -> (PrivateFolder, isNew: Bool) {
    let isNew = mkdirat(descriptor, name, 0o700) == 0
    guard isNew || errno == EEXIST else { throw SystemError(errno) }
    let number = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(errno) }
    guard let folder = PrivateFolder(OpenFile(number), path(of: name)) else {
      throw SystemError(EACCES)
    }
    return (folder, isNew)
  }

  /// Opens a regular file for reading; `nil` if there is none that belongs to this user.
  func open(_ name: String) -> OpenFile? {
    let number = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard number >= 0 else { return nil }
    let file = OpenFile(number)
    guard let status = file.status, status.isRegular, status.st_uid == geteuid() else { return nil }
    return file
  }

  /// Writes a file under a temporary name and renames it, so that nobody sees a partial file.
  ///
  /// - Returns: the identity of the file; `nil` if an existing one was kept.
  func write(
    _ bytes: UnsafeRawBufferPointer, to name: String, mode: mode_t = 0o600,
    onlyIfNew isNew: Bool = false
  ) throws(SystemError) -> FileIdentity? {
    let temporary = ".new-" + ContentDigest.text(.random(in: 0 ... .max))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let number = openat(descriptor, temporary, flags, 0o600)
    guard number >= 0 else { throw SystemError(errno) }
    var status = stat()
    do throws(SystemError) {
      if let error = Descriptor.writeAll(bytes, to: number) { throw error }
      guard fchmod(number, mode) == 0 else { throw SystemError(errno) }
      try rename(temporary, to: name, replacing: !isNew)
      // After the rename, which sets the change time.
      guard fstat(number, &status) == 0 else { throw SystemError(errno) }
    } catch {
      close(number)
      unlinkat(descriptor, temporary, 0)
      if error.code == EEXIST, isNew { return nil }
      throw error
    }
    // Some file systems report a full disk only here.
    guard close(number) == 0 else {
      let error = SystemError(errno)
      unlinkat(descriptor, name, 0)
      throw error
    }
    return FileIdentity(status)
  }

  private func rename(
    _ name: String, to new: String, replacing: Bool
  ) throws(SystemError) {
    if !replacing {
      if linkat(descriptor, name, descriptor, new, 0) == 0 {
        unlinkat(descriptor, name, 0)
        return
      }
      // Any other error comes from a file system without hard links.
      if errno == EEXIST { throw SystemError(EEXIST) }
    }
    guard renameat(descriptor, name, descriptor, new) == 0 else { throw SystemError(errno) }
  }

  /// Marks an entry as used now, by setting its times.
  func touch(_ name: String) { utimensat(descriptor, name, nil, 0) }

  /// Removes the entries that were modified longest ago, and temporary files of killed processes.
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
  private func remove(_ name: String) {
    if unlinkat(descriptor, name, 0) == 0 { return }
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let inner = openat(descriptor, name, flags)
    guard inner >= 0 else { return }
    for file in FilePath.names(in: path(of: name)) ?? [] { unlinkat(inner, file, 0) }
    close(inner)
    unlinkat(descriptor, name, AT_REMOVEDIR)
  }
}
