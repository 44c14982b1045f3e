internal import Diagnostics
internal import Glibc
internal import Support

/// A folder of private copies, which this user alone can enter.
///
/// A plugin is loaded from a copy named by its content. So a new build at the same path is a new
/// file to the loader, and a build that overwrites the original does not change code that runs.
struct CopyFolder: Sendable {
  /// How many copies are kept; the ones used longest ago go first, and none that was used within
  /// the last hour: an app may have hundreds of plugins.
  static let keptCopies = 64
  /// How many builds of one plugin are kept: who reloads makes many.
  static let keptBuilds = 8
  /// For how long each of them is kept, in seconds: a scan may be under way.
  private static let buildAge = 60

  let folder: PrivateFolder
  /// Whether copies are removed once they are loaded, because nobody will look here again.
  let isTemporary: Bool

  /// The copies of a plugin and of what it brings along, made where they are missing.
  ///
  /// A plugin alone is one file. One with libraries gets a folder with all of them.
  ///
  /// - Complexity: O(bytes): an existing copy is compared byte for byte.
  func copies(of plugin: ValidatedPlugin) throws(Rejection) -> PluginCopies {
    let items = plugin.dependencies.items
    let stem = "\(plugin.name)-\(plugin.file.digest)"
    let temporary = isTemporary ? folder.path : nil
    guard !items.isEmpty else {
      let (copy, isNew) = try Self.copy(plugin.file, to: stem + ".so", in: folder)
      if isNew { makeRoom(beside: plugin.name) }
      return PluginCopies(
        plugin: copy, dependencies: [], isKept: !isTemporary, temporaryFolder: temporary)
    }

    // Another build of a library is another folder, whether or not the plugin changed.
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

  /// Where this process has made room, and for which plugins.
  ///
  /// To look at every copy for each new plugin would take time quadratic in their number: so that is
  /// done once, and from then on for plugins of which this process makes another copy.
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

  /// The plugin of which an entry is a copy: what is before the digest.
  private static func plugin(_ entry: String) -> String? {
    entry.firstIndex(of: "-").map { String(entry[..<$0]) }
  }

  /// Makes sure of a copy; whether it is a new one.
  private static func copy(
    _ file: PluginFile, to name: String, in folder: PrivateFolder
  ) throws(Rejection) -> (copy: PluginCopies.Copy, isNew: Bool) {
    let path = folder.path(of: name)
    if let identity = identity(of: name, in: folder, holding: file.bytes) {
      return (PluginCopies.Copy(path: path, identity: identity), false)
    }
    // Unwritable, so that no build or editor takes it for something to change in place. That of
    // another process, which may have loaded it by now, stays.
    for isReplaced in [false, true] {
      let written = try folder.write(file.bytes, to: name, mode: 0o500, onlyIfNew: !isReplaced)
      if let written { return (PluginCopies.Copy(path: path, identity: written), true) }
      if let identity = identity(of: name, in: folder, holding: file.bytes) {
        return (PluginCopies.Copy(path: path, identity: identity), false)
      }
    }
    throw .notCopied(folder: folder.path, error: EEXIST)
  }

  /// How seldom the time of last use of a copy is noted: noting it makes a copy one that has to be
  /// compared again.
  static let usePeriod: Int64 = 86_400 * 1_000_000_000

  /// The state of a copy; `nil` where there is none that is ours and holds the bytes.
  private static func identity(
    of name: String, in folder: PrivateFolder, holding bytes: UnsafeRawBufferPointer
  ) -> FileIdentity? {
    guard let file = folder.open(name), var status = file.status, status.st_mode & 0o222 == 0,
      UInt64(clamping: status.st_size) == UInt64(bytes.count), let base = bytes.baseAddress,
      let mapped = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, file.number, 0),
      mapped != MAP_FAILED
    else { return nil }
    // Nobody else can write in this folder, so the copy is not cut short while it is mapped.
    defer { munmap(mapped, bytes.count) }
    guard memcmp(mapped, base, bytes.count) == 0 else { return nil }
    if FileClock.now() - FileIdentity(status).modified > Self.usePeriod {
      futimens(file.number, nil)
      guard fstat(file.number, &status) == 0 else { return nil }
    }
    return FileIdentity(status)
  }
}

/// Where a plugin and what it brings along are to be loaded from.
struct PluginCopies: Sendable {
  struct Copy: Sendable {
    /// What the loader is given.
    let path: String
    /// The state of the copy, by which it is known again.
    let identity: FileIdentity
  }

  let plugin: Copy
  /// In the order of the dependencies.
  let dependencies: [Copy]
  /// Whether they are there at the next start.
  let isKept: Bool
  /// The folder to remove when the copies are no longer needed, if there is one.
  let temporaryFolder: String?
}
