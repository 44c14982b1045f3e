/// Converts a file's bytes to UTF-8 without a byte order mark.
enum TextDecoding {
  /// The text in UTF-8.
  ///
  /// UTF-16 and UTF-32 are recognised by their marks or by their zero bytes, as YAML requires. An
  /// unpaired surrogate becomes a byte that is not valid UTF-8, so that it is reported with its
  /// position.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    for isBig in [true, false] where bytes.count % 4 == 0 {
      let first = isBig ? Array(bytes.prefix(4)) : bytes.prefix(4).reversed()
      if first == [0, 0, 0xFE, 0xFF] { return utf8(bytes.dropFirst(4), isBig, UTF32.self) }
      if first.starts(with: [0, 0, 0]) { return utf8(bytes[...], isBig, UTF32.self) }
    }
    for isBig in [true, false] where bytes.count >= 2 {
      let first = isBig ? Array(bytes.prefix(2)) : bytes.prefix(2).reversed()
      if first == [0xFE, 0xFF] { return utf8(bytes.dropFirst(2), isBig, UTF16.self) }
      if first[0] == 0, first[1] != 0 { return utf8(bytes[...], isBig, UTF16.self) }
    }
    return bytes
  }

  private static func utf8<Codec: UnicodeCodec>(
    _ bytes: ArraySlice<UInt8>, _ isBig: Bool, _: Codec.Type
  ) -> [UInt8] where Codec.CodeUnit: FixedWidthInteger {
    let size = Codec.CodeUnit.bitWidth / 8
    var units = (0..<bytes.count / size).lazy.map { index in
      (0..<size).reduce(Codec.CodeUnit(0)) { unit, byte in
        let offset = index * size + (isBig ? byte : size - 1 - byte)
        return unit << 8 | Codec.CodeUnit(bytes[bytes.startIndex + offset])
      }
    }.makeIterator()
    var decoder = Codec()
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    while true {
      switch decoder.decode(&units) {
      case .scalarValue(let scalar): result.append(contentsOf: UTF8.encode(scalar) ?? .init())
      case .error: result.append(0xFF)
      case .emptyInput: return bytes.count % size == 0 ? result : result + [0xFF]
      }
    }
  }
}
