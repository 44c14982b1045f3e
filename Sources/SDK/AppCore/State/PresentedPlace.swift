/// Where a presentation stands in its parent's state.
///
/// `\.$child` is a computed property: through its key path the presentation is copied out and in
/// again, some hundreds of nanoseconds for each level of nested children. What stands behind it is a
/// stored property of ours, whose place is found once; from then on the presentation is used where it
/// is.
struct PresentedPlace<Root, Child> {
  /// The presentation's distance from its root's start, in bytes; -1 where it is computed of
  /// something else.
  let offset: Int

  /// Finds the stored property that the key path reads and writes, if nothing else changes with it:
  /// another presentation is set in a copy, and the copy compared.
  init(_ keyPath: WritableKeyPath<Root, PresentationState<Child>>, in root: Root) {
    let candidates = StructMetadata.offsets(of: PresentationState<Child>.self, in: Root.self)
    guard !candidates.isEmpty else {
      offset = -1
      return
    }
    let (old, new) = (Self.copy(root), Self.copy(root))
    let probe = PresentationState<Child>.probe()
    new.pointee[keyPath: keyPath] = probe
    let size = MemoryLayout<Root>.size
    let (oldBytes, newBytes) = (UnsafeRawPointer(old), UnsafeRawPointer(new))
    let changed = (0..<size).filter {
      oldBytes.load(fromByteOffset: $0, as: UInt8.self)
        != newBytes.load(fromByteOffset: $0, as: UInt8.self)
    }
    let found = candidates.first { candidate in
      let property = candidate..<candidate + MemoryLayout<PresentationState<Child>>.size
      let stored = (newBytes + candidate).assumingMemoryBound(to: PresentationState<Child>.self)
      return stored.pointee.isSame(as: probe) && changed.allSatisfy(property.contains)
    }
    offset = new.pointee[keyPath: keyPath].isSame(as: probe) ? found ?? -1 : -1
    for copy in [old, new] {
      copy.deinitialize(count: 1)
      UnsafeMutableRawPointer(copy).deallocate()
    }
  }

  /// A copy on the heap; a state may be larger than the stack.
  private static func copy(_ root: Root) -> UnsafeMutablePointer<Root> {
    let size = MemoryLayout<Root>.size
    let buffer = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<Root>.alignment)
    // Zeroed: what lies between the properties is not copied, and must not differ.
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let copy = buffer.assumingMemoryBound(to: Root.self)
    copy.initialize(to: root)
    return copy
  }
}
