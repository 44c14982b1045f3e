internal import AppCheck
internal import Support

struct BundleArchive {
  enum Form: Hashable {
    case tarGz, deb
    /// An uncompressed archive, such as `gunzip` leaves; it can be read but not made.
    case tar

    /// The form that a file's name ends with; `nil` if it ends with none of them.
    init?(_ path: String) {
      let forms = [".tar.gz": Form.tarGz, ".tgz": .tarGz, ".deb": .deb, ".tar": .tar]
      guard let form = forms.first(where: { path.hasSuffix($0.key) })?.value else { return nil }
      self = form
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
  /// The files that are unpacked.
  let members: [TarReader.Member]
  /// What a Debian package has beside them, in the folder `DEBIAN`.
  let control: [TarReader.Member]
  /// The paths of members with rights that no bundle gives.
  let unsafeModes: Set<String>

  /// Reads an archive.
  ///
  /// - Throws: ``BundleError`` if it can't be read, or is damaged, unsafe or too large.
  init(_ path: String, _ form: Form, _ work: WorkFolder) throws(BundleError) {
    self.form = form
    var bytes = try BundleError.read(path, limit: TarReader.sizeLimit)
    guard bytes.count <= TarReader.sizeLimit else {
      throw BundleError(
        path, .archiveTooLarge, "it has more than \(TarReader.sizeLimit >> 20) MiB")
    }
    var name = path
    var control: [TarReader.Member] = []
    if form == .deb {
      let package = bytes
      (name, bytes) = try Self.member("control.tar", ofDebianPackage: package, archive: path)
      bytes = try work.decompress(bytes, name: name, for: path)
      control = try TarReader(bytes, archive: path).members
      (name, bytes) = try Self.member("data.tar", ofDebianPackage: package, archive: path)
    }
    bytes = try work.decompress(bytes, name: name, for: path)
    let reader = try TarReader(bytes, archive: path)
    (members, unsafeModes) = (reader.members, reader.unsafeModes)
    self.control = control.map { .init(path: "DEBIAN/" + $0.path, kind: $0.kind) }
  }

  /// The bundle's folder in the archive; `nil` if there is no bundle.
  var root: String? { described?.root }

  /// The name of the bundled app; `nil` if there is no bundle, or its description is not valid.
  var appName: String? { (try? description(of: ""))?.name }

  /// The bundle's description; `nil` if there is no bundle.
  ///
  /// - Throws: ``BundleError`` if it is not valid.
  func description(of path: String) throws(BundleError) -> BundleDescription? {
    guard let described else { return nil }
    return try BundleDescription(described.bytes, name: described.name, of: path)
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

  /// Finds a member of a Debian package: `data.tar` with its files, or `control.tar`, with any
  /// compression.
  ///
  /// - Returns: the member's name and contents.
  /// - Throws: ``BundleError`` if the package is damaged or has no such member.
  static func member(
    _ start: String, ofDebianPackage bytes: [UInt8], archive: String
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
      let first = position + 60
      guard header.suffix(2).elementsEqual([0x60, 0x0a]), let size = Int(field(48, 10)), size >= 0,
        size <= bytes.count - first
      else { break }
      let name = field(0, 16)
      if name.hasPrefix(start) { return (name, Array(bytes[first..<first + size])) }
      position = first + size + size % 2
    }
    throw BundleError(archive, .archiveDamaged, "the package is cut off or damaged")
  }
}

/// Reads tar archives from untrusted sources, in the ustar, pax and GNU formats.
///
/// Members can only be files, folders, and symbolic links with targets inside the archive, and no
/// member's path leads through a link. An archive with anything else is rejected as a whole.
struct TarReader {
  /// A member: a folder, a file or a symbolic link.
  struct Member: Hashable {
    enum Kind: Hashable {
      case folder
      case file([UInt8], isExecutable: Bool)
      case link(String)
    }

    /// The path from the archive's root, without a leading `./` or a trailing `/`.
    let path: String
    let kind: Kind
  }

  static let memberLimit = 100_000
  static let sizeLimit = 512 << 20

