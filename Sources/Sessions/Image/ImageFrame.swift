internal import PluginHost

/// The format of image files: a header, followed by frames.
///
/// A frame consists of the length of its content, its number, a digest of both and of the content,
/// and the content, which is an ``ImageChange``. Frames are numbered consecutively. A frame whose
/// digest does not match was not completely written; it is ignored with all that follow.
package enum ImageFrame {
  /// The first bytes of a file: a signature and the version of the format.
  static let header: [UInt8] = Array("appcore session".utf8) + [version]
  package static let version: UInt8 = 3
  /// The oldest version that can be read: it lacks the values of variables.
  static let oldestVersion: UInt8 = 2
  /// The size of a frame without its content, in bytes.
  static let overhead = 24
  /// The maximum size of a frame's content, in bytes.
  static let limit = 1 << 30

  /// The bytes of a frame with this content.
  package static func bytes(_ content: [UInt8], number: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    writer.word(UInt64(content.count))
    writer.word(number)
    writer.word(digest(length: UInt64(content.count), number: number, content[...]))
    return writer.bytes + content
  }

  /// Reads the frame at the beginning of `bytes`; `nil` if it is incomplete or damaged.
  package static func read(_ bytes: ArraySlice<UInt8>) -> (
    number: UInt64, content: ArraySlice<UInt8>
  )? {
    var reader = ByteReader(bytes)
    guard let length = reader.word(), let number = reader.word(), let expected = reader.word(),
      length <= UInt64(limit), length <= UInt64(reader.left)
    else { return nil }
    let start = bytes.startIndex + overhead
    let content = bytes[start..<start + Int(length)]
    guard digest(length: length, number: number, content) == expected else { return nil }
    return (number, content)
  }

  /// The digest of a frame: that of both numbers and of the content's own digest.
  ///
  /// So the content need not be copied to follow the numbers.
  private static func digest(
    length: UInt64, number: UInt64, _ content: ArraySlice<UInt8>
  ) -> UInt64 {
    let inner = content.withUnsafeBytes { ContentDigest($0).value }
    return withUnsafeBytes(of: (length.littleEndian, number.littleEndian, inner.littleEndian)) {
      ContentDigest($0).value
    }
  }
}
