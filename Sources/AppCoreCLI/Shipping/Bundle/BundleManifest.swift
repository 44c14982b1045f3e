internal import AppCheck
internal import Manifest
internal import PluginHost
internal import Support

/// The manifest of a bundle, with its included files.
///
/// The texts are those of the app, except that plugins are given by `name` instead of by `path`.
enum BundleManifest {
  /// Rewrites the manifest and its includes for the bundle.
  ///
  /// - Parameters:
  ///   - report: the app.
  ///   - manifest: the app's manifest.
  /// - Returns: the files, the manifest first, with their paths from the manifest's folder.
  /// - Throws: ``BundleError`` if an include is outside the manifest's folder, or a plugin's entry
  ///   can't be rewritten.
  static func files(
    _ report: ManifestReport, _ manifest: Manifest
  ) throws(BundleError) -> [(path: String, bytes: [UInt8])] {
    var edits: [Int: [(range: SourceRange, text: String)]] = [:]
    for (plugin, name) in zip(manifest.plugins, report.plugins.names) {
      guard case .path = plugin.reference, let entry = plugin.pathEntry, let name else { continue }
      edits[plugin.range.file, default: []] += [(entry.key, "name"), (entry.value, name)]
    }
    let root = FilePath.resolved(FilePath.folder(of: report.path)) ?? "."
    var files: [(path: String, bytes: [UInt8])] = []
    // The app's lock is left out: the bundle gets its own, since its plugins are different files.
    let lock = AppLock.path(ofManifest: report.path)
    for (index, source) in report.sources.files.enumerated() where source.path != lock {
      let included = FilePath.resolved(source.path).flatMap { FilePath.inside(root, $0) }
      guard let path = index == 0 ? FilePath.name(of: source.path) : included else {
        throw BundleError(
          source.path, .bundleIncludeOutside, "it is not in the manifest's folder, '\(root)'")
      }
      var bytes = source.bytes
      for edit in (edits[index] ?? []).sorted(by: { $0.range > $1.range }) {
        let start = source.byte(at: edit.range.start)
        let end = source.byte(at: edit.range.end)
        guard start < end, end <= bytes.count else {
          throw BundleError(
            source.path, .bundleManifest,
            "line \(edit.range.start.line): the plugin's `path` can't be replaced by its name")
        }
        bytes.replaceSubrange(start..<end, with: Array(edit.text.utf8))
      }
      files.append((path, bytes))
    }
    return files
  }

  /// Checks that the rewritten manifest names the same plugins as the original.
  static func check(
    _ bundled: ManifestReport, isSameAs report: ManifestReport
  ) throws(BundleError) {
    let names = bundled.manifest?.plugins.map { plugin in
      if case .name(let name) = plugin.reference { name } else { "" }
    }
    guard names == report.plugins.names.map({ $0 ?? "" }) else {
      throw BundleError(
        report.path, .bundleManifest, "a plugin's `path` can't be replaced by its name")
    }
  }
}
