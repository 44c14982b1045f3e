internal import AppCheck
internal import Support

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

  /// Checks that a path, without slashes at its end, does not end with the extension of an archive
  /// whose form is not allowed.
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
  let members: [TarReader.Member]

  /// Reads an archive.
  ///
  /// - Throws: ``BundleError`` if it can't be read, or is damaged, unsafe or too large.
  init(_ path: String, _ form: Form, _ work: WorkFolder) throws(BundleError) {
    self.form = form
    var bytes = try BundleError.read(path, limit: TarReader.sizeLimit)
    var name = path
    if form == .deb { (name, bytes) = try Self.data(ofDebianPackage: bytes, archive: path) }
    bytes = try work.decompress(bytes, name: name, for: path)
    members = try TarReader(bytes, archive: path).members
  }

  /// The bundle's folder in the archive; `nil` if there is no bundle.
  var root: String? { described?.root }

  /// The name of the bundled app; `nil` if there is no bundle, or its description is not valid.
  var appName: String? {
    described.flatMap { found in
      (try? BundleDescription(found.bytes, name: found.name, of: found.root)).map(\.name)
    }
  }

  /// The bundle's folder, the app's name, and the contents of `bundle.json`.
  ///
  /// The bundle is a top-level folder; in a Debian package, a folder in `usr/lib`.
  private var described: (root: String, name: String, bytes: [UInt8])? {
    let depth = form == .deb ? 3 : 1
    for member in members {
      let names = member.path.split(separator: "/")
      guard case .file(let bytes, _) = member.kind, names.count == depth + 3,
        form != .deb || names.starts(with: ["usr", "lib"]), names[depth] == "share",
        names[depth + 2] == BundleDescription.fileName
      else { continue }
      return (names.prefix(depth).joined(separator: "/"), String(names[depth + 1]), bytes)
    }
    return nil
  }

  /// Finds the member of a Debian package with its files, `data.tar` with any compression.
  ///
  /// - Returns: the member's name and contents.
  /// - Throws: ``BundleError`` if the package is damaged or has no such member.
  static func data(
    ofDebianPackage bytes: [UInt8], archive: String
  ) throws(BundleError) -> (name: String, bytes: [UInt8]) {
    let magic = Array("!<arch>\n".utf8)
    guard bytes.starts(with: magic) else {
      throw BundleError(archive, .archiveDamaged, "it is not a Debian package")
    }
    var position = magic.count
    while position + 60 <= bytes.count {
      let header = bytes[position..<position + 60]
      func field(_ offset: Int, _ width: Int) -> String {
        String(decoding: header.dropFirst(offset).prefix(width), as: UTF8.self)
          .split(whereSeparator: { $0 == " " || $0 == "/" }).first.map(String.init) ?? ""
      }
      let start = position + 60
      guard header.suffix(2).elementsEqual([0x60, 0x0a]), let size = Int(field(48, 10)), size >= 0,
        size <= bytes.count - start
      else { break }
      let name = field(0, 16)
      if name.hasPrefix("data.tar") { return (name, Array(bytes[start..<start + size])) }
      position = start + size + size % 2
    }
    throw BundleError(archive, .archiveDamaged, "the package is cut off or damaged")
  }
}
