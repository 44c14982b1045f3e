internal import Glibc
internal import Support

/// The folder of private copies, which this user alone can enter.
///
/// A plugin is loaded from a copy named by its content. So a new build at the same path is a new
/// file to the loader, and a build that overwrites the original does not change code that runs.
struct CopyFolder: Sendable {
  /// How many copies are kept; the ones used longest ago go first, and none that was used within
  /// the last hour: an app may have hundreds of plugins.
  static let keptCopies = 64

  /// Where a plugin and what it brings along are to be loaded from.
  struct Copies {
    let plugin: String
    /// The state of the copy, by which it is known again.
    let identity: FileIdentity
    /// In the order of the dependencies; those that need no copy are where they were.
    let dependencies: [String]
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
      let (identity, isNew) = try copy(plugin.file, to: stem + ".so")
      if isNew { removeOldest() }
      return Copies(
        plugin: stem + ".so", identity: identity, dependencies: items.map(\.file.path))
    }

    // Another build of a library is another folder, whether or not the plugin changed.
    let digests = items.map(\.file.digest.value)
    let folder = "\(stem)-\(digests.withUnsafeBytes { ContentDigest($0) })"
    if mkdir(folder, 0o700) == 0 {
      removeOldest()
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
    let (identity, _) = try copy(plugin.file, to: target)
    return Copies(plugin: target, identity: identity, dependencies: paths)
  }

  /// Where this process has made room already: once is enough, and to look at every copy for each new
  /// one would take time quadratic in their number.
  private static let cleared = Locked<Set<String>>([])

  private func removeOldest() {
    guard !isTemporary, Self.cleared.withLock({ $0.insert(path).inserted }) else { return }
    PrivateFolder.removeOldest(in: path, keeping: Self.keptCopies, atLeast: 3600)
  }

  /// Makes sure of a copy; whether it is a new one.
  private func copy(
    _ file: PluginFile, to target: String
  ) throws(PluginProblem.CauseError) -> (FileIdentity, isNew: Bool) {
    if let identity = Self.identity(of: target, holding: file.bytes) { return (identity, false) }
    // Unwritable, so that no build or editor takes it for something to change in place.
    let identity = try PrivateFolder.write(file.bytes, to: target, in: path, mode: 0o500)
    return (identity, true)
  }

  /// How seldom the time of last use of a copy is noted: noting it makes a copy one that has to be
  /// compared again.
  static let usePeriod: Int64 = 86_400 * 1_000_000_000

  /// The state of a copy; `nil` where there is none that is ours and holds the bytes.
  private static func identity(
    of path: String, holding bytes: UnsafeRawBufferPointer
  ) -> FileIdentity? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o222 == 0,
      UInt64(clamping: status.st_size) == UInt64(bytes.count), let base = bytes.baseAddress,
      let mapped = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      mapped != MAP_FAILED
    else { return nil }
    // Nobody else can write in this folder, so the copy is not cut short while it is mapped.
    defer { munmap(mapped, bytes.count) }
    guard memcmp(mapped, base, bytes.count) == 0 else { return nil }
    if FileClock.now() - FileIdentity(status).modified > Self.usePeriod {
      futimens(descriptor, nil)
      guard fstat(descriptor, &status) == 0 else { return nil }
    }
    return FileIdentity(status)
  }
}
