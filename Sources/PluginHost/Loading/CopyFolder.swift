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

  /// A plugin with its copies and those of the libraries it brings along; missing ones are created.
  ///
  /// A plugin without libraries is one file; one with libraries gets a folder for all of them.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files: an existing copy is compared byte
  ///   for byte.
  func prepare(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?
  ) throws(SystemError) -> PreparedPlugin {
    let items = plugin.dependencies.items
    // Two plugins may have one ContentDigest, and then take turns under its name.
    let stem = "\(plugin.name)-\(digests.map { "\($0.key)" } ?? "\(plugin.file.digest)")"
    var libraries: [PreparedPlugin.File] = []
    let file: PreparedPlugin.File
    if items.isEmpty {
      let isNew: Bool
      (file, isNew) = try Self.copy(plugin.file, plugin.name, to: stem + ".so", in: folder)
      if isNew { makeRoom(beside: plugin.name) }
    } else {
      // Another build of a library gets another folder, even if the plugin is the same.
      let numbers = items.map(\.file.digest.value)
      let name = "\(stem)-\(numbers.withUnsafeBytes { ContentDigest($0) })"
      let (inner, isNew) = try folder.folder(name)
      if isNew { makeRoom(beside: plugin.name) } else { folder.touch(name) }
      for item in items {
        libraries.append(try Self.copy(item.file, item.name, to: item.name, in: inner).file)
      }
      file = try Self.copy(plugin.file, plugin.name, to: plugin.name + ".plugin", in: inner).file
    }
    return PreparedPlugin(
      plugin, digests, file: file, libraries: libraries, isKept: !isTemporary,
      temporaryFolder: isTemporary ? folder.path : nil)
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
    guard isFirst || isKnown else { return }
    let names =
      isFirst ? Set((FilePath.names(in: folder.path) ?? []).compactMap(Self.plugin)) : [name]
    for name in names {
      folder.removeOldest(keeping: Self.keptBuilds, atLeast: Self.buildAge) {
        Self.plugin($0) == name
      }
    }
    if isFirst { folder.removeOldest(keeping: Self.keptCopies, atLeast: 3600) }
  }

  /// The name of the plugin that an entry is a copy of: the part before the digest.
  private static func plugin(_ entry: String) -> String? {
    entry.firstIndex(of: "-").map { String(entry[..<$0]) }
  }

  /// Creates a copy unless there is one with the same bytes; `isNew` is `true` if it was created.
  private static func copy(
    _ file: PluginFile, _ needed: String, to name: String, in folder: PrivateFolder
  ) throws(SystemError) -> (file: PreparedPlugin.File, isNew: Bool) {
    func copied(_ identity: FileIdentity) -> PreparedPlugin.File {
      PreparedPlugin.File(file, name: needed, copy: folder.path(of: name), identity)
    }
    if let identity = identity(of: name, in: folder, holding: file.bytes) {
      return (copied(identity), false)
    }
    // Not writable, so that no build or editor changes it in place. A copy that another process has
    // made meanwhile stays: it may be loaded there already.
    for isReplaced in [false, true] {
      let written = try folder.write(file.bytes, to: name, mode: 0o500, onlyIfNew: !isReplaced)
      if let written { return (copied(written), true) }
      if let identity = identity(of: name, in: folder, holding: file.bytes) {
        return (copied(identity), false)
      }
    }
    throw SystemError(EEXIST)
  }

  /// The minimum time between updates of a copy's time of last use, in nanoseconds: an update
  /// changes the identity of the copy, so that it must be compared again.
  static let usePeriod: Int64 = 86_400 * 1_000_000_000

  /// The identity of a copy; `nil` if there is none that belongs to this user and holds `bytes`.
  private static func identity(
    of name: String, in folder: PrivateFolder, holding bytes: UnsafeRawBufferPointer
  ) -> FileIdentity? {
    guard let file = folder.open(name), let status = file.status, status.st_mode & 0o222 == 0,
      // Nobody else can write in this folder, so the copy is not truncated meanwhile.
      file.holds(bytes)
    else { return nil }
    if FileClock.now() - FileIdentity(status).modified > usePeriod { futimens(file.number, nil) }
    return file.status.map { FileIdentity($0) }
  }
}
