internal import AppCheck
internal import Glibc
internal import Manifest
internal import PluginHost
internal import Support

// The files of an app that its bundle takes over, and those that are made of it.
extension Bundle {
  static let documentsFolder = "docs"

  /// The manifest with what it includes, the documents, the interfaces of the plugins, the launcher
  /// and the description.
  ///
  /// Plugins are given by `name` instead of by `path`; else the manifests are as the app has them.
  /// Documents are README, CHANGELOG, LICENSE, COPYING and NOTICE with any extension, and all files in
  /// `docs` that are not hidden.
  ///
  /// - Throws: ``BundleError`` if one is outside the manifest's folder or is not a regular file, or a
  ///   plugin's entry can't be rewritten.
  static func files(
    of report: ManifestReport, _ manifest: Manifest, _ description: BundleDescription
  ) throws(BundleError) -> [BundleFile] {
    let share = description.folder + "/"
    var files = try manifests(report, manifest, into: share)
    files += try documents(
      in: FilePath.folder(of: report.path), into: "share/doc/\(description.name)/")
    func add(_ path: String, _ text: String, isExecutable: Bool = false) {
      files.append(BundleFile(path: path, bytes: Array(text.utf8), isExecutable: isExecutable))
    }
    add(share + "schema/appcore-1.json", ManifestReport.schemaOfFormat)
    for (name, member) in report.plugins.members {
      add("\(share)interfaces/\(name).json", PluginInterface(member.info).json)
    }
    add(share + BundleDescription.fileName, description.text)
    add("bin/" + description.name, description.launcher(of: manifest), isExecutable: true)
    return files
  }

  /// The manifest and its includes, whose paths from its folder are appended to `place`.
  private static func manifests(
    _ report: ManifestReport, _ manifest: Manifest, into place: String
  ) throws(BundleError) -> [BundleFile] {
    var edits: [Int: [(range: SourceRange, text: String)]] = [:]
    for (plugin, name) in zip(manifest.plugins, report.plugins.names) {
      guard case .path = plugin.reference, let entry = plugin.pathEntry, let name else { continue }
      edits[plugin.range.file, default: []] += [(entry.key, "name"), (entry.value, name)]
    }
    let root = FilePath.resolved(FilePath.folder(of: report.path)) ?? "."
    var files: [BundleFile] = []
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
      files.append(BundleFile(path: place + path, bytes: bytes))
    }
    return files
  }

  private static func documents(
    in folder: String, into place: String
  ) throws(BundleError) -> [BundleFile] {
    var files: [BundleFile] = []
    for name in (FilePath.names(in: folder) ?? []).sorted()
    where ["README", "CHANGELOG", "LICENSE", "COPYING", "NOTICE"].contains(
      String(name.prefix { $0 != "." }))
    {
      files.append(BundleFile(path: place + name, bytes: try read(folder + "/" + name)))
    }
    // If `docs` is a link, it is left out, since it could lead anywhere.
    if kind(of: folder + "/" + documentsFolder) == S_IFDIR {
      try walk(folder, documentsFolder, into: place, depth: 0, &files)
    }
    return files
  }

  private static func walk(
    _ root: String, _ folder: String, into place: String, depth: Int, _ files: inout [BundleFile]
  ) throws(BundleError) {
    guard depth < 32 else {
      throw BundleError(
        root + "/" + folder, .bundleIncludeOutside, "folders are nested too deeply")
    }
    let names = FilePath.names(in: root + "/" + folder) ?? []
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = folder + "/" + name
      switch kind(of: root + "/" + path) {
      case S_IFDIR: try walk(root, path, into: place, depth: depth + 1, &files)
      case nil: continue
      default:
        files.append(BundleFile(path: place + path, bytes: try read(root + "/" + path)))
      }
    }
  }

  private static func kind(of path: String) -> mode_t? {
    FilePath.status(path, followsLinks: false).map { $0.st_mode & S_IFMT }
  }

  private static func read(_ path: String) throws(BundleError) -> [UInt8] {
    // A link could lead anywhere.
    guard let status = FilePath.status(path, followsLinks: false), status.isRegular else {
      throw BundleError(path, .bundleIncludeOutside, "it is not a regular file")
    }
    guard status.st_size <= TarReader.sizeLimit else {
      throw BundleError(path, .archiveTooLarge, "it has more than \(TarReader.sizeLimit >> 20) MiB")
    }
    return try BundleError.read(path, limit: TarReader.sizeLimit)
  }
}
