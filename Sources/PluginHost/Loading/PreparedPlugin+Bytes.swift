internal import Support

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
    identity(plugin.identity)
    byte(
      (plugin.isGuarded ? 1 : 0) | (plugin.isSettled ? 2 : 0) | (plugin.isKept ? 4 : 0)
        | (plugin.trust.allowsAll ? 8 : 0) | (plugin.seal == nil ? 0 : 16))
    word(plugin.digest)
    identity(plugin.copyIdentity)
    string(plugin.name)
    string(plugin.path)
    string(plugin.copy)
    list(plugin.libraries) { writer, library in
      writer.identity(library.identity)
      writer.word(library.digest)
      writer.string(library.name)
      writer.string(library.path)
      writer.string(library.copy)
      writer.identity(library.copyIdentity)
      writer.byte(library.isKnownByName ? 1 : 0)
    }
    list(plugin.systemLibraries) { writer, library in
      writer.string(library.path)
      writer.identity(library.identity)
    }
    list(plugin.absent) { writer, path in writer.string(path) }
    string(plugin.temporaryFolder ?? "")
    word(plugin.span)
    guard let seal = plugin.seal else { return }
    for digest in [seal.file] + seal.libraries { self.digest(digest) }
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
    guard let identity = identity() else { return nil }
    return prepared(identity, pathOr: nil)
  }

  /// Decodes a plugin; `nil` if it has another identity or path.
  mutating func prepared(_ identity: FileIdentity, path: String) -> PreparedPlugin? {
    guard self.identity() == identity, let plugin = prepared(identity, pathOr: path),
      plugin.path == path
    else { return nil }
    return plugin
  }

  private mutating func prepared(
    _ identity: FileIdentity, pathOr known: String?
  ) -> PreparedPlugin? {
    guard let flags = byte(), let digest = word(),
      let copyIdentity = self.identity(), let name = string(),
      let path = string(orKnown: known), let copy = string(),
      let libraries = list({ reader in reader.library() }),
      let systemLibraries = list({ reader in reader.systemLibrary() }),
      let absent = list({ reader in reader.string() }),
      let folder = string(), let span = word()
    else { return nil }
    var seal: PluginDigests?
    if flags & 16 != 0 {
      guard let read = self.seal(libraries: libraries.count) else { return nil }
      seal = read
    }
    return PreparedPlugin(
      name: name, path: path, identity: identity, isGuarded: flags & 1 != 0,
      isSettled: flags & 2 != 0, digest: digest, copy: copy, copyIdentity: copyIdentity,
      libraries: libraries, systemLibraries: systemLibraries, absent: absent,
      isKept: flags & 4 != 0, trust: flags & 8 != 0 ? .all : .guarded,
      temporaryFolder: folder.isEmpty ? nil : folder, span: span, seal: seal)
  }

  private mutating func seal(libraries count: Int) -> PluginDigests? {
    guard let file = digest() else { return nil }
    var libraries: [SHA256] = []
    for _ in 0..<count {
      guard let digest = digest() else { return nil }
      libraries.append(digest)
    }
    return PluginDigests(file: file, libraries: libraries)
  }

  private mutating func library() -> PreparedPlugin.Library? {
    guard let identity = identity(), let digest = word(), let name = string(),
      let path = string(), let copy = string(), let copyIdentity = self.identity(),
      let flags = byte()
    else { return nil }
    return PreparedPlugin.Library(
      name: name, path: path, identity: identity, digest: digest, copy: copy,
      copyIdentity: copyIdentity, isKnownByName: flags & 1 != 0)
  }

  private mutating func systemLibrary() -> SystemLibrary? {
    guard let path = string(), let identity = identity() else { return nil }
    return SystemLibrary(path: path, identity: identity)
  }
}
