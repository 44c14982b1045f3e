internal import PluginHost

/// How changes are laid out in a file: a header, then frames one after the other.
///
/// A frame is the length of its content, the number of the frame before plus one, a digest of both
/// and of the content, and the content: an ``ImageChange``. A frame is taken for what it is only if
/// all of that fits, so one that was torn is left out, and with it all that come after it.
package enum ImageFrame {
  /// The first bytes of a file: what it is, and the version of the format.
  static let header: [UInt8] = Array("appcore session".utf8) + [version]
  package static let version: UInt8 = 2
  /// How long a frame is besides its content.
  static let overhead = 24
  /// How long a content may be.
  static let limit = 1 << 30

  /// A frame with this content.
  static func bytes(_ content: [UInt8], number: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.word(UInt64(content.count))
    writer.word(number)
    writer.word(digest(length: UInt64(content.count), number: number, content[...]))
    return writer.bytes + content
  }

  /// Reads the frame at the beginning of `bytes`; `nil` where there is none that is whole.
  static func read(_ bytes: ArraySlice<UInt8>) -> (number: UInt64, content: ArraySlice<UInt8>)? {
    var reader = ByteReader(bytes)
    guard let length = reader.word(), let number = reader.word(), let expected = reader.word(),
      length <= UInt64(limit), length <= UInt64(reader.left)
    else { return nil }
    let start = bytes.startIndex + overhead
    let content = bytes[start..<start + Int(length)]
    guard digest(length: length, number: number, content) == expected else { return nil }
    return (number, content)
  }

  /// Of the content alone first, so that it need not be copied behind the two numbers.
  private static func digest(
    length: UInt64, number: UInt64, _ content: ArraySlice<UInt8>
  ) -> UInt64 {
    let inner = content.withUnsafeBytes { ContentDigest($0).value }
    return withUnsafeBytes(of: (length.littleEndian, number.littleEndian, inner.littleEndian)) {
      ContentDigest($0).value
    }
  }
}
