internal import AppCheck
internal import Diagnostics
internal import Lock
internal import Manifest
internal import Support

/// The manifest of a bundle, with its includes: the same texts, in which plugins go by their names.
enum BundleManifest {
  /// The files, as paths from the manifest's folder; the manifest is the first.
  ///
  /// - Parameters:
  ///   - report: the app.
  ///   - manifest: what it says.
  /// - Returns: the files.
  /// - Throws: a file outside the manifest's folder, or an entry that can't be rewritten.
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
    // The folder's lock is not that of the bundle, whose plugins are other files.
    let lock = AppLock.path(ofManifest: report.path)
    for (index, source) in report.sources.files.enumerated() where source.path != lock {
      guard let real = FilePath.resolved(source.path), real.hasPrefix(root + "/") || index == 0
      else {
        throw BundleError(
          source.path, .bundleIncludeOutside, "it is not in the manifest's folder, '\(root)'")
      }
      let path =
        index == 0 ? FilePath.name(of: source.path) : String(real.dropFirst(root.utf8.count + 1))
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

  /// Makes sure that what was written is the same manifest.
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