  private let bytes: [UInt8]
  private let archive: String
  private var position = 0
  private(set) var members: [Member] = []
  /// The members that would get what no bundle gives: rights of others to write or of the owner to
  /// run, another owner than root, or attributes that some programs apply and this reader does not.
  private(set) var unsafeModes: Set<String> = []

  /// Reads the bytes of an uncompressed archive, which messages call `archive`.
  ///
  /// - Throws: ``BundleError`` if it is damaged, unsafe or has too many members.
  init(_ bytes: [UInt8], archive: String) throws(BundleError) {
    self.bytes = bytes
    self.archive = archive
    try read()
    try checkLinks()
  }

  /// The values of extended headers, which replace those in the next member's own header.
  private typealias Extension = (path: String?, link: String?, size: Int?, hasMore: Bool)
  private static let noExtension: Extension = (nil, nil, nil, false)

  private mutating func read() throws(BundleError) {
    var next = Self.noExtension
    while true {
      guard position + 512 <= bytes.count else { throw damaged("it ends in the middle") }
      let header = Array(bytes[position..<position + 512])
      if header.allSatisfy({ $0 == 0 }) {
        guard next == Self.noExtension else { throw damaged("a header is for no member") }
        return
      }
      try checkSum(header)
      guard let own = Self.number(header[124..<136]) else {
        throw damaged("a size is not a number")
      }
      let kind = Unicode.Scalar(header[156])
      let isFile = ["0", "\0", "7"].contains(kind)
      // Of others, programs that unpack the archive skip nothing, and would find members there.
      guard isFile || (next.size ?? 0) == 0 && (own == 0 || ["x", "g", "L", "K"].contains(kind))
      else { throw unsafe("a member that is not a file has contents") }
      let size = next.size ?? own
      let start = position + 512
      guard size >= 0, size <= Self.sizeLimit, start + size <= bytes.count else {
        throw damaged("a member is longer than the archive")
      }
      let contents = bytes[start..<start + size]
      position = start + (size + 511) / 512 * 512
      switch kind {
      case "x": next = try extended(contents)
      case "g":
        guard try extended(contents) == Self.noExtension else {
          throw unsafe("a header has attributes for all members")
        }
      case "L": next.path = Self.text(contents)
      case "K": next.link = Self.text(contents)
      default:
        try add(header, contents, next)
        next = Self.noExtension
      }
    }
  }

  private mutating func add(
    _ header: [UInt8], _ contents: ArraySlice<UInt8>, _ given: Extension
  ) throws(BundleError) {
    guard members.count < Self.memberLimit else {
      throw BundleError(
        archive, .archiveTooLarge, "it has more than \(Self.memberLimit) members")
    }
    let prefix = Self.text(header[345..<500])
    let name = Self.text(header[0..<100])
    // With a space in place of the zero, it is GNU's format, in which there is no prefix.
    let isPOSIX = header[257..<263].elementsEqual("ustar\0".utf8)
    let written = given.path ?? (isPOSIX && !prefix.isEmpty ? prefix + "/" + name : name)
    guard let path = Self.safe(written) else {
      throw unsafe("the member '\(written)' would be outside its folder")
    }
    let rights = header[156] == UInt8(ascii: "2") ? 0 : Self.number(header[100..<108])
    if rights.map({ $0 & 0o7022 != 0 }) ?? true || Self.number(header[108..<116]) != 0
      || !["", "root"].contains(Self.text(header[265..<297])) || given.hasMore
    {
      unsafeModes.insert(path)
    }
    switch Unicode.Scalar(header[156]) {
    case "0", "\0", "7":
      guard !path.isEmpty else { throw unsafe("a file has no name") }
      let mode = Self.number(header[100..<108]) ?? 0
      members.append(
        Member(path: path, kind: .file(Array(contents), isExecutable: mode & 0o100 != 0)))
    case "5": if !path.isEmpty { members.append(Member(path: path, kind: .folder)) }
    case "2":
      let target = given.link ?? Self.text(header[157..<257])
      guard !path.isEmpty, Self.staysInside(target, of: path) else {
        throw unsafe("the link '\(written)' leads to '\(target)'")
      }
      members.append(Member(path: path, kind: .link(target)))
    default: throw unsafe("the member '\(written)' is not a file, a folder or a link")
    }
  }

