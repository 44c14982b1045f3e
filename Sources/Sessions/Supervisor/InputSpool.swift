internal import Glibc
internal import PluginHost
package import Support

/// What was read of a script's input and is not carried out yet, kept for the next worker.
///
/// A file in memory: how many lines came before what it holds, where that begins, and the bytes.
package final class InputSpool: @unchecked Sendable {
  // Unchecked: used on the thread that reads lines.
  private static let headerSize = 16
  /// How much may have been carried out before it is given up, in bytes.
  private static let slack = 1 << 20

  private let file: ImageFile
  private var end: Int
  private var position: Int
  /// How many lines came before what it holds.
  package private(set) var firstLine: Int

  init(_ file: ImageFile) {
    self.file = file
    let bytes = file.contents()
    var reader = ByteReader(bytes.prefix(Self.headerSize))
    firstLine = Int(clamping: reader.word() ?? 0)
    let start = Int(clamping: reader.word() ?? 0)
    end = max(bytes.count, Self.headerSize)
    // A file that was cut holds nothing any more.
    position = start > bytes.count ? end : max(start, Self.headerSize)
  }

  /// Reads what the worker before has read, then the input itself.
  package func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(InputOutputError) -> Int {
    if position < end {
      let count = pread(
        file.descriptor, buffer.baseAddress, min(buffer.count, end - position), off_t(position))
      if count > 0 {
        position += count
        return count
      }
    }
    let count = try Descriptor.read(descriptor, into: buffer)
    if count > 0, file.write(Array(UnsafeRawBufferPointer(rebasing: buffer[..<count])), at: end) {
      end += count
      position = end
    }
    return count
  }

  /// Forgets what was read: all of it has been carried out.
  ///
  /// - Parameter lines: how many lines that were, from the beginning of the input.
  package func forget(lines: Int) {
    firstLine = lines
    write(lines, start: end)
    guard end > Self.slack else { return }
    // Whenever it ends: a place behind the end says that nothing is there.
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
