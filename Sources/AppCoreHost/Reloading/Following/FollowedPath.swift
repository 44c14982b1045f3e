internal import Support

/// A file or a folder of sources whose changes are followed, and what it belongs to.
struct FollowedPath: Hashable, Sendable {
  /// What has changed where this has: a plugin, by its name, or the manifest, which has none.
  ///
  /// Several paths may belong to one.
  let subject: String
  /// The file's path, or the folder's.
  let path: String
  let isFolder: Bool
  /// The links on the way to it, by their paths without links: where one of them leads elsewhere, there
  /// is something else at the path.
  private let links: Set<String>

  /// - Parameters:
  ///   - subject: what it belongs to.
  ///   - path: the path as it was given. Its folder goes by its name without links from here on: the
  ///     system knows a folder by one name only.
  ///   - isFolder: whether it is a folder of sources.
  init(subject: String, path: String, isFolder: Bool) {
    self.subject = subject
    self.isFolder = isFolder
    var plain = path
    while plain.count > 1, plain.hasSuffix("/") { plain.removeLast() }
    links = FilePath.links(along: isFolder ? plain : FilePath.folder(of: plain))
    if isFolder {
      self.path = FilePath.resolved(plain) ?? plain
    } else {
      self.path =
        FilePath.resolved(FilePath.folder(of: plain)).map {
          FilePath.join($0, FilePath.name(of: plain))
        } ?? plain
    }
  }

  /// The folders in which its changes happen.
  ///
  /// A file's folder, and that of the file it is a link to; a folder of sources with all in it that
  /// can hold sources; and those of the links on the way.
  func folders() -> [String] {
    var found = links.map(FilePath.folder(of:)).sorted()
    guard isFolder else {
      return found + [FilePath.folder(of: path), real.map(FilePath.folder(of:))].compactMap(\.self)
    }
    var waiting = [path]
    while let folder = waiting.popLast(), found.count < Self.folderLimit {
      found.append(folder)
      waiting += Self.subfolders(of: folder)
    }
    return found
  }

  /// Whether a file that changed belongs to it.
  func owns(folder: String, name: String) -> Bool {
    let changed = FilePath.join(folder, name)
    if links.contains(changed) { return true }
    guard isFolder else { return changed == path || changed == real }
    return (folder == path || folder.hasPrefix(path + "/")) && name.hasSuffix(".swift")
      && !name.hasPrefix(".")
  }

  /// Whether a file that changed is a link on the way to it.
  func goesThrough(folder: String, name: String) -> Bool {
    links.contains(FilePath.join(folder, name))
  }

  /// How many folders are followed at most; more is a loop of links or mounts.
  private static let folderLimit = 4096

  /// The path without links; `nil` where it leads nowhere.
  private var real: String? { FilePath.resolved(path) }

  private static func subfolders(of folder: String) -> [String] {
    // What is built is in hidden folders, and is not a source.
    (FilePath.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }
      .filter(FilePath.isFolder)
  }
}
