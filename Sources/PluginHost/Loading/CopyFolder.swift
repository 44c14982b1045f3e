internal import Glibc
internal import Support

/// A folder of private copies, which this user alone can enter.
///
/// A plugin is loaded from a copy named by its content. So a new build at the same path is a new
/// file to the loader, and a build that overwrites the original does not change code that runs.
struct CopyFolder: Sendable {
  /// How many copies are kept; the least recently used are removed first, but none that was used
  /// within the last hour: an app may have hundreds of plugins.
  static let keptCopies = 64
  /// How many builds of one plugin are kept: hot reload makes many.
  static let keptBuilds = 8
  /// How long each build is kept at least, in seconds: it may be being scanned.
  private static let buildAge = 60

  let folder: PrivateFolder
  /// Whether copies are removed once they are loaded: a temporary folder is not used again.
  let isTemporary: Bool

  /// The copies of a plugin and of the libraries it brings along; missing ones are created.
  ///
  /// A plugin without libraries is one file; one with libraries gets a folder for all of them.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files: an existing copy is compared byte
  ///   for byte.
  func copies(of plugin: ValidatedPlugin, _ seal: PluginDigests?) throws(Rejection) -> PluginCopies
  {
    let items = plugin.dependencies.items
    // Two plugins may have one digest, and then take turns under its name; not so under the seal's.
    let stem = "\(plugin.name)-\(seal.map { "\($0.key)" } ?? "\(plugin.file.digest)")"
    let temporary = isTemporary ? folder.path : nil
    guard !items.isEmpty else {
      let (copy, isNew) = try Self.copy(plugin.file, to: stem + ".so", in: folder)
      if isNew { makeRoom(beside: plugin.name) }
      return PluginCopies(
        plugin: copy, dependencies: [], isKept: !isTemporary, temporaryFolder: temporary)
    }

    // Another build of a library gets another folder, even if the plugin is the same.
    let digests = items.map(\.file.digest.value)
    let name = "\(stem)-\(digests.withUnsafeBytes { ContentDigest($0) })"
    let (inner, isNew) = try folder.folder(name)
    if isNew { makeRoom(beside: plugin.name) } else { folder.touch(name) }
    var dependencies: [PluginCopies.Copy] = []
    for item in items {
      dependencies.append(try Self.copy(item.file, to: item.name, in: inner).copy)
    }
    let (copy, _) = try Self.copy(plugin.file, to: "\(plugin.name).plugin", in: inner)
    return PluginCopies(
      plugin: copy, dependencies: dependencies, isKept: !isTemporary, temporaryFolder: temporary)
  }

  /// The plugins that this process has copied, by the path of the folder.
  ///
  /// To look at every copy for each new plugin would take quadratic time. So old copies of all
  /// plugins are removed once per folder, and after that only those of a plugin that is copied
  /// again.
  private static let cleared = Locked<[String: Set<String>]>([:])

  private func makeRoom(beside name: String) {
    guard !isTemporary else { return }
    let (isFirst, isKnown) = Self.cleared.withLock { cleared in
      let isFirst = cleared[folder.path] == nil
      return (isFirst, !cleared[folder.path, default: []].insert(name).inserted)
    }
    if isFirst {
      for name in Set((FilePath.names(in: folder.path) ?? []).compactMap(Self.plugin)) {
        folder.removeOldest(keeping: Self.keptBuilds, atLeast: Self.buildAge) {
          Self.plugin($0) == name
        }
      }
      folder.removeOldest(keeping: Self.keptCopies, atLeast: 3600)
    } else if isKnown {
      folder.removeOldest(keeping: Self.keptBuilds, atLeast: Self.buildAge) {
        Self.plugin($0) == name
      }
    }
  }

  /// The name of the plugin that an entry is a copy of: the part before the digest.
  private static func plugin(_ entry: String) -> String? {
    entry.firstIndex(of: "-").map { String(entry[..<$0]) }
  }

  /// Creates a copy unless there is one with the same bytes; `isNew` is `true` if it was created.
  private static func copy(
    _ file: PluginFile, to name: String, in folder: PrivateFolder
  ) throws(Rejection) -> (copy: PluginCopies.Copy, isNew: Bool) {
    let path = folder.path(of: name)
    if let identity = identity(of: name, in: folder, holding: file.bytes) {
      return (PluginCopies.Copy(path: path, identity: identity), false)
    }
    // Not writable, so that no build or editor changes it in place. A copy that another process has
    // made meanwhile stays: it may be loaded there already.
    for isReplaced in [false, true] {
      let written = try folder.write(file.bytes, to: name, mode: 0o500, onlyIfNew: !isReplaced)
      if let written { return (PluginCopies.Copy(path: path, identity: written), true) }
      if let identity = identity(of: name, in: folder, holding: file.bytes) {
        return (PluginCopies.Copy(path: path, identity: identity), false)
      }
    }
    throw .notCopied(folder: folder.path, error: EEXIST)
  }

  /// The minimum time between updates of a copy's time of last use, in nanoseconds: an update
  /// changes the identity of the copy, so that it must be compared again.
  static let usePeriod: Int64 = 86_400 * 1_000_000_000

  /// The identity of a copy; `nil` if there is none that belongs to this user and holds `bytes`.
  private static func identity(
    of name: String, in folder: PrivateFolder, holding bytes: UnsafeRawBufferPointer
  ) -> FileIdentity? {
    guard let file = folder.open(name), var status = file.status, status.st_mode & 0o222 == 0,
      UInt64(clamping: status.st_size) == UInt64(bytes.count), let base = bytes.baseAddress,
      let mapped = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, file.number, 0),
      mapped != MAP_FAILED
    else { return nil }
    // Nobody else can write in this folder, so the copy is not truncated while it is mapped.
    defer { munmap(mapped, bytes.count) }
    guard memcmp(mapped, base, bytes.count) == 0 else { return nil }
    if FileClock.now() - FileIdentity(status).modified > Self.usePeriod {
      futimens(file.number, nil)
      guard fstat(file.number, &status) == 0 else { return nil }
    }
    return FileIdentity(status)
  }
}

/// The files from which a plugin and the libraries it brings along are loaded.
struct PluginCopies: Sendable {
  struct Copy: Sendable {
    /// The path that `dlopen` is given.
    let path: String
    /// The identity of the copy, by which a change is noticed.
    let identity: FileIdentity
  }

  let plugin: Copy
  /// In the order of the dependencies.
  let dependencies: [Copy]
  /// Whether the copies are kept for the next start.
  let isKept: Bool
  /// The folder to remove when the copies are no longer needed, if there is one.
  let temporaryFolder: String?
}
