internal import AppCheck
internal import Glibc
internal import Support

/// The documents of an app that its bundle includes.
///
/// These are README, CHANGELOG, LICENSE, COPYING and NOTICE with any extension, and all files in
/// `docs` that are not hidden.
enum AppDocuments {
  static let folder = "docs"

  /// Reads the documents in an app's folder.
  ///
  /// - Parameter folder: the app's folder.
  /// - Returns: the files, with their paths from the folder.
  /// - Throws: ``BundleError`` if a document is not a regular file, or can't be read.
  static func files(in folder: String) throws(BundleError) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    for name in (FilePath.names(in: folder) ?? []).sorted()
    where ["README", "CHANGELOG", "LICENSE", "COPYING", "NOTICE"].contains(stem(name)) {
      files.append((name, try read(folder + "/" + name)))
    }
    let docs = folder + "/" + Self.folder
    var status = stat()
    // If `docs` is a link, it is left out, since it could lead anywhere.
    if lstat(docs, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      try walk(docs, lead: Self.folder + "/", depth: 0, &files)
    }
    return files
  }

  private static func stem(_ name: String) -> String {
    String(name.prefix { $0 != "." })
  }

  private static func walk(
    _ folder: String, lead: String, depth: Int, _ files: inout [(path: String, bytes: [UInt8])]
  ) throws(BundleError) {
    guard depth < 32 else {
      throw BundleError(folder, .bundleIncludeOutside, "folders are nested too deeply")
    }
    for name in (FilePath.names(in: folder) ?? []).sorted() where !name.hasPrefix(".") {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        try walk(path, lead: lead + name + "/", depth: depth + 1, &files)
      } else {
        files.append((lead + name, try read(path)))
      }
    }
  }

  private static func read(_ path: String) throws(BundleError) -> [UInt8] {
    var status = stat()
    // A link could lead anywhere.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw BundleError(path, .bundleIncludeOutside, "it is not a regular file")
    }
    guard status.st_size <= TarReader.sizeLimit else {
      throw BundleError(path, .archiveTooLarge, "it has more than \(TarReader.sizeLimit >> 20) MiB")
    }
    return try BundleError.reporting(path) { () throws(SystemError) in
      try WholeFile.read(path, limit: TarReader.sizeLimit)
    }
  }
}
