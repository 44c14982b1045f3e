internal import Glibc
internal import PluginHost
internal import Sessions
package import Support

/// The input of a script that was read but not carried out yet, kept for the next worker.
///
/// It is a file in memory. Its header has the number of lines that were carried out, and the offset
/// at which the bytes of the next line begin. Lines that were carried out take at most 1 MiB or so.
package final class InputSpool: @unchecked Sendable {
  // Unchecked: used only on the thread that reads lines.
  private static let headerSize = 16
  /// How many bytes of lines that were carried out may be kept.
  private static let slack = 1 << 20
  private let file: ImageFile
  private var end: Int
  private var position: Int
  /// The offset in the header.
  private var start: Int
  /// Where the part of the file begins that takes memory, apart from the header.
  private var kept = InputSpool.headerSize
  /// Whether bytes that were handed out could not be written.
  private var hasGap = false
  /// How many lines of the input were carried out before those in the file.
  package private(set) var firstLine: Int

  init(_ file: ImageFile) {
    self.file = file
    var reader = ByteReader(file.contents(from: 0, atMost: Self.headerSize)[...])
    firstLine = Int(clamping: reader.word() ?? 0)
    start = max(Int(clamping: reader.word() ?? 0), Self.headerSize)
    end = max(file.size, start)
    position = start
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
    guard !bytes.isEmpty else { return [] }
    if file.write(bytes, at: end) {
      end += bytes.count
      position = end
    } else {
      // A part of it must not be taken for the input.
      file.truncate(to: end)
      hasGap = true
    }
    return bytes
  }

  /// Removes the bytes of lines that have been carried out.
  ///
  /// Those that a previous worker has read and this one has not are kept.
  ///
  /// - Parameters:
  ///   - lines: how many lines of the input have been carried out, from its beginning.
  ///   - unread: how many of the bytes that were handed out belong to later lines.
  package func forget(lines: Int, unread: Int) {
    // Not for each line, where many were read at once.
    guard unread == 0 || !hasGap && position - unread - start >= Self.slack else { return }
    write(lines, start: position - unread)
    hasGap = false
    if unread == 0, position == end, end > Self.slack {
      // If the process ends here, the old offset is behind the end, which means that the file has no
      // lines.
      file.truncate(to: Self.headerSize)
      (end, position, kept) = (Self.headerSize, Self.headerSize, Self.headerSize)
      write(lines, start: end)
    } else if start - kept >= Self.slack, file.free(kept..<start) {
      kept = start
    }
  }

  private func write(_ lines: Int, start: Int) {
    (firstLine, self.start) = (lines, start)
    var writer = ByteWriter()
    writer.word(UInt64(lines))
    writer.word(UInt64(start))
    _ = file.write(writer.bytes, at: 0)
  }
}
