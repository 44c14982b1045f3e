internal import Diagnostics
internal import Glibc
internal import Support

/// Where a bundle is to be, and in which form.
struct BundleTarget {
  enum Form: Hashable {
    case folder, tarGz, deb
  }

  /// The path, without slashes at its end.
  let path: String
  let form: Form
  /// The folder that holds it.
  var parent: String { FilePath.folder(of: path) }

  /// Looks at the place.
  ///
  /// - Throws: where there is something else than a bundle.
  init(_ given: String) throws(BundleError) {
    var path = given
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    try BundleArchive.checkEnding(of: path) { $0 != .tar }
    self.path = path
    form =
      switch BundleArchive.Form(path) {
      case .tarGz: .tarGz
      case .deb: .deb
      case .tar, nil: .folder
      }
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard kind == (form == .folder ? S_IFDIR : S_IFREG) else {
      throw taken(kind == S_IFLNK ? "it is a link" : "it exists, and is not a bundle")
    }
  }

  /// Makes sure that what is there may be replaced: nothing but a bundle of the same app.
  ///
  /// - Parameters:
  ///   - name: the app's name.
  ///   - packing: what decompresses.
  /// - Throws: ``BundleError`` where something else would be lost.
  func check(isOf name: String, _ packing: Compression) throws(BundleError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    let found: String?
    if form == .folder {
      guard FilePath.names(in: path)?.isEmpty != true else { return }
      found = BundleDescription.find(in: path)?.description.name
    } else {
      guard status.st_size > 0 else { return }
      guard let form = BundleArchive.Form(path) else { return }
      found = (try? BundleArchive(path, form, packing))?.appName
    }
    guard let found else { throw taken("it exists, and is not a bundle") }
    guard found == name else { throw taken("it is a bundle of another app, '\(found)'") }
  }

  private func taken(_ reason: String) -> BundleError {
    BundleError(path, .bundleTargetExists, reason)
  }

  /// Makes sure that the bundle would not be among what it is made of.
  ///
  /// - Parameter folders: the folders that it is made of.
  /// - Throws: ``BundleError`` where it would be.
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

  /// Puts what was made in its place, at once; what was there is gone.
  ///
  /// - Parameter made: a folder or a file on the same file system.
  /// - Throws: what the system refuses.
  func take(_ made: String) throws(BundleError) {
    var status = stat()
    let isReplaced = form == .folder && lstat(path, &status) == 0
    guard isReplaced else {
      guard rename(made, path) == 0 else { throw BundleError(path, SystemError(errno)) }
      return
    }
    // The former bundle is then where the new one was made, and removed with that.
    guard exchangePaths(made, path) || rename(made, path) == 0 else {
      throw BundleError(path, SystemError(errno))
    }
  }
}

/// Exchanges two paths at once; whether that was possible.
private func exchangePaths(_ first: String, _ second: String) -> Bool {
  typealias Exchange =
    @convention(c) (
      Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
    ) -> Int32
  guard let symbol = dlsym(nil, "renameat2") else { return false }
  let exchange = unsafeBitCast(symbol, to: Exchange.self)
  // RENAME_EXCHANGE
  return exchange(AT_FDCWD, first, AT_FDCWD, second, 2) == 0
}
