internal import AppCheck
internal import AppCore
internal import Glibc
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Support

/// A version of an app to compare with another: a bundle, an archive of a bundle, or a manifest.
///
/// No code of a bundle is run; its plugins are described by the interface files in the bundle.
struct AppRelease {
  let path: String
  let report: ManifestReport
  /// The digests of the plugins' libraries, by the plugins' names.
  let digests: [String: String]
  /// `nil` for a manifest.
  private let bundle: BundleDescription?
  /// Keeps the folder of an unpacked archive.
  private let source: AppSource

  var isBundle: Bool { bundle != nil }
  /// The version of appcore that made the bundle; for a manifest, this one's.
  var appcore: String { bundle?.appcore ?? SDK.version }
  /// The processor architecture of a bundle; `nil` for a manifest.
  var architecture: String? { bundle?.architecture }

  /// The manifest to run, and the arguments by which its plugins are found.
  var program: (manifest: String, arguments: [String]) {
    (source.manifest, source.bundle.map { ["--plugin-path", $0 + AppSource.plugins] } ?? [])
  }

  var name: String { report.graph?.name ?? "" }

  /// The app's version; `nil` if the manifest has none.
  var version: String? { report.manifest?.version?.value }

  /// Reads a bundle's folder, an archive of a bundle, an app's folder or a manifest.
  ///
  /// - Throws: ``BundleError``, ``CommandError`` or ``AppLoadError``.
  init(_ path: String, options given: AppOptions) throws {
    self.path = path
    var options = given
    // Variables need no values, since the app is not run.
    options.allowsUnsetVariables = true
    source = try AppSource(path, environment: options.environment)
    if let root = source.bundle {
      (bundle, report, digests) = try Self.read(bundle: root, of: path, options)
      return
    }
    report = try ManifestReport(source.manifest, options: options)
    guard !report.hasErrors else { throw AppLoadError.problems(report) }
    digests = report.plugins.members.compactMapValues(\.digest)
    bundle = nil
  }

  /// Reads the bundle in a folder, which messages call `bundle`, without running any of its code.
  ///
  /// - Throws: ``BundleError`` with the name of the damaged file, or ``AppLoadError``.
  private static func read(
    bundle root: String, of bundle: String, _ given: AppOptions
  ) throws -> (BundleDescription?, ManifestReport, digests: [String: String]) {
    let (description, file) = try BundleDescription.read(in: root, of: bundle)
    let folder = FilePath.folder(of: file)
    let manifest = folder + "/" + description.manifest
    func damaged(_ part: String, _ reason: String, details: [String] = []) -> BundleError {
      // Show paths from the bundle's folder: an archive is unpacked into a temporary folder.
      func shown(_ text: String) -> String { text.replacing(root + "/", with: "") }
      return BundleError(
        bundle, .bundleDamaged, "'\(shown(part))' \(shown(reason))", details: details.map(shown))
    }
    guard access(manifest, R_OK) == 0 else { throw damaged(manifest, "is missing") }
    func read(_ options: AppOptions) throws -> ManifestReport {
      let report = try ManifestReport(manifest, options: options)
      guard report.hasErrors else { return report }
      let lines = report.text.split(separator: "\n").map(String.init)
      throw damaged(manifest, "has errors", details: lines)
    }
    var options = given
    // A lock is for what is run, and allows no mocks.
    options.lockUse = .ignore
    options.leavesOutPlugins = true
    let alone = try read(options)
    options.leavesOutPlugins = false
    var digests: [String: String] = [:]
    for plugin in alone.manifest?.plugins ?? [] {
      guard case .name(let name) = plugin.reference else {
        throw damaged(manifest, "gives a plugin by its path, and not by its name")
      }
      let interface = "\(folder)/interfaces/\(name).json"
      let library = "\(root)/lib/appcore/plugins/lib\(name).so"
      for part in [interface, library] where access(part, R_OK) != 0 {
        throw damaged(part, "is missing")
      }
      let said: PluginInterface
      let linked: SharedObject
      do throws(InterfaceError) { said = try PluginInterface(file: interface) } catch {
        throw damaged(interface, "can't be read: \(error.cause.message)")
      }
      do throws(PluginError) { linked = try SharedObject(path: library) } catch {
        throw damaged(library, "can't be read: \(error.message)")
      }
      for (part, found) in [(interface, said.name), (library, linked.pluginName ?? "")]
      where found != name {
        throw damaged(part, "is not that of the plugin '\(name)'")
      }
      digests[name] = PluginStamp.digest(of: linked.bytes)
      options.mocks[name] = interface
    }
    return (description, try read(options), digests)
  }
}
