internal import Glibc
internal import Support

/// The places for private copies, which this user alone can enter, the best one first.
///
/// 1. The user's cache: `appcore/plugins` under `XDG_CACHE_HOME`, else under `~/.cache`;
/// 2. a new folder in `XDG_RUNTIME_DIR` or in the folder for temporary files, which is removed once
///    the copies are loaded;
/// 3. memory.
///
/// If one is missing, full, or mounted `noexec`, the next one is used: a plugin is rejected only if
/// none is left.
///
/// A plugin is loaded from a copy named by its content. So a new build at the same path is a new
/// file to the loader, and a build that overwrites the original does not change code that runs.
final class CopyPlaces: Sendable {
  /// How many copies are kept; the least recently used are removed first, but none that was used
  /// within the last hour: an app may have hundreds of plugins.
  static let keptCopies = 64
  /// How many builds of one plugin are kept: hot reload makes many.
  static let keptBuilds = 8
  /// How long each build is kept after its last use at least, in seconds: it may be being scanned.
  private static let buildAge = 300

  private let environment: [String: String]
  private let cache = Locked<PrivateFolder?>(nil)

  init(environment: [String: String]) { self.environment = environment }

  /// A plugin with its copies and those of the libraries it brings along; missing ones are created.
  ///
  /// They are named by `digests`, if given.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the files: an existing copy is compared byte
  ///   for byte.
  func prepare(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?
  ) throws(Rejection) -> PreparedPlugin {
    var failure: Rejection?
    if let folder = cacheFolder() {
      do throws(SystemError) {
        let prepared = try Self.prepare(plugin, digests, in: folder, isTemporary: false)
        if access(prepared.file.copy, F_OK) == 0 { return prepared }
        // Another process has removed it just now, to make room for its own copies.
        return try Self.prepare(plugin, digests, in: folder, isTemporary: false)
      } catch {
        failure = .notCopied(folder: folder.path, error: error.code)
      }
    }
    for parent in temporaryParents {
      do throws(SystemError) {
        let folder = try PrivateFolder.temporary(in: parent)
        do throws(SystemError) {
          if folder.runsCode {
            return try Self.prepare(plugin, digests, in: folder, isTemporary: true)
          }
          FilePath.remove(folder.path)
          failure = failure ?? .notExecutable(folder: parent)
        } catch {
          FilePath.remove(folder.path)
          throw error
        }
      } catch {
        failure = failure ?? .notCopied(folder: parent, error: error.code)
      }
    }
    // A copy in memory is in no folder, so the loader would not find it by a search.
    if plugin.dependencies.items.allSatisfy({ $0.file.metadata.soname == $0.name }),
      let prepared = Self.prepareInMemory(plugin, digests)
    {
      return prepared
    }
    throw failure ?? .notCopied(folder: "memory", error: ENOMEM)
  }

  private func cacheFolder() -> PrivateFolder? {
    cache.withLock { cache in
      if let cache { return cache }
      guard let folder = PrivateFolder(inCache: "plugins", environment), folder.runsCode
      else { return nil }
      cache = folder
      return cache
    }
  }

  private var temporaryParents: [String] {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
    }
    return [absolute("XDG_RUNTIME_DIR"), absolute("TMPDIR") ?? "/tmp"].compactMap { $0 }
  }
}

