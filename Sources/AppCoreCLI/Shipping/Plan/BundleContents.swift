internal import AppCheck
internal import Glibc
internal import Manifest
internal import PluginHost
internal import Support

/// The contents of a bundle's folder, read without running any of its code.
struct BundleContents {
  let description: BundleDescription
  let report: ManifestReport
  /// The digests of the plugins' libraries, by the plugins' names.
  let digests: [String: String]

  /// Reads a bundle.
  ///
  /// - Parameters:
  ///   - root: its folder.
  ///   - bundle: the name of the bundle in messages.
  ///   - given: the options for reading its manifest.
  /// - Throws: ``BundleError`` with the name of the damaged file, or ``AppLoadError``.
  init(_ root: String, of bundle: String, _ given: AppOptions) throws {
    let (description, file) = try BundleDescription.read(in: root, of: bundle)
    self.description = description
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
    self.digests = digests
    report = try read(options)
  }
}
