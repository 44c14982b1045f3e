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
    if let base = PrivateFolder.cache(environment), PrivateFolder.prepare(base + "/plugins") {
      return CopyFolder(path: base + "/plugins", isTemporary: false)
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

  /// The copies of a plugin and of what it brings along, made where they are missing.
  ///
  /// A plugin alone is one file. One with libraries beside it gets a folder with all of them.
  ///
  /// - Complexity: O(bytes): an existing copy is compared byte for byte.
  func copies(of plugin: JudgedPlugin) throws(PluginProblem.CauseError) -> Copies {
    let items = plugin.dependencies.items
    let stem = "\(path)/\(plugin.name)-\(plugin.file.digest)"
    guard items.contains(where: \.isBesidePlugin) else {
      let isNew = try copy(plugin.file, to: stem + ".so")
      if isNew, !isTemporary { PrivateFolder.removeOldest(in: path, keeping: Self.keptCopies) }
      return Copies(
        plugin: stem + ".so", dependencies: items.map(\.file.path), folder: nil)
    }

    // Another build of a library is another folder, whether or not the plugin changed.
    let digests = items.map(\.file.digest.value)
    let folder = "\(stem)-\(digests.withUnsafeBytes { ContentDigest($0) })"
    if mkdir(folder, 0o700) == 0 {
      if !isTemporary { PrivateFolder.removeOldest(in: path, keeping: Self.keptCopies) }
    } else if errno != EEXIST {
      throw PluginProblem.CauseError(.notCopied(folder: path, error: errno))
    } else {
      // The time of last use.
      utimensat(AT_FDCWD, folder, nil, 0)
    }
    var paths: [String] = []
    for item in items {
      let target = item.isBesidePlugin ? "\(folder)/\(item.name)" : item.file.path
      if item.isBesidePlugin { _ = try copy(item.file, to: target) }
      paths.append(target)
    }
    let target = "\(folder)/\(plugin.name).plugin"
    _ = try copy(plugin.file, to: target)
    return Copies(plugin: target, dependencies: paths, folder: folder)
  }

  /// Makes sure of a copy; `true` if it is a new one.
  private func copy(
    _ file: PluginFile, to target: String
  ) throws(PluginProblem.CauseError) -> Bool {
    if Self.holds(target, file.bytes) { return false }
    // Unwritable, so that no build or editor takes it for something to change in place.
    try PrivateFolder.write(file.bytes, to: target, in: path, mode: 0o500)
    return true
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
    // The time of last use.
    futimens(descriptor, nil)
    return true
  }

  /// Removes the traces of a temporary folder once its copies are loaded.
  func discard(_ copies: Copies) {
    guard isTemporary else { return }
    PrivateFolder.remove(copies.folder ?? copies.plugin)
    rmdir(path)
  }
}
