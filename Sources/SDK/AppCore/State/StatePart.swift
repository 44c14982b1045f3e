/// A child's part of its parent's state, used where it is.
///
/// This is the one place where reducers go past the type system, and its contract is this: `offset`
/// is the distance of a stored property of type `Part` from the start of a `Root`, in bytes. For a
/// stored property the standard library gives it; for a presentation, `\.$child` is computed, and the
/// property that it stands for is found by ``presentationOffset(_:in:)``. Through the key path alone
/// a part costs some 50 ns for each level, and a presentation is copied out and in, so that its box
/// has two owners and the child is copied as well.
///
/// Plugins rely on `offset` being right, or `nil`, once `isSought` is `false`.
@_fixed_layout
@usableFromInline
final class StatePart<Root, Part>: @unchecked Sendable {
  // Unchecked: `offset` is found by whichever action comes first, and always the same.
  @usableFromInline let keyPath: WritableKeyPath<Root, Part>
  @exclusivity(unchecked) @usableFromInline private(set) var offset: Int?
  /// Whether the offset is still to be found, in the first root that is seen.
  @exclusivity(unchecked) @usableFromInline private(set) var isSought = false
  private let find: ((borrowing Root) -> Int?)?

  @usableFromInline
  init(_ keyPath: WritableKeyPath<Root, Part>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
    find = nil
  }

  /// A presentation, as in `\.$child`.
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
  /// changes with it: another presentation is set in a copy, and the copies are compared.
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

  /// A copy on the heap; a state may be larger than the stack.
  private static func heapCopy(_ root: borrowing Root) -> UnsafeMutablePointer<Root> {
    let size = MemoryLayout<Root>.size
    let buffer = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<Root>.alignment)
    // Zeroed: what lies between the properties is not copied, and must not differ.
    buffer.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let pointer = buffer.assumingMemoryBound(to: Root.self)
    withUnsafePointer(to: root) { pointer.initialize(from: $0, count: 1) }
    return pointer
  }
}
