/// Writes tar archives in the ustar format, with pax headers for long paths.
///
/// All members are owned by root and have the same time, so that the same input makes the same
/// bytes.
enum TarWriter {
  /// The bytes of an archive.
  ///
  /// - Parameters:
  ///   - entries: the members, in their order.
  ///   - lead: a prefix of each path, such as `./`.
  ///   - time: the time of each member, in seconds since 1970.
  /// - Returns: the archive.
  static func bytes(_ entries: [ArchiveEntry], lead: String = "", time: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      let path = lead + entry.path
      switch entry.kind {
      case .folder: append(&bytes, path + "/", mode: 0o755, type: "5", time: time)
      case .file(let contents, let isExecutable):
        append(
          &bytes, path, mode: isExecutable ? 0o755 : 0o644, type: "0", contents: contents,
          time: time)
      case .link(let target):
        append(&bytes, path, mode: 0o777, type: "2", link: target, time: time)
      }
    }
    bytes.append(contentsOf: [UInt8](repeating: 0, count: 1024))
    // Tar programs expect the size to be a multiple of a record, which is 20 blocks.
    pad(&bytes, to: 10_240)
    return bytes
  }

  private static func append(
    _ bytes: inout [UInt8], _ path: String, mode: Int, type: Unicode.Scalar,
    contents: [UInt8] = [], link: String = "", time: Int
  ) {
    var extended = ""
    if path.utf8.count > 100 { extended += record("path", path) }
    if link.utf8.count > 100 { extended += record("linkpath", link) }
    if !extended.isEmpty {
      append(
        &bytes, "PaxHeader", mode: 0o644, type: "x", contents: Array(extended.utf8), time: time)
    }
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: some Sequence<UInt8>, at offset: Int, limit: Int) {
      for (index, byte) in text.prefix(limit).enumerated() { header[offset + index] = byte }
    }
    func put(_ number: Int, at offset: Int, digits: Int) {
      let text = String(number, radix: 8)
      let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
      put((zeros + text).utf8, at: offset, limit: digits)
    }
    put(path.utf8, at: 0, limit: 100)
    put(mode, at: 100, digits: 7)
    put(0, at: 108, digits: 7)
    put(0, at: 116, digits: 7)
    put(contents.count, at: 124, digits: 11)
    put(max(0, time), at: 136, digits: 11)
    put([UInt8](repeating: 0x20, count: 8), at: 148, limit: 8)
    header[156] = UInt8(ascii: type)
    put(link.utf8, at: 157, limit: 100)
    put("ustar\u{0}00root".utf8, at: 257, limit: 12)
    put("root".utf8, at: 297, limit: 4)
    put(header.reduce(0) { $0 + Int($1) }, at: 148, digits: 6)
    header[154] = 0
    bytes += header
    bytes += contents
    pad(&bytes, to: 512)
  }

  /// A record of a pax header, `LENGTH KEY=VALUE`; the length includes its own digits.
  private static func record(_ key: String, _ value: String) -> String {
    let rest = " \(key)=\(value)\n"
    var length = rest.utf8.count
    while String(length).utf8.count + rest.utf8.count != length {
      length = String(length).utf8.count + rest.utf8.count
    }
    return "\(length)\(rest)"
  }

  private static func pad(_ bytes: inout [UInt8], to block: Int) {
    let rest = bytes.count % block
    if rest > 0 { bytes.append(contentsOf: [UInt8](repeating: 0, count: block - rest)) }
  }
}
