import Glibc

/// Bytes at the very end of a mapping with an inaccessible page behind it and one before it.
///
/// A read past the end ends the process, so a test that finishes has proved that there was none.
/// Reads before the start are caught when the bytes fill whole pages.
final class GuardedBytes {
  private let mapping: UnsafeMutableRawPointer
  private let length: Int
  private let room: Int

  init?(capacity: Int) {
    let page = 4096
    room = (capacity + page - 1) / page * page
    length = room + 2 * page
    guard
      let mapping = mmap(
        nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      mapping != MAP_FAILED
    else { return nil }
    self.mapping = mapping
    mprotect(mapping, page, PROT_NONE)
    mprotect(mapping + page + room, page, PROT_NONE)
  }

  deinit { munmap(mapping, length) }

  /// Puts bytes at the end and lends them.
  func with<Result>(
    _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let count = bytes.count
    precondition(count <= room)
    let start = mapping + 4096 + room - count
    UnsafeMutableRawBufferPointer(start: start, count: count).copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }
}
