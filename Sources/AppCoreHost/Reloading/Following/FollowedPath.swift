internal import Support

/// A file or a folder of sources whose changes are followed, with its subject.
struct FollowedPath: Hashable, Sendable {
  /// What is reloaded when the path changes: the name of a plugin, or empty for the manifest.
  ///
  /// Several paths may have the same subject.
  let subject: String
  /// The path with symbolic links resolved, except for a file that is a link itself.
  let path: String
  let isFolder: Bool
  /// The symbolic links on the original path, each by its resolved path.
  ///
  /// If one of them is changed, there is another file at the path.
  private let links: Set<String>

  /// - Parameters:
  ///   - subject: the plugin's name; empty for the manifest.
  ///   - path: the path as it was given. Links to its folder are resolved, because inotify reports
  ///     a folder under one name only.
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

  /// The folders whose events may be changes of this path.
  ///
  /// For a file, its folder and the folder of the link's target if it is a link; for a folder of
  /// sources, that folder and all that are not hidden in it; for both, the folders of ``links``.
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

  /// Whether an event of this file is a change of this path.
  func owns(folder: String, name: String) -> Bool {
    let changed = FilePath.join(folder, name)
    if links.contains(changed) { return true }
    guard isFolder else { return changed == path || changed == real }
    return (folder == path || folder.hasPrefix(path + "/")) && name.hasSuffix(".swift")
      && !name.hasPrefix(".")
  }

  /// Whether this file is a symbolic link on the way to this path.
  func isLinkOnPath(folder: String, name: String) -> Bool {
    links.contains(FilePath.join(folder, name))
  }

  /// The maximum number of folders; more are probably a loop of links or mounts.
  private static let folderLimit = 4096

  /// The path with all links resolved; `nil` if there is no such file.
  private var real: String? { FilePath.resolved(path) }

  private static func subfolders(of folder: String) -> [String] {
    // Hidden folders, such as `.build`, contain no sources.
    (FilePath.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }
      .filter(FilePath.isFolder)
  }
}
