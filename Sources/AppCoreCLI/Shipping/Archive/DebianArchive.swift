internal import AppCheck
internal import Support

/// The `ar` archive that a Debian package is, with its three members.
enum DebianArchive {
  private static let magic = Array("!<arch>\n".utf8)

  /// The bytes of a package.
  ///
  /// - Parameters:
  ///   - control: the contents of `control.tar.gz`.
  ///   - data: the contents of `data.tar.gz`.
  ///   - time: the time of each member, in seconds since 1970.
  /// - Returns: the package.
  static func bytes(control: [UInt8], data: [UInt8], time: Int) -> [UInt8] {
    var bytes = magic
    for (name, contents) in [
      ("debian-binary", Array("2.0\n".utf8)), ("control.tar.gz", control), ("data.tar.gz", data),
    ] {
      func field(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
      }
      let header =
        field(name, 16) + field(String(time), 12) + field("0", 6) + field("0", 6)
        + field("100644", 8) + field(String(contents.count), 10) + "`\n"
      bytes += Array(header.utf8)
      bytes += contents
      if contents.count % 2 == 1 { bytes.append(0x0a) }
    }
    return bytes
  }

  /// Finds the member with the package's files, `data.tar` with any compression.
  ///
  /// - Parameters:
  ///   - bytes: the package.
  ///   - archive: the name of the package in messages.
  /// - Returns: the member's name and contents.
  /// - Throws: ``BundleError`` if the package is damaged or has no such member.
  static func data(
    of bytes: [UInt8], archive: String
  ) throws(BundleError) -> (name: String, bytes: [UInt8]) {
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
