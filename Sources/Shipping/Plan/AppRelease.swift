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
  init(_ path: String, options: AppOptions) throws {
    self.path = path
    if FilePath.isFolder(path) {
      work = nil
      if let (description, file) = BundleDescription.find(in: path) {
        (report, digests) = try Self.bundle(
          description, FilePath.folder(of: file), root: path, options)
        (appcore, architecture, isBundle) = (description.appcore, description.architecture, true)
        return
      }
      guard FilePath.names(in: path + "/share") == nil else {
        throw BundleError(
          path, .bundleDamaged, "it has no 'share/NAME/bundle.json' that can be read")
      }
    } else if [".tar.gz", ".tgz", ".deb", ".tar"].contains(where: path.hasSuffix) {
      let work = try WorkFolder(in: options.environment["TMPDIR"] ?? "/tmp")
      self.work = work
      let root = try Self.unpack(path, into: work, environment: options.environment)
      guard let (description, file) = BundleDescription.find(in: root) else {
        throw BundleError(path, .bundleDamaged, "there is no bundle in it")
      }
      (report, digests) = try Self.bundle(
        description, FilePath.folder(of: file), root: root, options)
      (appcore, architecture, isBundle) = (description.appcore, description.architecture, true)
      return
    } else {
      work = nil
    }
    let workspace = try Workspace(path)
    report = try ManifestReport(workspace.manifest, options: options)
    guard !report.hasErrors else { throw AppLoadError.problems(report) }
    digests = report.plugins.members.compactMapValues(\.digest)
    (appcore, architecture, isBundle) = (SDK.version, nil, false)
  }

  /// The app in a bundle, by the interfaces of its plugins.
  private static func bundle(
    _ description: BundleDescription, _ folder: String, root: String, _ given: AppOptions
  ) throws -> (ManifestReport, [String: String]) {
    let path = folder + "/" + description.manifest
    var options = given
    options.leavesOutPlugins = true
    let alone = try ManifestReport(path, options: options)
    options.leavesOutPlugins = false
    var digests: [String: String] = [:]
    for plugin in alone.manifest?.plugins ?? [] {
      guard case .name(let name) = plugin.reference else {
        throw BundleError(path, .bundleDamaged, "a plugin is not given by its name")
      }
      let interface = "\(folder)/interfaces/\(name).json"
      guard access(interface, R_OK) == 0 else {
        throw BundleError(interface, .bundleDamaged, "the interface of '\(name)' is missing")
      }
      options.mocks[name] = interface
      let file = "\(root)/lib/appcore/plugins/lib\(name).so"
      guard let bytes = try? WholeFile.read(file, limit: Int(PluginFile.sizeLimit)) else {
        throw BundleError(file, .bundleDamaged, "the plugin '\(name)' is missing")
      }
      digests[name] = LibraryStamp.digest(of: bytes)
    }
    let report = try ManifestReport(path, options: options)
    guard !report.hasErrors else { throw AppLoadError.problems(report) }
    return (report, digests)
  }

  /// Unpacks an archive.
  ///
  /// - Returns: the bundle's folder.
  private static func unpack(
    _ path: String, into work: WorkFolder, environment: [String: String]
  ) throws(BundleError) -> String {
    let packing = Compression(folder: work.path, environment: environment)
    var bytes = try BundleError.reporting(path) { () throws(SystemError) in
      try WholeFile.read(path, limit: TarReader.sizeLimit)
    }
    var name = path
    if path.hasSuffix(".deb") { (name, bytes) = try DebianArchive.data(of: bytes, archive: path) }
    bytes = try packing.decompress(bytes, name: name, for: path)
    let entries = try TarReader(bytes, archive: path).entries
    let folder = try work.folder("unpacked")
    try BundleError.reporting(folder) { () throws(SystemError) in
      try entries.write(to: folder)
    }
    // One folder in an archive, and `/usr/lib/NAME` in a package.
    let parent = path.hasSuffix(".deb") ? folder + "/usr/lib" : folder
    let names = (FilePath.names(in: parent) ?? []).sorted()
    return names.map { parent + "/" + $0 }.first { BundleDescription.find(in: $0) != nil } ?? parent
  }
}

extension [ArchiveEntry] {
  /// Writes files and folders; links are left out, since nothing is run.
  fileprivate func write(to folder: String) throws(SystemError) {
    for entry in self {
      let path = folder + "/" + entry.path
      switch entry.kind {
      case .folder: try WorkFolder.makeFolders(to: path)
      case .file(let bytes, let isExecutable):
        try WorkFolder.makeFolders(to: FilePath.folder(of: path))
        try BundleTree.write(
          BundleFile(path: entry.path, bytes: bytes, isExecutable: isExecutable, part: .app),
          to: path, time: 0)
      case .link: continue
      }
    }
  }
}
