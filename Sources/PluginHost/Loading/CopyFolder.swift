internal import Glibc

/// The folder of private copies, which this user alone can enter.
///
/// A plugin is loaded from a copy named by its content. So a new build at the same path is a new
/// file to the loader, and a build that overwrites the original does not change code that runs.
struct CopyFolder: Sendable {
  /// How many copies are kept; the ones used longest ago go first.
  static let keptCopies = 64

  let path: String
  /// Whether copies are removed once they are loaded, because nobody will look here again.
  let isTemporary: Bool

  /// The user's cache, `appcore/plugins` under `XDG_CACHE_HOME`, else a new temporary folder.
  static func open(environment: [String: String]) throws(PluginProblem.CauseError) -> CopyFolder {
    var base = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    if base == nil, let home = environment["HOME"], home.hasPrefix("/") { base = home + "/.cache" }
    if let base, prepare(base + "/appcore/plugins") {
      return CopyFolder(path: base + "/appcore/plugins", isTemporary: false)
    }
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/appcore-plugins-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw PluginProblem.CauseError(.notCopied(folder: parent, error: errno))
    }
    return CopyFolder(
      path: String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self),
      isTemporary: true)
  }

  /// Makes the folder and its parents where they are missing, and checks that it is ours alone.
  private static func prepare(_ path: String) -> Bool {
    if path.utf8.contains(0) { return false }
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      if mkdir(String(path[..<end]), 0o700) != 0, errno != EEXIST, errno != EISDIR, errno != EROFS,
        errno != EACCES
      {
        return false
      }
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return false }
    if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { return false }
    return access(path, W_OK | X_OK) == 0
  }

  /// The path of a file that has these bytes.
  ///
  /// - Complexity: O(count): an existing copy is compared byte for byte.
  func copy(
    of bytes: UnsafeRawBufferPointer, named name: String
  ) throws(PluginProblem.CauseError) -> String {
    let target = "\(path)/\(name)-\(ContentDigest(bytes)).so"
    if Self.holds(target, bytes) { return target }
    try write(bytes, to: target)
    if !isTemporary { removeOldest(sparing: target) }
    return target
  }

  private static func holds(_ path: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o222 == 0,
      UInt64(clamping: status.st_size) == UInt64(bytes.count), let base = bytes.baseAddress,
      let mapped = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      mapped != MAP_FAILED
    else { return false }
    // Nobody else can write in this folder, so the copy is not cut short while it is mapped.
    defer { munmap(mapped, bytes.count) }
    guard memcmp(mapped, base, bytes.count) == 0 else { return false }
    // The time of last use, for `removeOldest`.
    futimens(descriptor, nil)
    return true
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, to target: String
  ) throws(PluginProblem.CauseError) {
    func failure() -> PluginProblem.CauseError {
      PluginProblem.CauseError(.notCopied(folder: path, error: errno))
    }
    var template = Array("\(path)/.new-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure() }
    // A child that is started meanwhile must not hold it: a file open for writing can't be run.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var position = 0
    while position < bytes.count, let base = bytes.baseAddress {
      let count = Glibc.write(descriptor, base + position, bytes.count - position)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      position += count
    }
    let error = errno
    // Unwritable, so that no build or editor takes it for something to change in place.
    let isWhole = position == bytes.count && fchmod(descriptor, 0o500) == 0
    close(descriptor)
    guard isWhole, rename(template, target) == 0 else {
      if position < bytes.count { errno = error }
      defer { unlink(template) }
      throw failure()
    }
  }

  private func removeOldest(sparing spared: String) {
    guard let folder = opendir(path) else { return }
    defer { closedir(folder) }
    var copies: [(used: Int64, path: String)] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      let file = "\(path)/\(name)"
      guard name.hasSuffix(".so"), file != spared, lstat(file, &status) == 0 else { continue }
      copies.append((FileIdentity(status).modified, file))
    }
    guard copies.count >= Self.keptCopies else { return }
    copies.sort { ($0.used, $0.path) < ($1.used, $1.path) }
    // A process that has loaded one of these keeps its mapping.
    for copy in copies.dropLast(Self.keptCopies - 1) { unlink(copy.path) }
  }

  /// Removes the traces of a temporary folder once its copy is loaded.
  func discard(_ copy: String) {
    guard isTemporary else { return }
    unlink(copy)
    rmdir(path)
  }
}
