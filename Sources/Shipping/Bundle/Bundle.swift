public import AppCheck
internal import AppCore
internal import Diagnostics
internal import Glibc
internal import Manifest
internal import PluginHost
internal import PluginTools
internal import Support
public import Workspaces

/// An app with all that it needs, in a folder or an archive that runs on other machines.
///
/// Its life, in this order:
/// 1. the plugins' folders are built for release, and the app is checked.
/// 2. its files are collected: the host, the libraries that are needed, the plugins, the manifest with
///    its includes and documents; nothing that names a folder of this machine.
/// 3. they are written into a folder of its own beside the target, and checked once more there.
/// 4. the folder, or an archive of it, takes the target's place at once.
///
/// The same inputs make the same bytes on each machine.
public struct Bundle: Sendable {
  /// How a bundle is made.
  public struct Options: Sendable {
    /// What the manifest is read with.
    public var app: AppOptions
    /// Whether the host and the libraries of Swift are part of it.
    public var hasRuntime = true
    /// The file of the SSH key that the bundle's lock is signed with.
    public var signingKey: String?
    /// Who maintains a Debian package.
    public var maintainer: String?
    /// The time of all files, in seconds since 1970.
    public var time = Bundle.defaultTime

    /// Creates options.
    public init(app: AppOptions) { self.app = app }
  }

  /// 1980-01-01, which is the earliest time that archives of all forms can hold.
  public static let defaultTime = 315_532_800

  /// The app's name.
  public let name: String
  /// The app's version; `nil` where its manifest gives none.
  public let version: String?
  /// How many bytes each part has, unpacked.
  public let sizes: [BundlePart: Int]
  /// The libraries that the machine has to have.
  public let systemLibraries: [String]
  /// How many bytes the archive has; `nil` for a folder.
  public let archiveSize: Int?

  /// Bundles an app.
  ///
  /// - Parameters:
  ///   - workspace: the app.
  ///   - path: where the bundle is to be; `.tar.gz` and `.deb` make archives.
  ///   - options: how.
  /// - Throws: ``AppLoadError`` with the problems of the app, or ``BundleError``.
  public init(_ workspace: Workspace, to path: String, options: Options) throws {
    let target = try BundleTarget(path)
    try target.check(outside: Self.inputs(of: workspace, options))
    var appOptions = options.app
    appOptions.configuration = .release
    // Whoever runs the bundle gives the values.
    appOptions.allowsUnsetVariables = true
    let report = try ManifestReport(workspace.manifest, options: appOptions)
    guard !report.hasErrors, let manifest = report.manifest else {
      throw AppLoadError.problems(report)
    }
    let maker = try BundleMaker(report, manifest, options)
    try BundleError.reporting(target.parent) { () throws(SystemError) in
      try WorkFolder.makeFolders(to: target.parent)
    }
    let work = try WorkFolder(in: target.parent)
    try target.check(
      isOf: maker.description.name,
      Compression(folder: work.path, environment: options.app.environment))
    let tree = try maker.tree(in: work)
    name = maker.description.name
    version = maker.description.version
    sizes = tree.sizes
    systemLibraries = maker.systemLibraries.keys.sorted()
    archiveSize = try maker.write(tree, target, work)
  }

  /// Makes sure that a bundle can be at a place, as far as the path alone says.
  ///
  /// - Throws: ``BundleError`` where something else is there, or archives of that form hold no bundles.
  public static func checkPlace(_ path: String) throws { _ = try BundleTarget(path) }

  /// The folders in which a bundle can't be: it would be part of the next one.
  private static func inputs(of workspace: Workspace, _ options: Options) -> [String] {
    let plugins = (try? workspace.plugins(options: options.app)) ?? []
    let own = FilePath.resolved(workspace.folder) ?? workspace.folder
    return plugins.map(\.folder) + [FilePath.join(own, AppDocuments.folder)]
  }
}
