internal import Glibc
internal import PluginHost
internal import Sessions
package import Support

/// The input of a script that was read but not carried out yet, kept for the next worker.
///
/// It is a file in memory. Its header has the number of lines that were carried out, and the offset
/// at which the bytes of the next line begin. Once it is long, nothing is read ahead of a line, so that
/// it can be emptied after that line, however the input is split over reads.
package final class InputSpool: @unchecked Sendable {
  // Unchecked: used only on the thread that reads lines.
  private static let headerSize = 16
  /// The size of the file above which lines that were carried out are removed, in bytes.
  private static let slack = 1 << 20
  /// The length above which a line is read as it comes, in bytes: for each read a call of the system
  /// is due.
  private static let longLine = 1 << 16
  private let file: ImageFile
  private var end: Int
  private var position: Int
  /// How many bytes have been read since the last newline.
  private var lineLength = 0
  /// How many lines of the input were carried out before those in the file.
  package private(set) var firstLine: Int

  init(_ file: ImageFile) {
    self.file = file
    var reader = ByteReader(file.contents(from: 0, atMost: Self.headerSize)[...])
    firstLine = Int(clamping: reader.word() ?? 0)
    // An offset behind the end is that of a file that was truncated, and contains no lines.
    let start = Int(clamping: reader.word() ?? 0)
    end = max(file.size, Self.headerSize)
    position = start > end ? end : max(start, Self.headerSize)
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
    let readsAhead = end <= Self.slack || lineLength > Self.longLine
    let bytes = try readInput(descriptor, atMost: readsAhead ? count : 1)
    lineLength = bytes.lastIndex(of: 0x0a).map { bytes.count - 1 - $0 } ?? lineLength + bytes.count
    return bytes
  }

  /// Reads the input, and keeps what was read at the end of the file.
  private func readInput(
    _ descriptor: Int32, atMost count: Int
  ) throws(InputOutputError) -> [UInt8] {
    if let moved = file.move(from: descriptor, at: end, atMost: count) {
      let bytes = file.contents(from: end, atMost: moved)
      guard bytes.count == moved else { throw .cannotRead(errno: EIO) }
      end += bytes.count
      position = end
      return bytes
    }
    // Waiting in `read`, a process that is being killed would still take what is written meanwhile.
    Descriptor.waitForInput(descriptor)
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
    file.truncate(to: Self.headerSize)
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
