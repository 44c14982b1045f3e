internal import Support

/// A validated plugin with its private copies: all that is needed to load it, without its bytes.
///
/// A value that can be kept from one start to the next: see ``ScanCache``.
public struct PreparedPlugin: Hashable, Sendable {
  /// A file that the loader is given: the plugin's, or that of a library that it brings along.
  struct File: Hashable, Sendable {
    /// The plugin's name, or the one under which a library is needed.
    let name: String
    /// The file that was read, and its identity at that time.
    let path: String
    let identity: FileIdentity
    let digest: UInt64
    /// The private copy that the loader is given, and its identity.
    let copy: String
    let copyIdentity: FileIdentity
    /// Whether the loader knows a library by its name once it is loaded.
    let isKnownByName: Bool
  }

  let file: File
  /// The libraries that it brings along, in the order in which they are loaded.
  let libraries: [File]
  /// Libraries of the system that it needs, which are loaded before it.
  let systemLibraries: [SystemLibrary]
  /// Paths that were searched in vain; if a file appears at one, the plugin gets another library.
  let absent: [String]
  /// Whether no other user can change the file or its libraries; see ``FileTrust``.
  let isGuarded: Bool
  /// Whether the identities tell the files from later versions; see ``FileClock/margin``.
  let isSettled: Bool
  /// Whether the copies are kept for the next start.
  let isKept: Bool
  var trust: FileTrust
  /// The folder to remove when the copies are no longer needed, if there is one.
  let temporaryFolder: String?
  /// The size of the address range that it takes when it is loaded.
  let span: UInt64
  /// The build ID of its file in hexadecimal digits; `nil` if it has none.
  package let buildID: String?
  /// What tells its code from any other, where that was asked for.
  package let digests: PluginDigests?

  public var name: String { file.name }
  /// The path that was read, and the identity of the file at that time.
  public var path: String { file.path }
  public var identity: FileIdentity { file.identity }
  /// The digest of the file as 16 hexadecimal digits: equal for equal files, whatever their path.
  public var generation: String { ContentDigest.text(file.digest) }
  /// The digests of the file and of the libraries it brings along, which identify the build.
  public var contentID: String {
    ([file] + libraries).map { ContentDigest.text($0.digest) }.joined(separator: "-")
  }
  /// The paths that the loader is given: the plugin's copy, and those of the libraries it brings.
  public var copies: [String] { ([file] + libraries).map(\.copy) }
  /// The key of a build that a process has loaded.
  var loadedKey: String { digests.map { "\($0.key)" } ?? generation }
  /// The C symbol of the plugin's entry.
  var entrySymbol: String { "\(PluginMetadata.entryPrefix)\(name)" }

  /// Whether the copies and the libraries of the system are unchanged.
  ///
  /// - Complexity: one `stat` for each.
  var hasSoundCopies: Bool {
    ([file] + libraries).allSatisfy { PluginFile.identity(of: $0.copy) == $0.copyIdentity }
      && systemLibraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
  }

  /// Whether a search for the libraries that it needs would find the same, unchanged files.
  ///
  /// - Complexity: one `stat` for each library, and for each path at which there is none.
  var hasSameLibraries: Bool {
    libraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
      && systemLibraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
      && absent.allSatisfy { PluginFile.identity(of: $0) == nil }
  }

  /// Whether the loader finds the copies of libraries that it has to search for, and for
  /// `isGuarding` no other user can change that.
  ///
  /// - Complexity: O(1) where the loader knows all libraries by name; otherwise some system calls
  ///   for each path at which there is none.
  func findsCopies(isGuarding: Bool) -> Bool {
    guard !libraries.allSatisfy(\.isKnownByName) else { return true }
    // Some of these are for other libraries. If one of those is the reason, the plugin is read again.
    return (try? Dependencies.checkSearch(at: absent, isGuarding: isGuarding)) != nil
  }

  package func discardTemporaryCopies() {
    guard let temporaryFolder else { return }
    FilePath.remove(temporaryFolder)
  }
}

extension PreparedPlugin.File {
  init(_ file: PluginFile, name: String, copy: String, _ copyIdentity: FileIdentity) {
    self.init(
      name: name, path: file.path, identity: file.identity, digest: file.digest.value,
      copy: copy, copyIdentity: copyIdentity, isKnownByName: file.metadata.soname == name)
  }
}

