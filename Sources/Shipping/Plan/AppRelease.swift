internal import AppCheck
internal import AppCore
internal import Diagnostics
internal import Glibc
internal import Manifest
internal import PluginHost
internal import Support
internal import Workspaces

/// A version of an app to compare with another: a bundle, an archive of a bundle, or a manifest.
///
/// No code of a bundle is run; its plugins are described by the interface files in the bundle.
struct AppRelease {
  /// The path as given by the caller.
  let path: String
  let report: ManifestReport
  /// The version of appcore that made the bundle; for a manifest, this one's.
  let appcore: String
  /// The processor architecture of a bundle; `nil` for a manifest.
  let architecture: String?
  /// The digests of the plugins' libraries, by the plugins' names.
  let digests: [String: String]
  /// Whether it is a bundle or an archive of one.
  let isBundle: Bool
  /// The folder of an unpacked archive, which is removed with this value; `nil` for other versions.
  private let work: WorkFolder?

  /// Reads a bundle's folder, an archive of a bundle, an app's folder or a manifest.
  ///
  /// - Throws: ``BundleError``, ``WorkspaceError`` or ``AppLoadError``.
  init(_ path: String, options given: AppOptions) throws {
    self.path = path
    var options = given
    // Variables need no values, since the app is not run.
    options.allowsUnsetVariables = true
    let root: String?
    if FilePath.isFolder(path) {
      work = nil
      // A part of a bundle may be missing, and an app may have a folder of either name.
      let isBundle = ["share", "bin"].allSatisfy { FilePath.isFolder(path + "/" + $0) }
      root = isBundle ? path : nil
    } else {
      try BundleArchive.checkEnding(of: path) { _ in true }
      if let form = BundleArchive.Form(path) {
        guard access(path, R_OK) == 0 else {
          let cause =
            errno == ENOENT ? "no such file; name one that exists" : "\(SystemError(errno))"
          throw AppLoadError.unreadable(path: path, cause: cause)
        }
        let work = try WorkFolder(in: options.environment["TMPDIR"] ?? "/tmp")
        self.work = work
        root = try Self.unpack(path, form, into: work, environment: options.environment)
      } else {
        work = nil
        root = nil
      }
    }
    if let root {
      let bundle = try BundleContents(root, of: path, options)
      (report, digests) = (bundle.report, bundle.digests)
      (appcore, architecture) = (bundle.description.appcore, bundle.description.architecture)
      isBundle = true
      return
    }
    let workspace = try Workspace(path)
    report = try ManifestReport(workspace.manifest, options: options)
    guard !report.hasErrors else { throw AppLoadError.problems(report) }
    digests = report.plugins.members.compactMapValues(\.digest)
    (appcore, architecture, isBundle) = (SDK.version, nil, false)
  }

  /// Unpacks an archive.
  ///
  /// - Returns: the path of the unpacked bundle's folder.
  private static func unpack(
    _ path: String, _ form: BundleArchive.Form, into work: WorkFolder,
    environment: [String: String]
  ) throws(BundleError) -> String {
    let packing = Compression(folder: work.path, environment: environment)
    let archive = try BundleArchive(path, form, packing)
    guard let root = archive.root else {
      throw BundleError(path, .bundleDamaged, "there is no bundle in it")
    }
    let folder = try work.folder("unpacked")
    try BundleError.reporting(folder) { () throws(SystemError) in
      try archive.entries.write(to: folder)
    }
    return folder + "/" + root
  }
}

extension [ArchiveEntry] {
  /// Writes the files and folders; links are left out, since reading a bundle doesn't need them.
  fileprivate func write(to folder: String) throws(SystemError) {
    for entry in self {
      let path = folder + "/" + entry.path
      switch entry.kind {
      case .folder: try WorkFolder.makeFolders(to: path, below: folder)
      case .file(let bytes, let isExecutable):
        try WorkFolder.makeFolders(to: FilePath.folder(of: path), below: folder)
        try BundleTree.write(
          BundleFile(path: entry.path, bytes: bytes, isExecutable: isExecutable, part: .app),
          to: path, time: 0)
      case .link: continue
      }
    }
  }
}
