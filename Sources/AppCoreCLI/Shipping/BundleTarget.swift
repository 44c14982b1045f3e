internal import AppCheck
internal import Glibc
internal import Support

/// The path and form of a bundle that is to be written.
struct BundleTarget {
  /// The path, without slashes at its end.
  let path: String
  /// The form of an archive, never `tar`; `nil` for a folder.
  let form: BundleArchive.Form?
  var parent: String { FilePath.folder(of: path) }

  /// Takes the form from the path's extension.
  ///
  /// - Throws: ``BundleError`` if the extension is that of an unsupported archive, or something of
  ///   another type is at the path.
  init(_ given: String) throws(BundleError) {
    var path = given
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    try BundleArchive.checkEnding(of: path) { $0 != .tar }
    self.path = path
    form = BundleArchive.Form(path)
    guard let status = FilePath.status(path, followsLinks: false) else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == (form == nil ? S_IFDIR : S_IFREG) else {
      throw taken(kind == S_IFLNK ? "it is a link" : "it exists, and is not a bundle")
    }
  }

  /// Checks that there is nothing at the path, or an empty folder or file, or a bundle of the app.
  func check(isOf name: String, _ work: WorkFolder) throws(BundleError) {
    guard let status = FilePath.status(path, followsLinks: false) else { return }
    let found: String?
    if let form {
      guard status.st_size > 0 else { return }
      found = (try? BundleArchive(path, form, work))?.appName
    } else {
      guard FilePath.names(in: path)?.isEmpty != true else { return }
      found = (try? BundleDescription.read(in: path, of: path))?.description.name
    }
    guard let found else { throw taken("it exists, and is not a bundle") }
    guard found == name else { throw taken("it is a bundle of another app, '\(found)'") }
  }

  private func taken(_ reason: String) -> BundleError {
    BundleError(path, .bundleTargetExists, reason)
  }

  /// Checks that the path is not inside the folders that the bundle is made from.
  func check(outside folders: [String]) throws(BundleError) {
    var (parent, rest) = (parent, FilePath.name(of: path))
    while !FilePath.isFolder(parent), parent != "." && parent != "/" {
      rest = FilePath.name(of: parent) + "/" + rest
      parent = FilePath.folder(of: parent)
    }
    guard let place = FilePath.resolved(parent) else { return }
    let target = FilePath.resolved(path) ?? place + "/" + rest
    for folder in folders {
      let folder = FilePath.resolved(folder) ?? folder
      guard target != folder, !target.hasPrefix(folder + "/") else {
        throw BundleError(
          path, .bundleTargetInside,
          "it would be in '\(FilePath.name(of: folder))', a folder of the app")
      }
    }
  }

  /// Moves a finished archive to the path, with the mode and the time that all files of bundles have.
  func take(archive: String, time: Int) throws(BundleError) {
    try BundleError.reporting(path) { () throws(SystemError) in
      guard chmod(archive, 0o644) == 0 else { throw SystemError(errno) }
      try BundleTree.setTime(of: archive, to: time)
    }
    try take(archive)
  }

  /// Moves the finished bundle, a folder or a file on the same file system, to the path and replaces
  /// what is there, atomically.
  func take(_ made: String) throws(BundleError) {
    guard form == nil, FilePath.status(path, followsLinks: false) != nil else {
      guard rename(made, path) == 0 else { throw BundleError(path, SystemError(errno)) }
      return
    }
    // After the exchange the old bundle is at `made`, in the work folder, and is removed with it.
    // RENAME_EXCHANGE, which not all file systems support.
    guard FilePath.rename(made, to: path, flags: 2) || rename(made, path) == 0 else {
      throw BundleError(path, SystemError(errno))
    }
  }
}