  private func checkSum(_ header: [UInt8]) throws(BundleError) {
    var sum = 0
    for (index, byte) in header.enumerated() {
      sum += (148..<156).contains(index) ? 0x20 : Int(byte)
    }
    guard Self.number(header[148..<156]) == sum else {
      throw damaged("a member's header is not what it was")
    }
  }

  private func damaged(_ reason: String) -> BundleError {
    BundleError(archive, .archiveDamaged, reason)
  }

  private func unsafe(_ reason: String) -> BundleError {
    BundleError(archive, .archiveUnsafe, reason)
  }

  /// Reads an octal number from a header; 0 for an empty field, `nil` if it is not a number.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    guard !digits.isEmpty else { return 0 }
    guard digits.allSatisfy({ 0x30...0x37 ~= $0 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Reads the path, the link target and the size from a pax extended header.
  private func extended(_ contents: ArraySlice<UInt8>) throws(BundleError) -> Extension {
    var result = Self.noExtension
    var rest = contents
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != 0x20 }
      guard let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 1,
        length <= rest.count
      else { throw damaged("an extended header is not one") }
      let line = rest.prefix(length).dropFirst(digits.count + 1).dropLast()
      rest = rest.dropFirst(length)
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = String(decoding: line[line.index(after: equals)...], as: UTF8.self)
      switch String(decoding: line[..<equals], as: UTF8.self) {
      case "path": result.path = value
      case "linkpath": result.link = value
      case "size": result.size = Int(value)
      case "mtime", "atime", "ctime", "comment": break
      default: result.hasMore = true
      }
    }
    return result
  }

  /// The path without `.` components; `nil` if it is absolute, has `..`, or is too long.
  private static func safe(_ path: String) -> String? {
    guard path.utf8.first != UInt8(ascii: "/"), !path.utf8.contains(0), path.utf8.count <= 4096
    else { return nil }
    var names: [String] = []
    for name in components(of: path) where name != "." {
      guard name != "..", name.utf8.count <= 255 else { return nil }
      names.append(name)
    }
    return names.joined(separator: "/")
  }

  /// The names in a path, separated at its slashes, even those that a mark follows.
  private static func components(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a link's target is inside the archive, not counting links on the way.
  private static func staysInside(_ target: String, of path: String) -> Bool {
    guard let first = target.utf8.first, first != UInt8(ascii: "/") else { return false }
    var depth = components(of: path).count - 1
    for name in components(of: target) where name != "." {
      depth += name == ".." ? -1 : 1
      if depth < 0 { return false }
    }
    return true
  }

  /// Rejects duplicate members, members below a link, and links whose target leads through a link.
  ///
  /// Then ``staysInside(_:of:)``, which does not resolve other links, is sufficient.
  private func checkLinks() throws(BundleError) {
    var links = LinkTree()
    var seen: [String: Member.Kind] = [:]
    for member in members {
      if case .link = member.kind { links.insert(Self.components(of: member.path)) }
      let former = seen.updateValue(member.kind, forKey: member.path)
      guard former == nil || former == .folder && member.kind == .folder else {
        throw unsafe("the member '\(member.path)' is there twice")
      }
    }
    for member in members {
      let names = Self.components(of: member.path)
      var way: [Int?] = [LinkTree.root]
      var depth: Int?
      for name in names.dropLast() {
        way.append(links.node(name, in: way[way.count - 1]))
        if links.isLink(way[way.count - 1]) { depth = way.count - 1 }
      }
      if let depth {
        let link = names.prefix(depth).joined(separator: "/")
        throw unsafe("the member '\(member.path)' is behind the link '\(link)'")
      }
      guard case .link(let target) = member.kind else { continue }
      for name in Self.components(of: target) where name != "." {
        guard !links.isLink(way[way.count - 1]) else {
          throw unsafe("the link '\(member.path)' leads through another link")
        }
        if name == ".." {
          way.removeLast()
        } else {
          way.append(links.node(name, in: way[way.count - 1]))
        }
      }
    }
  }
}
