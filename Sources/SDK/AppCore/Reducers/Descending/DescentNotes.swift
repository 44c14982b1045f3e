/// What the levels of a ``DescentRun`` have noted, the last one on top: each note, and who made it.
struct DescentNotes {
  private var start: UnsafeMutableRawPointer
  /// How many bytes are in use.
  private var count = 0
  private var capacity: Int
  private var isOnHeap = false

  private static var word: Int { MemoryLayout<Unmanaged<Descent>>.size }

  init(_ buffer: UnsafeMutableRawBufferPointer) {
    start = buffer.baseAddress.unsafelyUnwrapped
    capacity = buffer.count
  }

  /// Makes room for a level's note.
  ///
  /// - Returns: where it is to be made.
  @inline(__always)
  mutating func push(_ descent: Descent) -> UnsafeMutableRawPointer {
    let size = descent.noteSize
    if count &+ size &+ Self.word > capacity { grow() }
    let note = start + count
    (note + size).storeBytes(
      of: Unmanaged.passUnretained(descent), as: Unmanaged<Descent>.self)
    count &+= size &+ Self.word
    return note
  }

  /// Who made the last note; `nil` where there is none.
  mutating func popOwner() -> Unmanaged<Descent>? {
    guard count > 0 else { return nil }
    count &-= Self.word
    return (start + count).load(as: Unmanaged<Descent>.self)
  }

  /// The last note, which stays where it is until another one is made.
  mutating func pop(_ size: Int) -> UnsafeMutableRawPointer {
    count &-= size
    return start + count
  }

  /// A note takes less than what there is at first.
  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: 4 * capacity, alignment: Self.word)
    larger.copyMemory(from: start, byteCount: count)
    free()
    start = larger
    capacity *= 4
    isOnHeap = true
  }

  func free() {
    // What a note holds is let go of when its level is left.
    if isOnHeap { start.deallocate() }
  }
}
