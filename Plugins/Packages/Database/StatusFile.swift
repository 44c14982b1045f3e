internal import Glibc

/// Reads a whole file into memory.
///
/// The file is not mapped: if a mapped file is truncated, accessing it kills the process (SIGBUS).
struct StatusFile {
  private static let chunk = 1 << 20

  let path: String
  let progress: ProgressReporter

  /// Reads all bytes of the file.
  ///
  /// dpkg replaces the file by renaming, so the opened file stays intact. A file that grows or
  /// shrinks while it is read is read to its end.
  func read() throws(DatabaseError) -> [UInt8] {
    // O_NONBLOCK: opening a pipe must not block until there is a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    let size = try regularSize(of: descriptor)
    var meter = progress.meter(.reading, total: size)
    var bytes: [UInt8] = []
    // One byte more than the size, so that the read that finds the end need not grow the array.
    var room = size + 1
    while true {
      let result = append(to: &bytes, room: room, from: descriptor, &meter)
      if let result { throw result }
      if bytes.count < room { return bytes }
      guard bytes.count <= DatabaseError.largestSize else {
        throw error(.tooLarge(bytes: bytes.count))
      }
      room = bytes.count * 2 + Self.chunk
    }
  }

  /// Reads until the array has `room` bytes, or the file ends.
  private func append(
    to bytes: inout [UInt8], room: Int, from descriptor: Int32,
    _ meter: inout ProgressReporter.Meter
  ) -> DatabaseError? {
    var failed: DatabaseError?
    let known = bytes
    bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      count = known.withUnsafeBufferPointer { buffer.update(fromContentsOf: $0) }
      guard let base = buffer.baseAddress else { return }
      while count < room {
        let got = Glibc.read(descriptor, base + count, min(Self.chunk, room - count))
        if got < 0 {
          if errno == EINTR { continue }
          failed = failure(errno)
          return
        }
        if got == 0 { return }
        count += got
        if !meter.advance(to: count) {
          failed = error(.cancelled)
          return
        }
      }
    }
    return failed
  }

  private func regularSize(of descriptor: Int32) throws(DatabaseError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw error(.directory)
    default: throw error(.notRegular)
    }
    guard status.st_size <= DatabaseError.largestSize else {
      throw error(.tooLarge(bytes: status.st_size))
    }
    return status.st_size
  }

  private func failure(_ code: Int32) -> DatabaseError {
    switch code {
    case ENOENT, ENOTDIR: error(.missing)
    case EISDIR: error(.directory)
    // The error for a socket, or for a pipe or device without a peer.
    case ENXIO, ENODEV: error(.notRegular)
    default: error(.unreadable(errno: code))
    }
  }

  private func error(_ kind: DatabaseError.Kind) -> DatabaseError {
    DatabaseError(path: path, kind: kind)
  }
}