extension PreparedPlugin {
  /// A validated plugin, with the copies of its files.
  init(
    _ plugin: ValidatedPlugin, _ digests: PluginDigests?, file: File, libraries: [File],
    isKept: Bool, temporaryFolder: String? = nil
  ) {
    self.init(
      file: file, libraries: libraries, systemLibraries: plugin.dependencies.system,
      absent: plugin.dependencies.absent, isGuarded: plugin.files.allSatisfy(\.isGuarded),
      isSettled: plugin.files.allSatisfy(\.isSettled), isKept: isKept, trust: plugin.file.trust,
      temporaryFolder: temporaryFolder, span: plugin.file.elf.addressEnd,
      buildID: plugin.file.metadata.buildIDText,
      digests: digests)
  }
}

// The binary format in which a prepared plugin is sent to the scanning process and cached.
extension ByteWriter {
  mutating func identity(_ identity: FileIdentity) {
    word(identity.device)
    word(identity.inode)
    word(identity.size)
    word(UInt64(bitPattern: identity.modified))
    word(UInt64(bitPattern: identity.changed))
  }

  mutating func prepared(_ plugin: PreparedPlugin) {
    file(plugin.file)
    list(plugin.libraries) { $0.file($1) }
    list(plugin.systemLibraries) { writer, library in
      writer.string(library.path)
      writer.identity(library.identity)
    }
    list(plugin.absent) { $0.string($1) }
    let flags = [
      plugin.isGuarded, plugin.isSettled, plugin.isKept, plugin.trust.allowsAll,
      plugin.digests != nil,
    ]
    for flag in flags { byte(flag ? 1 : 0) }
    string(plugin.temporaryFolder ?? "")
    word(plugin.span)
    string(plugin.buildID ?? "")
    guard let digests = plugin.digests else { return }
    digest(digests.file)
    // In an order, so that the cache is not written again for another one.
    list(digests.libraries.sorted { $0.key < $1.key }) { writer, library in
      writer.string(library.key)
      writer.digest(library.value)
    }
  }

  private mutating func file(_ file: PreparedPlugin.File) {
    string(file.name)
    string(file.path)
    identity(file.identity)
    word(file.digest)
    string(file.copy)
    identity(file.copyIdentity)
    byte(file.isKnownByName ? 1 : 0)
  }
}

extension ByteReader {
  mutating func identity() -> FileIdentity? {
    guard let device = word(), let inode = word(), let size = word(), let modified = word(),
      let changed = word()
    else { return nil }
    return FileIdentity(
      device: device, inode: inode, size: size, modified: Int64(bitPattern: modified),
      changed: Int64(bitPattern: changed))
  }

  mutating func prepared() -> PreparedPlugin? {
    guard let file = file(), let libraries = list({ $0.file() }),
      let systemLibraries = list({ $0.systemLibrary() }), let absent = list({ $0.string() }),
      let isGuarded = byte(), let isSettled = byte(), let isKept = byte(),
      let allowsAll = byte(), let hasDigests = byte(), let folder = string(), let span = word(),
      let buildID = string()
    else { return nil }
    var digests: PluginDigests?
    if hasDigests != 0 {
      guard let digest = self.digest(),
        let libraries = list({ reader in
          reader.string().flatMap { name in reader.digest().map { (name, $0) } }
        })
      else { return nil }
      digests = PluginDigests(
        file: digest, libraries: Dictionary(libraries, uniquingKeysWith: { $1 }))
    }
    return PreparedPlugin(
      file: file, libraries: libraries, systemLibraries: systemLibraries, absent: absent,
      isGuarded: isGuarded != 0, isSettled: isSettled != 0, isKept: isKept != 0,
      trust: allowsAll != 0 ? .all : .guarded, temporaryFolder: folder.isEmpty ? nil : folder,
      span: span, buildID: buildID.isEmpty ? nil : buildID, digests: digests)
  }

  private mutating func file() -> PreparedPlugin.File? {
    guard let name = string(), let path = string(), let identity = identity(),
      let digest = word(), let copy = string(), let copyIdentity = self.identity(),
      let isKnownByName = byte()
    else { return nil }
    return PreparedPlugin.File(
      name: name, path: path, identity: identity, digest: digest, copy: copy,
      copyIdentity: copyIdentity, isKnownByName: isKnownByName != 0)
  }

  private mutating func systemLibrary() -> SystemLibrary? {
    guard let path = string(), let identity = identity() else { return nil }
    return SystemLibrary(path: path, identity: identity)
  }
}
