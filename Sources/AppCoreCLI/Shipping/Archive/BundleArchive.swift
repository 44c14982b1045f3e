internal import AppCheck
internal import Support

/// An archive that holds a bundle.
struct BundleArchive {
  enum Form: Hashable {
    case tarGz, deb
    /// An uncompressed archive, such as `gunzip` leaves; it can be read but not made.
    case tar

    /// The form that a file's name ends with; `nil` if it ends with none of them.
    init?(_ path: String) {
      if path.hasSuffix(".tar.gz") || path.hasSuffix(".tgz") {
        self = .tarGz
      } else if path.hasSuffix(".deb") {
        self = .deb
      } else if path.hasSuffix(".tar") {
        self = .tar
      } else {
        return nil
      }
    }
  }

  /// File name extensions of archives; a path with one of them is not taken for a folder.
  private static let foreignEndings: Set<String> = [
    "7z", "apk", "ar", "bz2", "cpio", "deb", "gz", "iso", "jar", "lz", "lz4", "lzma", "rpm", "snap",
    "tar", "tbz", "tbz2", "tgz", "txz", "tzst", "xz", "z", "zip", "zst",
  ]

  /// Checks that a path does not end with the extension of an unsupported archive.
  ///
  /// - Parameters:
  ///   - path: the path, without slashes at its end.
  ///   - allowed: returns whether a form is allowed.
  /// - Throws: ``BundleError`` if it does.
  static func checkEnding(
    of path: String, allowing allowed: (Form) -> Bool
  ) throws(BundleError) {
    if let form = Form(path), allowed(form) { return }
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return }
    let ending = String(path[path.index(after: dot)...])
    guard foreignEndings.contains(ending.lowercased()) else { return }
    throw BundleError(path, .bundleArchiveForm, "a bundle can't be a '.\(ending)'")
  }

  let form: Form
  let entries: [ArchiveEntry]

  /// Reads an archive.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - form: its form.
  ///   - packing: the decompressor.
  /// - Throws: ``BundleError`` if it can't be read, or is damaged, unsafe or too large.
  init(_ path: String, _ form: Form, _ packing: Compression) throws(BundleError) {
    self.form = form
    var bytes = try BundleError.reporting(path) { () throws(SystemError) in
      try WholeFile.read(path, limit: TarReader.sizeLimit)
    }
    var name = path
    if form == .deb { (name, bytes) = try DebianArchive.data(of: bytes, archive: path) }
    bytes = try packing.decompress(bytes, name: name, for: path)
    entries = try TarReader(bytes, archive: path).entries
  }

  /// The bundle's folder in the archive; `nil` if there is no bundle.
  var root: String? { described?.root }

  /// The name of the bundled app; `nil` if there is no bundle, or its description is not valid.
  var appName: String? {
    described.flatMap { found in
      (try? BundleDescription(found.bytes, name: found.name)).map(\.name)
    }
  }

  /// The bundle's folder, the app's name, and the contents of `bundle.json`.
  ///
  /// The bundle is a top-level folder; in a Debian package, a folder in `usr/lib`.
  private var described: (root: String, name: String, bytes: [UInt8])? {
    let depth = form == .deb ? 3 : 1
    for entry in entries {
      let names = entry.path.split(separator: "/")
      guard case .file(let bytes, _) = entry.kind, names.count == depth + 3,
        form != .deb || names.starts(with: ["usr", "lib"]), names[depth] == "share",
        names[depth + 2] == BundleDescription.fileName
      else { continue }
      return (names.prefix(depth).joined(separator: "/"), String(names[depth + 1]), bytes)
    }
    return nil
  }
}
