internal import AppCheck
internal import Glibc
internal import Support

/// The app that a command's argument names: a manifest, an app's folder, or a bundle's folder or
/// archive; without an argument, the app in the working directory.
///
/// An archive is unpacked into a temporary folder, which is removed with this value.
struct AppSource {
  let manifest: String
  /// The bundle's folder; `nil` for other apps.
  let bundle: String?
  private let work: WorkFolder?
  /// The folder into which an archive was unpacked; `nil` for other apps.
  var unpackedFolder: String? { work.map { "\($0.path)/\(Self.unpacked)" } }
  private static let unpacked = "unpacked"
  /// The folder of the plugins in a bundle.
  static let plugins = "/lib/appcore/plugins"

  /// Finds the app at a path; `nil` for the working directory.
  ///
  /// - Throws: ``BundleError``, ``CommandError``, or ``AppLoadError`` for an archive that can't be
  ///   read.
  init(_ path: String?) throws {
    if let path, let (root, work) = try Self.bundle(at: path) {
      let (description, file) = try BundleDescription.read(in: root, of: path)
      manifest = FilePath.join(FilePath.folder(of: file), description.manifest)
      (bundle, self.work) = (root, work)
      return
    }
    manifest = try Workspace(path).manifest
    (bundle, work) = (nil, nil)
  }

  /// The options for reading the app: of a bundle, its plugins are searched first, and it has to be
  /// as it was locked.
  func options(_ given: AppOptions) -> AppOptions {
    guard let bundle else { return given }
    var options = given
    options.pluginPath.append(bundle + Self.plugins)
    options.isLocked = true
    return options
  }

  /// Whether a folder is that of a bundle.
  ///
  /// A part of a bundle may be missing, and an app may have a folder of either name.
  static func isBundle(_ folder: String) -> Bool {
    ["share", "bin"].allSatisfy { FilePath.isFolder(folder + "/" + $0) }
  }

  /// The folder of the bundle at a path, and the temporary folder that it is in; `nil` if there is
  /// no bundle.
  private static func bundle(at path: String) throws -> (root: String, work: WorkFolder?)? {
    if FilePath.isFolder(path) { return isBundle(path) ? (path, nil) : nil }
    try BundleArchive.checkEnding(of: path) { _ in true }
    guard let form = BundleArchive.Form(path) else { return nil }
    guard access(path, R_OK) == 0 else {
      let cause =
        errno == ENOENT ? "no such file; name one that exists" : "\(SystemError(errno))"
      throw AppLoadError.unreadable(path: path, cause: cause)
    }
    let work = try WorkFolder()
    let archive = try BundleArchive(path, form, work)
    guard let root = archive.root else {
      throw BundleError(path, .bundleDamaged, "there is no bundle in it")
    }
    if let app = archive.appName, SignedBundle.isRequired(for: app) {
      try SignedBundle(path, archive).verify()
    }
    let folder = try work.folder(unpacked)
    try BundleError.reporting(folder) { () throws(SystemError) in
      try archive.members.write(to: folder)
    }
    return (folder + "/" + root, work)
  }
}

extension [TarReader.Member] {
  /// Writes the files and folders, and links unless they are left out: reading a bundle doesn't need
  /// them.
  func write(to folder: String, withLinks: Bool = false) throws(SystemError) {
    for member in self {
      let path = folder + "/" + member.path
      switch member.kind {
      case .folder: try WorkFolder.makeFolders(to: path, below: folder)
      case .file(let bytes, let isExecutable):
        try WorkFolder.makeFolders(to: FilePath.folder(of: path), below: folder)
        try BundleTree.write(
          BundleFile(path: member.path, bytes: bytes, isExecutable: isExecutable),
          to: path, time: 0)
      case .link(let target):
        guard withLinks else { continue }
        try WorkFolder.makeFolders(to: FilePath.folder(of: path), below: folder)
        guard symlink(target, path) == 0 else { throw SystemError(errno) }
      }
    }
  }
}
