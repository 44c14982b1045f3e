/// Helpers that read UTF-8 as bytes, without making strings.
package enum UTF8Text {
  /// Whether a byte continues a scalar that began before it.
  package static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The number of UTF-16 code units of the scalar that begins with a byte.
  static func utf16Length(ofScalarAt byte: UInt8) -> Int { byte >= 0xF0 ? 2 : 1 }

  /// The number of scalars in a run of bytes.
  static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { isContinuation($1) ? $0 : $0 + 1 }
  }

  /// The number of bytes of the line break at an offset; 0 if there is none.
  ///
  /// libyaml follows YAML 1.1 and breaks lines at U+0085, U+2028 and U+2029 too.
  static func lineBreakLength(in bytes: [UInt8], at offset: Int) -> Int {
    func byte(_ distance: Int) -> UInt8 {
      offset + distance < bytes.count ? bytes[offset + distance] : 0
    }
    switch bytes[offset] {
    case 0x0A: return 1
    case 0x0D: return byte(1) == 0x0A ? 2 : 1
    case 0xC2: return byte(1) == 0x85 ? 2 : 0
    case 0xE2: return byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9) ? 3 : 0
    default: return 0
    }
  }

  /// Whether every byte is ASCII.
  package static func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { raw in
      var offset = 0
      var bits: UInt64 = 0
      while offset + 8 <= raw.count {
        bits |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      while offset < raw.count {
        bits |= UInt64(raw[offset])
        offset += 1
      }
      return bits & 0x8080_8080_8080_8080 == 0
    }
  }
}
