internal import Glibc
internal import PluginHost
internal import Sessions
package import Support

/// The input of a script that was read but not carried out yet, kept for the next worker.
///
/// It is a file in memory. Its header has the number of lines that were carried out, and the offset
/// at which the bytes of the next line begin.
package final class InputSpool: @unchecked Sendable {
  // Unchecked: used only on the thread that reads lines.
  private static let headerSize = 16
  /// The size of the file above which lines that were carried out are removed, in bytes.
  private static let slack = 1 << 20
  private let file: ImageFile
  private var end: Int
  private var position: Int
  /// How many lines of the input were carried out before those in the file.
  package private(set) var firstLine: Int

  init(_ file: ImageFile) {
    self.file = file
    let bytes = file.contents()
    var reader = ByteReader(bytes.prefix(Self.headerSize))
    firstLine = Int(clamping: reader.word() ?? 0)
    let start = Int(clamping: reader.word() ?? 0)
    end = max(bytes.count, Self.headerSize)
    // An offset behind the end is that of a file that was truncated, and contains no lines.
    position = start > bytes.count ? end : max(start, Self.headerSize)
  }

  /// Reads the bytes that the previous worker has left, then the input itself.
  ///
  /// - Returns: at most `count` bytes; none at the end of the input.
  package func read(
    _ descriptor: Int32, atMost count: Int
  ) throws(InputOutputError) -> [UInt8] {
    if position < end {
      // Shorter where a plugin has closed the file: then the input follows.
      let kept = file.contents(from: position, atMost: count)
      position += kept.count
      if !kept.isEmpty { return kept }
    }
    let bytes = try Descriptor.read(descriptor, atMost: count)
    if !bytes.isEmpty, file.write(bytes, at: end) {
      end += bytes.count
      position = end
    }
    return bytes
  }

  /// Removes the bytes that were handed out, because their lines have been carried out.
  ///
  /// Those that a previous worker has read and this one has not are kept.
  ///
  /// - Parameter lines: how many lines of the input have been carried out, from its beginning.
  package func forget(lines: Int) {
    firstLine = lines
    write(lines, start: position)
    guard position == end, end > Self.slack else { return }
    // If the process ends here, the old offset is behind the end, which means that the file is
    // empty.
    _ = ftruncate(file.descriptor, off_t(Self.headerSize))
    (end, position) = (Self.headerSize, Self.headerSize)
    write(lines, start: end)
  }

  private func write(_ lines: Int, start: Int) {
    var writer = ByteWriter()
    writer.word(UInt64(lines))
    writer.word(UInt64(start))
    _ = file.write(writer.bytes, at: 0)
  }
}
