internal import Glibc
internal import Support

/// Why a recording can't be written to a file.
package enum RecordingFileRefusal: Error, Hashable, CustomStringConvertible {
  /// The path is a directory, a pipe or a device, to which writing may block or be useless.
  case notRegular
  /// A system call failed with this error number.
  case system(Int32)

  package var description: String {
    switch self {
    case .notRegular: "it is not a regular file"
    case .system(let code): "\(SystemError(code))"
    }
  }
}

extension RecordingFile {
  /// Opens a file to begin or continue a recording, and sets its mode to 600.
  ///
  /// - Parameters:
  ///   - path: the file; it is created if it does not exist.
  ///   - continues: whether to append to the file's content instead of discarding it; an incomplete
  ///     last line is removed first.
  /// - Returns: the file, open for writing.
  /// - Throws: why the file can't be opened; its content is unchanged.
  package static func opened(
    _ path: String, continues: Bool = false
  ) throws(RecordingFileRefusal) -> RecordingFile {
    // O_NONBLOCK: opening a pipe without a reader would block.
    let descriptor = Glibc.open(
      path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw [EISDIR, ENXIO].contains(errno) ? .notRegular : .system(errno)
    }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard fchmod(descriptor, 0o600) == 0 else { throw .system(errno) }
    if continues { try cutLastLine(of: descriptor, size: Int(status.st_size)) }
    do throws(SystemError) {
      return try RecordingFile(path: path, continues: continues)
    } catch {
      throw .system(error.code)
    }
  }

  /// Removes an incomplete last line, which a process leaves if it is ended while writing.
  private static func cutLastLine(
    of descriptor: Int32, size: Int
  ) throws(RecordingFileRefusal) {
    var end = size
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while end > 0 {
      let start = max(0, end - bytes.count)
      let count = pread(descriptor, &bytes, end - start, off_t(start))
      guard count == end - start else { throw .system(count < 0 ? errno : EIO) }
      if let newline = bytes[..<count].lastIndex(of: 0x0a) {
        end = start + newline + 1
        break
      }
      end = start
    }
    guard end == size || ftruncate(descriptor, off_t(end)) == 0 else { throw .system(errno) }
  }
}
