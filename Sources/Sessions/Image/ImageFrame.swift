internal import PluginHost

/// The format of image files: a header, followed by frames.
///
/// A frame consists of the length of its content, its number, a digest of both and of the content,
/// and the content, which is an ``ImageChange``. Frames are numbered consecutively. A frame whose
/// digest does not match was not completely written; it is ignored with all that follow.
package enum ImageFrame {
  /// The first bytes of a file: a signature and the version of the format.
  static let header: [UInt8] = Array("appcore session".utf8) + [version]
  package static let version: UInt8 = 4
  /// The size of a frame without its content, in bytes.
  static let overhead = 24
  /// The maximum size of a frame's content, in bytes.
  static let limit = 1 << 30

  package static func bytes(_ lines: [String], number: UInt64) -> [UInt8] {
    var content: [UInt8] = []
    content.reserveCapacity(lines.reduce(0) { $0 + $1.utf8.count + 1 })
    for line in lines {
      content += line.utf8
      content.append(0x0a)
    }
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

/// Reads images from files, which may be damaged.
public enum ImageReader {
  public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the file does not begin with the signature of sessions.
    package let isForeign: Bool

    fileprivate init(_ description: String, isForeign: Bool = false) {
      self.description = description
      self.isForeign = isForeign
    }
  }

  /// Reads the image from the frames of a file, up to the first that is damaged.
  ///
  /// - Returns: the image, the number of the last complete frame, and how many bytes the header and
  ///   the complete frames have; what follows is ignored.
  /// - Throws: ``Problem`` if there is no image.
  public static func read(
    _ bytes: [UInt8]
  ) throws(Problem) -> (image: SessionImage, number: UInt64, length: Int) {
    guard !bytes.isEmpty else { throw Problem("it is empty") }
    let header = ImageFrame.header
    guard bytes.count >= header.count, bytes.starts(with: header.dropLast()) else {
      throw Problem("it is not a saved session", isForeign: true)
    }
    let version = bytes[header.count - 1]
    guard version == ImageFrame.version else {
      throw Problem(
        "it has format \(version), and this version of appcore reads format \(ImageFrame.version)")
    }
    var position = header.count
    var image: SessionImage?
    var number: UInt64 = 0
    while let frame = ImageFrame.read(bytes[position...]),
      image == nil || frame.number == number &+ 1, let change = ImageChange(frame.content)
    {
      // The first frame contains the whole image, with the identity of the app.
      guard var current = image ?? change.identity.map({ SessionImage(identity: $0) }),
        current.apply(change)
      else { break }
      image = current
      number = frame.number
      position = frame.content.endIndex
    }
    guard let image else { throw Problem("it is damaged") }
    return (image, number, position)
  }
}