// Copies in a folder.
extension CopyPlaces {
  /// Prepares a plugin without libraries in one file; one with libraries gets a folder for all of
  /// them.
  ///
  /// From a temporary folder copies are removed once they are loaded: it is not used again.
  private static func prepare(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?, in folder: PrivateFolder,
    isTemporary: Bool
  ) throws(SystemError) -> PreparedPlugin {
    let items = plugin.dependencies.items
    // Two plugins may have one ContentDigest, and then take turns under its name.
    let stem = "\(plugin.name)-\(digests.map { "\($0.key)" } ?? "\(plugin.file.digest)")"
    var libraries: [PreparedPlugin.File] = []
    let file: PreparedPlugin.File
    func makeRoom() { if !isTemporary { Self.makeRoom(beside: plugin.name, in: folder) } }
    if items.isEmpty {
      let isNew: Bool
      (file, isNew) = try copy(plugin.file, plugin.name, to: stem + ".so", in: folder)
      if isNew { makeRoom() }
    } else {
      // Another build of a library gets another folder, even if the plugin is the same.
      let numbers = items.map { $0.file.digest.value }
      let name = "\(stem)-\(numbers.withUnsafeBytes { ContentDigest($0) })"
      let (inner, isNew) = try folder.folder(name)
      // Before the copies: on a full disk they need the room.
      if isNew { makeRoom() } else { folder.touch(name) }
      for item in items {
        libraries.append(try copy(item.file, item.name, to: item.name, in: inner).file)
      }
      file = try copy(plugin.file, plugin.name, to: plugin.name + ".plugin", in: inner).file
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

  private static func makeRoom(beside name: String, in folder: PrivateFolder) {
    let (isFirst, isKnown) = cleared.withLock { cleared in
      let isFirst = cleared[folder.path] == nil
      return (isFirst, !cleared[folder.path, default: []].insert(name).inserted)
    }
    guard isFirst || isKnown else { return }
    /// The name of the plugin that an entry is a copy of: the part before the digest.
    func plugin(_ entry: String) -> String? {
      entry.firstIndex(of: "-").map { String(entry[..<$0]) }
    }
    let names = isFirst ? Set((FilePath.names(in: folder.path) ?? []).compactMap(plugin)) : [name]
    for name in names {
      folder.removeOldest(keeping: keptBuilds, atLeast: buildAge) { plugin($0) == name }
    }
    if isFirst { folder.removeOldest(keeping: keptCopies, atLeast: 3600) }
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
  ///
  /// It is shorter than ``buildAge``, so that no copy is removed that has just been used again.
  private static let usePeriod: Int64 = 60 * 1_000_000_000

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

// Copies in memory, used if no folder can hold them.
//
// Each is a file without a name, sealed so that nobody can change it. The loader and the scanning
// process open it through this process's descriptor, which therefore stays open until the process
// ends.
extension CopyPlaces {
  private typealias MemoryCopy = (file: OpenFile, path: String, identity: FileIdentity)

  private static let memoryCopies = Locked<[ContentDigest: [MemoryCopy]]>([:])

  /// A plugin with copies of it and of its libraries; `nil` without enough memory or free
  /// descriptors.
  private static func prepareInMemory(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?
  ) -> PreparedPlugin? {
    guard let file = memoryCopy(plugin.file, plugin.name) else { return nil }
    let libraries = plugin.dependencies.items.compactMap { memoryCopy($0.file, $0.name) }
    guard libraries.count == plugin.dependencies.items.count else { return nil }
    return PreparedPlugin(plugin, digests, file: file, libraries: libraries, isKept: false)
  }

  private static func memoryCopy(_ file: PluginFile, _ name: String) -> PreparedPlugin.File? {
    memoryCopies.withLock { copies in
      let known = copies[file.digest, default: []].first { $0.file.holds(file.bytes) }
      guard let copy = known ?? makeMemoryCopy(file) else { return nil }
      if known == nil { copies[file.digest, default: []].append(copy) }
      return PreparedPlugin.File(file, name: name, copy: copy.path, copy.identity)
    }
  }

  private static func makeMemoryCopy(_ file: PluginFile) -> MemoryCopy? {
    guard let make = GNUFunctions.makeMemoryFile else { return nil }
    // `MFD_CLOEXEC`, `MFD_ALLOW_SEALING`, and `MFD_EXEC`, which kernels before 6.3 reject.
    var number = make("appcore-plugin", 0x1 | 0x2 | 0x10)
    if number < 0 { number = make("appcore-plugin", 0x1 | 0x2) }
    guard number >= 0 else { return nil }
    let copy = OpenFile(number)
    // `F_ADD_SEALS`, and the seals against shrinking, growing, writing and further seals.
    guard Descriptor.writeAll(file.bytes, to: number) == nil, fchmod(number, 0o500) == 0,
      fcntl(number, 1033, 0xf) == 0, let status = copy.status
    else { return nil }
    return (copy, "/proc/\(getpid())/fd/\(number)", FileIdentity(status))
  }
}

extension Rejection {
  fileprivate static func notCopied(folder: String, error: Int32) -> Rejection {
    Rejection(
      .pluginNotCopied, "no private copy can be made in '\(folder)': \(errorText(error))")
  }

  static func notExecutable(folder: String) -> Rejection {
    Rejection(
      .pluginNotExecutable, "the system runs no code from '\(folder)', where its private copy is")
  }
}
