public import AppCheck
internal import AppCore
internal import Glibc
internal import Manifest
internal import PluginHost
internal import Support

/// A bundle: an app with everything that it needs to run on other machines, as a folder or archive.
///
/// It is made in these steps:
/// 1. The plugins are built for release, and the app is checked.
/// 2. The files are collected: the host, the libraries, the plugins, the manifest and its includes,
///    and the documents. None contains a path of this machine.
/// 3. They are written to a temporary folder beside the target, and the app there is checked.
/// 4. The folder, or an archive of it, replaces the target atomically.
///
/// The same inputs make the same bytes on every machine.
public struct Bundle: Sendable {
  /// Options for making a bundle.
  public struct Options: Sendable {
    /// The options for reading the manifest and its plugins.
    public var app: AppOptions
    /// Whether the bundle contains the host and the Swift libraries.
    public var hasRuntime = true
    /// The path of the SSH key to sign the bundle's lock with; `nil` for no signature.
    public var signingKey: String?
    /// The maintainer of a Debian package, as `NAME <MAIL>`.
    ///
    /// If it is `nil`, the environment variables DEBFULLNAME and DEBEMAIL are used.
    public var maintainer: String?
    /// The modification time of all files, in seconds since 1970.
    public var time = Bundle.defaultTime

    /// Creates options.
    public init(app: AppOptions) { self.app = app }
  }

  /// 1980-01-01, the earliest time that all common archive formats can store.
  public static let defaultTime = 315_532_800

  /// The app's name.
  public let name: String
  /// The app's version; `nil` if its manifest has none.
  public let version: String?
  /// The size of each part in bytes, unpacked.
  public let sizes: [BundlePart: Int]
  /// The libraries that have to be installed on a machine that runs the bundle.
  public let systemLibraries: [String]
  /// The size of the archive in bytes; `nil` for a folder.
  public let archiveSize: Int?
  /// What Foundation costs; `nil` if nothing needs it.
  public let foundation: Foundation?

  /// Makes a bundle of an app and writes it.
  ///
  /// - Parameters:
  ///   - workspace: the app.
  ///   - path: the path of the bundle; with the extension `.tar.gz` or `.deb` it is an archive.
  ///   - options: the options.
  /// - Throws: ``AppLoadError`` with the app's problems, or ``BundleError``.
  public init(_ workspace: Workspace, to path: String, options: Options) throws {
    let target = try BundleTarget(path)
    try target.check(outside: Self.inputs(of: workspace, options))
    var appOptions = options.app
    appOptions.configuration = .release
    // The values are given when the bundle is run.
    appOptions.allowsUnsetVariables = true
    var report = try ManifestReport(workspace.manifest, options: appOptions)
    if report.lockEnforcement?.requirement != nil {
      // Of a plugin that is given by its sources, the lock has the debug build.
      appOptions.configuration = .debug
      let locked = try ManifestReport(workspace.manifest, options: appOptions)
      guard !locked.hasErrors else { throw AppLoadError.problems(locked) }
      (appOptions.configuration, appOptions.lockUse) = (.release, .ignore)
      report = try ManifestReport(workspace.manifest, options: appOptions)
    }
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
    foundation = maker.foundation
    archiveSize = try maker.write(tree, target, work)
  }

  /// Checks what can be checked before the plugins are compiled.
  ///
  /// - Parameters:
  ///   - workspace: the app.
  ///   - path: the path of the bundle.
  ///   - options: the options for the bundle.
  /// - Throws: ``BundleError`` if the path has the extension of an unsupported archive, or
  ///   something of another type exists there, or a Debian package has no version or maintainer;
  ///   ``AppLoadError`` if the manifest can't be read.
  public static func check(_ workspace: Workspace, to path: String, options: Options) throws {
    guard try BundleTarget(path).form == .deb else { return }
    var appOptions = options.app
    (appOptions.leavesOutPlugins, appOptions.allowsUnsetVariables) = (true, true)
    let report = try ManifestReport(workspace.manifest, options: appOptions)
    guard !report.hasErrors, let manifest = report.manifest else {
      throw AppLoadError.problems(report)
    }
    _ = try DebianPackage.fields(
      version: manifest.version?.value, manifest: FilePath.name(of: report.path), options)
  }

  /// The folders whose contents go into the bundle.
  ///
  /// A bundle inside one of them would become part of the next bundle.
  private static func inputs(of workspace: Workspace, _ options: Options) -> [String] {
    let plugins = (try? workspace.plugins(options: options.app)) ?? []
    let own = FilePath.resolved(workspace.folder) ?? workspace.folder
    return plugins.map(\.folder) + [FilePath.join(own, AppDocuments.folder)]
  }
}
