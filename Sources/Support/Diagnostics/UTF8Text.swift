internal import Glibc

/// Helpers that read UTF-8 as bytes, without making strings.
package enum UTF8Text {
  /// Whether a byte continues a scalar that began before it.
  package static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The number of UTF-16 code units of the scalar that begins with a byte.
  static func utf16Length(ofScalarAt byte: UInt8) -> Int { byte >= 0xF0 ? 2 : 1 }

  /// The first place of some bytes in others, from an offset on; `nil` if they are not there.
  ///
  /// The standard library's `firstRange(of:)` takes 170 ns a byte.
  package static func range(
    of part: [UInt8], in bytes: [UInt8], from start: Int = 0
  ) -> Range<Int>? {
    bytes.withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        guard let base = bytes.baseAddress, let wanted = part.baseAddress, let first = part.first
        else { return nil }
        var offset = start
        while offset + part.count <= bytes.count,
          let found = memchr(base + offset, Int32(first), bytes.count - offset)
        {
          offset = UnsafeRawPointer(found) - base
          guard offset + part.count <= bytes.count else { return nil }
          if memcmp(base + offset, wanted, part.count) == 0 { return offset..<offset + part.count }
          offset += 1
        }
        return nil
      }
    }
  }

  /// Whether every byte is ASCII.
  package static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }
}
