internal import Glibc

/// The folder of private copies, which this user alone can enter.
///
/// A plugin is loaded from a copy named by its content. So a new build at the same path is a new
/// file to the loader, and a build that overwrites the original does not change code that runs.
struct CopyFolder: Sendable {
  /// How many copies are kept; the ones used longest ago go first.
  static let keptCopies = 64

  /// Where a plugin and what it brings along are to be loaded from.
  struct Copies {
    let plugin: String
    /// In the order of the dependencies; those that need no copy are where they were.
    let dependencies: [String]
    /// The folder that holds the copies, if they have one of their own.
    let folder: String?
  }

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

  /// The copies of a plugin and of what it brings along, made where they are missing.
  ///
  /// A plugin alone is one file. One with libraries beside it gets a folder with all of them.
  ///
  /// - Complexity: O(bytes): an existing copy is compared byte for byte.
  func copies(of plugin: JudgedPlugin) throws(PluginProblem.CauseError) -> Copies {
    let items = plugin.dependencies.items
    var stem = "\(path)/\(plugin.name)-\(plugin.file.digest)"
    guard items.contains(where: \.isBesidePlugin) else {
      let copy = try copy(of: plugin.file, to: stem + ".so")
      return Copies(plugin: copy, dependencies: items.map(\.file.path), folder: nil)
    }
    // Another build of a library is another folder, whether or not the plugin changed.
    var digests: [UInt64] = []
    for item in items { digests.append(item.file.digest.value) }
    stem += "-\(digests.withUnsafeBytes { ContentDigest($0) })"
    if mkdir(stem, 0o700) != 0, errno != EEXIST {
      throw PluginProblem.CauseError(.notCopied(folder: path, error: errno))
    }
    var paths: [String] = []
    for item in items {
      paths.append(
        item.isBesidePlugin
          ? try copy(of: item.file, to: "\(stem)/\(item.name)") : item.file.path)
    }
    let copy = try copy(of: plugin.file, to: "\(stem)/lib\(plugin.name).so")
    return Copies(plugin: copy, dependencies: paths, folder: stem)
  }

  private func copy(
    of file: PluginFile, to target: String
  ) throws(PluginProblem.CauseError) -> String {
    if Self.holds(target, file.bytes) { return target }
    try write(file.bytes, to: target)
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
    var entries: [(used: Int64, path: String)] = []
    for name in Self.names(in: path) where !name.hasPrefix(".") {
      let entry = "\(path)/\(name)"
      var status = stat()
      // Using a copy sets its time; for a folder, that of the plugin's copy in it.
      let plugin = name.hasSuffix(".so") ? entry : entry + "/lib\(name.prefix { $0 != "-" }).so"
      guard !spared.hasPrefix(entry) else { continue }
      let used = lstat(plugin, &status) == 0 ? FileIdentity(status).modified : 0
      entries.append((used, entry))
    }
    guard entries.count >= Self.keptCopies else { return }
    entries.sort { ($0.used, $0.path) < ($1.used, $1.path) }
    // A process that has loaded one of these keeps its mapping.
    for entry in entries.dropLast(Self.keptCopies - 1) { Self.remove(entry.path) }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Removes a file, or a folder of files.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Removes the traces of a temporary folder once its copies are loaded.
  func discard(_ copies: Copies) {
    guard isTemporary else { return }
    Self.remove(copies.folder ?? copies.plugin)
    rmdir(path)
  }
}
