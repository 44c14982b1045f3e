internal import Support

/// A member of a tar archive: a folder, a file or a symbolic link.
struct ArchiveEntry: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case folder
    case file([UInt8], isExecutable: Bool)
    /// A symbolic link with its target.
    case link(String)
  }

  /// The path from the archive's root, without a leading `./` or a trailing `/`.
  let path: String
  let kind: Kind
}

extension [ArchiveEntry] {
  /// Creates members for files, with `lead` before each path, and for all folders on their paths.
  ///
  /// The members are sorted by the bytes of their paths, so a folder comes before its contents.
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
