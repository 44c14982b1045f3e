internal import AppCheck
internal import AppCore
internal import Manifest
internal import PluginHost
internal import Support

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
  /// The manifest to run, and the arguments by which its plugins are found.
  let program: (manifest: String, arguments: [String])
  /// Whether it is a bundle or an archive of one.
  let isBundle: Bool
  /// Keeps the folder of an unpacked archive.
  private let source: AppSource

  /// Reads a bundle's folder, an archive of a bundle, an app's folder or a manifest.
  ///
  /// - Throws: ``BundleError``, ``WorkspaceError`` or ``AppLoadError``.
  init(_ path: String, options given: AppOptions) throws {
    self.path = path
    var options = given
    // Variables need no values, since the app is not run.
    options.allowsUnsetVariables = true
    source = try AppSource(path, environment: options.environment)
    if let root = source.bundle {
      let bundle = try BundleContents(root, of: path, options)
      (report, digests) = (bundle.report, bundle.digests)
      (appcore, architecture) = (bundle.description.appcore, bundle.description.architecture)
      isBundle = true
      program = (bundle.report.path, ["--plugin-path", root + "/lib/appcore/plugins"])
      return
    }
    report = try ManifestReport(source.manifest, options: options)
    guard !report.hasErrors else { throw AppLoadError.problems(report) }
    digests = report.plugins.members.compactMapValues(\.digest)
    program = (source.manifest, [])
    (appcore, architecture, isBundle) = (SDK.version, nil, false)
  }
}
