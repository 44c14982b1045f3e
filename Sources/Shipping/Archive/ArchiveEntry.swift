internal import Support

/// A member of an archive.
struct ArchiveEntry: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case folder
    case file([UInt8], isExecutable: Bool)
    /// A symbolic link, and where it leads.
    case link(String)
  }

  /// From the archive's root, without `./` before it and `/` behind it.
  let path: String
  let kind: Kind
}

extension [ArchiveEntry] {
  /// Files below a folder, with the folders that they need, in the order of their paths.
  init(_ files: [BundleFile], below lead: String, and more: [ArchiveEntry] = []) {
    var entries = more
    entries += files.map { file in
      ArchiveEntry(
        path: lead + file.path, kind: .file(file.bytes, isExecutable: file.isExecutable))
    }
    var folders: Set<String> = []
    for entry in entries {
      var path = FilePath.folder(of: entry.path)
      while path != ".", folders.insert(path).inserted { path = FilePath.folder(of: path) }
    }
    entries += folders.map { ArchiveEntry(path: $0, kind: .folder) }
    self = entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }
}
