/// Where actions lie that were taken out of others, until their reducers are done.
struct DescentMemory {
  private var start: UnsafeMutableRawPointer
  private var left: Int
  /// What was asked of the heap, when the first bytes were full.
  private var blocks: [UnsafeMutableRawPointer] = []
  private static var blockSize: Int { 1 << 16 }

  init(_ buffer: UnsafeMutableRawBufferPointer) {
    start = buffer.baseAddress.unsafelyUnwrapped
    left = buffer.count
  }

  /// A copy of the bytes at `source`, which stays where it is.
  @inline(__always)
  mutating func copy(
    _ source: UnsafeRawPointer, size: Int, alignment: Int
  ) -> UnsafeMutableRawPointer {
    let target = allocate(size, alignment: alignment)
    if size >= 8, size <= 16 {
      // Both ends; what is in the middle is in both.
      target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      let rest = size - 8
      target.storeBytes(
        of: source.loadUnaligned(fromByteOffset: rest, as: UInt64.self), toByteOffset: rest,
        as: UInt64.self)
    } else {
      target.copyMemory(from: source, byteCount: size)
    }
    return target
  }

  @inline(__always)
  private mutating func allocate(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let room = (size + 15) & ~15
    if alignment > 16 || room > left { return allocateMore(room, alignment: alignment) }
    let place = start
    start += room
    left -= room
    return place
  }

  @inline(never)
  private mutating func allocateMore(_ room: Int, alignment: Int) -> UnsafeMutableRawPointer {
    guard alignment <= 16, room <= Self.blockSize / 16 else {
      return block(room, alignment: alignment)
    }
    let place = block(Self.blockSize, alignment: 16)
    start = place + room
    left = Self.blockSize - room
    return place
  }

  private mutating func block(_ size: Int, alignment: Int) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    blocks.append(block)
    return block
  }

  func free() {
    for block in blocks { block.deallocate() }
  }
}
