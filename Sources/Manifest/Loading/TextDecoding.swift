/// Converts a file's bytes to UTF-8 without a byte order mark.
enum TextDecoding {
  /// The text in UTF-8.
  ///
  /// UTF-16 and UTF-32 are recognised by their marks or by their zero bytes, as YAML requires. An unpaired surrogate
  /// becomes a byte that is not valid UTF-8, so that it is reported with its position.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    if bytes.count % 4 == 0, let wide = utf32(bytes) { return wide }
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), high: 0) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), high: 1) }
    if bytes.count >= 2, bytes[0] == 0, bytes[1] != 0 { return utf16(bytes[...], high: 0) }
    if bytes.count >= 2, bytes[1] == 0, bytes[0] != 0 { return utf16(bytes[...], high: 1) }
    return bytes
  }

  /// The text, if it is UTF-32: it begins with a mark or an ASCII character in four bytes.
  private static func utf32(_ bytes: [UInt8]) -> [UInt8]? {
    let first = bytes.prefix(4)
    let isBig = first.starts(with: [0, 0, 0xFE, 0xFF]) || first.starts(with: [0, 0, 0])
    guard
      isBig || first.elementsEqual([0xFF, 0xFE, 0, 0]) || first.dropFirst().allSatisfy({ $0 == 0 })
    else { return nil }
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let unit = bytes[start..<start + 4]
      let value = (isBig ? Array(unit) : unit.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
      if start == 0, value == 0xFEFF { continue }
      result += Unicode.Scalar(value).map { Array(String($0).utf8) } ?? [0xFF]
    }
    return result
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, high: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var offset = bytes.startIndex
    func unit(at offset: Int) -> UInt16? {
      guard offset + 1 < bytes.endIndex else { return nil }
      return UInt16(bytes[offset + high]) << 8 | UInt16(bytes[offset + 1 - high])
    }
    while offset < bytes.endIndex {
      guard let first = unit(at: offset) else {
        result.append(0xFF)
        break
      }
      offset += 2
      var value = UInt32(first)
      if UTF16.isLeadSurrogate(first), let second = unit(at: offset),
        UTF16.isTrailSurrogate(second)
      {
        value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
        offset += 2
      }
      if let scalar = Unicode.Scalar(value) {
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        result.append(0xFF)
      }
    }
    return result
  }
}
