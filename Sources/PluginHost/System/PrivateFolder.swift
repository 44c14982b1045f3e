internal import Glibc
internal import Support

/// Folders that this user alone can enter, and files that appear in them whole or not at all.
enum PrivateFolder {
  /// `appcore` in the user's cache; `nil` where no variable says where that is.
  static func cache(_ environment: [String: String]) -> String? {
    func absolute(_ path: String?) -> String? {
      path.flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
    }
    let base = absolute(environment["XDG_CACHE_HOME"])
    return (base ?? absolute(environment["HOME"]).map { $0 + "/.cache" }).map { $0 + "/appcore" }
  }

  /// Makes a folder and its parents where they are missing, and checks that it is ours alone.
  static func prepare(_ path: String) -> Bool {
    var status = stat()
    if lstat(path, &status) != 0 {
      var end = path.startIndex
      while end < path.endIndex {
        end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
        // Parents that exist need not be ours to write in; whether it worked shows at the end.
        mkdir(String(path[..<end]), 0o700)
      }
      guard lstat(path, &status) == 0 else { return false }
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else { return false }
    if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { return false }
    return access(path, W_OK | X_OK) == 0
  }

  /// Writes a file under another name and renames it, so that nobody sees half of it.
  ///
  /// - Returns: the state of the file.
  @discardableResult
  static func write(
    _ bytes: UnsafeRawBufferPointer, to target: String, in folder: String, mode: mode_t
  ) throws(PluginProblem.CauseError) -> FileIdentity {
    func failure(_ error: Int32) -> PluginProblem.CauseError {
      PluginProblem.CauseError(.notCopied(folder: folder, error: error))
    }
    var template = Array("\(folder)/.new-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(errno) }
    // Children that other threads start meanwhile have no business with it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var error: Int32 = 0
    var position = 0
    while position < bytes.count, error == 0, let base = bytes.baseAddress {
      let count = Glibc.write(descriptor, base + position, bytes.count - position)
      if count > 0 { position += count } else if errno != EINTR { error = errno }
    }
    if error == 0, fchmod(descriptor, mode) != 0 { error = errno }
    if error == 0, rename(template, target) != 0 { error = errno }
    // To be renamed is a change as well.
    var status = stat()
    if error == 0, fstat(descriptor, &status) != 0 { error = errno }
    // Some file systems report a full disk only here.
    if close(descriptor) != 0, error == 0 {
      error = errno
      unlink(target)
    }
    if error != 0 {
      unlink(template)
      throw failure(error)
    }
    return FileIdentity(status)
  }

  /// Removes the entries that were modified longest ago, and what a killed process left behind.
  ///
  /// - Parameters:
  ///   - folder: where they are.
  ///   - count: how many entries stay.
  ///   - age: in seconds; what was modified since is kept, however much it is.
  static func removeOldest(in folder: String, keeping count: Int, atLeast age: Int = 0) {
    var entries: [(modified: Int64, path: String)] = []
    let now = FileClock.now()
    for name in FilePath.names(in: folder) ?? [] {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if name.hasPrefix(".") {
        if FileIdentity(status).modified < now - 3_600_000_000_000 { unlink(path) }
      } else {
        entries.append((FileIdentity(status).modified, path))
      }
    }
    guard entries.count > count else { return }
    entries.sort { ($0.modified, $0.path) < ($1.modified, $1.path) }
    let limit = now - Int64(age) * 1_000_000_000
    for entry in entries.dropLast(count) where age == 0 || entry.modified < limit {
      remove(entry.path)
    }
  }

  /// Removes a file, or a folder of files.
  static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in FilePath.names(in: path) ?? [] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
