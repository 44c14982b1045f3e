/// A child's part of its parent's state, accessed in place.
///
/// This is the only place where reducers bypass the type system. Its contract: `offset` is the
/// offset, in bytes, of a stored property of type `Part` in a `Root`. The standard library gives
/// the offset of a stored property. For a presentation, `\.$child` is computed, and
/// ``presentationOffset(_:in:)`` finds the stored property behind it. With the key path alone, a
/// part would cost about 50 ns for each level, and a presentation would be copied out and in, so
/// that its box would be shared and the child copied as well.
///
/// Plugins rely on `offset` being right, or `nil`, once `isSought` is `false`.
@_fixed_layout
@usableFromInline
final class StatePart<Root, Part>: @unchecked Sendable {
  // Unchecked: the first action finds `offset`, and any other would find the same one.
  @usableFromInline let keyPath: WritableKeyPath<Root, Part>
  @exclusivity(unchecked) @usableFromInline private(set) var offset: Int?
  /// Whether the offset must still be found, in the first root that is used.
  @exclusivity(unchecked) @usableFromInline private(set) var isSought = false
  private let find: ((borrowing Root) -> Int?)?

  @usableFromInline
  init(_ keyPath: WritableKeyPath<Root, Part>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
    find = nil
  }

  /// Creates a part for a presentation, as in `\.$child`.
  @usableFromInline
  init<Child>(
    presentation keyPath: WritableKeyPath<Root, Part>
  ) where Part == PresentationState<Child> {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
    find = { Self.presentationOffset(keyPath, in: $0) }
    isSought = offset == nil
  }

  /// Runs `body` on the part, in place.
  @inlinable
  func update<Result>(_ root: inout Root, _ body: (inout Part) -> Result) -> Result {
    if isSought { findOffset(in: root) }
    guard let offset else { return body(&root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) {
      let part = UnsafeMutableRawPointer($0) + offset
      return body(&part.assumingMemoryBound(to: Part.self).pointee)
    }
  }

  @usableFromInline
  func findOffset(in root: borrowing Root) {
    isSought = false
    offset = find?(root)
  }

  /// Finds the stored property that a key path to a presentation reads and writes, if nothing else
  /// changes with it: sets another presentation in a copy, and compares the copies.
  private static func presentationOffset<Child>(
    _ keyPath: WritableKeyPath<Root, Part>, in root: borrowing Root
  ) -> Int? where Part == PresentationState<Child> {
    let candidates = StructMetadata.offsets(of: Part.self, in: Root.self)
    guard !candidates.isEmpty else { return nil }
    let (old, new) = (heapCopy(root), heapCopy(root))
    defer {
      for copy in [old, new] {
        copy.deinitialize(count: 1)
        UnsafeMutableRawPointer(copy).deallocate()
      }
    }
    var probe = PresentationState<Child>.absent
    let box = probe.makeUnique()
    new.pointee[keyPath: keyPath] = probe
    let size = MemoryLayout<Root>.size
    let (oldBytes, newBytes) = (UnsafeRawPointer(old), UnsafeRawPointer(new))
    let changed = (0..<size).filter {
      oldBytes.load(fromByteOffset: $0, as: UInt8.self)
        != newBytes.load(fromByteOffset: $0, as: UInt8.self)
    }
    guard new.pointee[keyPath: keyPath].box === box else { return nil }
    return candidates.first { candidate in
      let property = candidate..<candidate + MemoryLayout<Part>.size
      let stored = (newBytes + candidate).assumingMemoryBound(to: Part.self)
      return stored.pointee.box === box && changed.allSatisfy(property.contains)
    }
  }

  /// A copy of `root` on the heap; a state may be larger than the stack.
  private static func heapCopy(_ root: borrowing Root) -> UnsafeMutablePointer<Root> {
    let size = MemoryLayout<Root>.size
    let buffer = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<Root>.alignment)
    // Zeroed: padding between the properties is not copied, and must not differ.
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let pointer = buffer.assumingMemoryBound(to: Root.self)
    withUnsafePointer(to: root) { pointer.initialize(from: $0, count: 1) }
    return pointer
  }
}
