internal import Glibc

/// A plugin whose changes are followed: its file, or the folder of its sources.
struct FollowedPlugin: Sendable {
  let name: String
  /// The file's path, or the folder's.
  let path: String
  let isFolder: Bool

  /// The folders in which its changes happen.
  ///
  /// A file's folder, and that of the file it is a link to; a folder of sources with all in it that
  /// can hold sources.
  func folders() -> [String] {
    guard isFolder else {
      return [Self.parent(of: path), real.map(Self.parent(of:))].compactMap(\.self)
    }
    var found: [String] = []
    var waiting = [path]
    while let folder = waiting.popLast(), found.count < Self.folderLimit {
      found.append(folder)
      waiting += Self.subfolders(of: folder)
    }
    return found
  }

  /// Whether a file that changed belongs to it.
  func owns(folder: String, name: String) -> Bool {
    let changed = folder + "/" + name
    guard isFolder else { return changed == path || changed == real }
    return (folder == path || folder.hasPrefix(path + "/")) && name.hasSuffix(".swift")
      && !name.hasPrefix(".")
  }

  /// How many folders are followed at most; more is a loop of mounts.
  private static let folderLimit = 4096

  /// The path without links; `nil` where it leads nowhere.
  private var real: String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func subfolders(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      // What is built stands in hidden folders, and is no source.
      guard !name.hasPrefix(".") else { continue }
      var status = stat()
      // Links to folders are not followed: the builder does not lead out of the folder either.
      guard lstat(folder + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        continue
      }
      found.append(folder + "/" + name)
    }
    return found
  }
}
