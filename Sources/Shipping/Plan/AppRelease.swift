internal import AppCheck
internal import AppCore
internal import Diagnostics
internal import Glibc
internal import Manifest
internal import PluginHost
internal import Support
internal import Workspaces

/// One of two states of an app that are compared: a bundle, an archive of one, or a manifest.
///
/// Of a bundle nothing is run: what its plugins are is in their interfaces, which are part of it.
struct AppRelease {
  /// The path, as it was given.
  let path: String
  let report: ManifestReport
  /// The version of appcore that the app comes with.
  let appcore: String
  /// The processor that it is for; `nil` for what is built here.
  let architecture: String?
  /// Digests of the plugins' code, by their names.
  let digests: [String: String]
  /// Whether it is a bundle.
  let isBundle: Bool
  /// What was unpacked, for as long as it is looked at.
  private let work: WorkFolder?

  /// Reads a bundle's folder, an archive, a workspace or a manifest.
  ///
  /// - Throws: ``BundleError``, ``WorkspaceError`` or ``AppLoadError``.
  init(_ path: String, options given: AppOptions) throws {
    self.path = path
    var options = given
    // Nothing is run.
    options.allowsUnsetVariables = true
    let root: String?
    if FilePath.isFolder(path) {
      work = nil
      root = FilePath.names(in: path + "/share") == nil ? nil : path
    } else {
      try BundleArchive.checkEnding(of: path) { _ in true }
      if let form = BundleArchive.Form(path) {
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
  /// - Returns: the bundle's folder.
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
  /// Writes files and folders; links are left out, since nothing is run.
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
