internal import Glibc
package import Support

/// An open file; its descriptor is closed when this object is released.
package final class OpenFile: Sendable {
  let number: Int32

  /// - Parameter number: a descriptor that is closed nowhere else.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// The result of `fstat`; `nil` if it fails.
  var status: stat? { Descriptor.status(number) }

  /// Whether the file holds exactly these bytes.
  ///
  /// It must be one that nobody can truncate meanwhile.
  func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let status, UInt64(clamping: status.st_size) == UInt64(bytes.count),
      let base = bytes.baseAddress,
      let mapped = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, number, 0), mapped != MAP_FAILED
    else { return false }
    defer { munmap(mapped, bytes.count) }
    return memcmp(mapped, base, bytes.count) == 0
  }
}

// Files that children inherit: their numbers are above those of the child's own descriptors, even
// in a process that has closed the standard ones, so that none is overwritten in the child.
extension OpenFile {
  /// Makes a pipe that other children do not inherit.
  static func pipe() throws(SystemError) -> (reader: OpenFile, writer: OpenFile) {
    guard let ends = Descriptor.pipe() else { throw SystemError(errno) }
    let (reader, writer) = (OpenFile(ends.reading), OpenFile(ends.writing))
    return (try reader.movedUp(), try writer.movedUp())
  }

  /// Opens `/dev/null`, for what nobody reads.
  package static func null() throws(SystemError) -> OpenFile {
    let number = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(errno) }
    return try OpenFile(number).movedUp()
  }

  /// Makes a file in memory that has these bytes and begins at them.
  static func inMemory(_ bytes: [UInt8]) throws(SystemError) -> OpenFile {
    let closesOnExec: UInt32 = 1
    guard let make = GNUFunctions.makeMemoryFile else { throw SystemError(ENOSYS) }
    let number = make("appcore-input", closesOnExec)
    guard number >= 0 else { throw SystemError(errno) }
    let file = try OpenFile(number).movedUp()
    if let error = bytes.withUnsafeBytes({ Descriptor.writeAll($0, to: file.number) }) {
      throw error
    }
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError(errno) }
    return file
  }

  private func movedUp() throws(SystemError) -> OpenFile {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 16)
    guard copy >= 0 else { throw SystemError(errno) }
    return OpenFile(copy)
  }
}
