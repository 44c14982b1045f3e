/// Where a presentation stands in its parent's state.
///
/// `\.$child` is a computed property: through its key path the presentation is copied out and in
/// again, some hundreds of nanoseconds for each level of nested children. What stands behind it is a
/// stored property of ours, whose place is found once; from then on the presentation is used where it
/// is.
@usableFromInline
class PresentedPart<Root, Child> {
  @usableFromInline final let keyPath: WritableKeyPath<Root, PresentationState<Child>>
  /// The presentation's distance from its root's start, in bytes; -1 where it is computed of
  /// something else, -2 until that is known.
  @exclusivity(unchecked) @usableFromInline final var offset: Int

  @usableFromInline
  init(_ keyPath: WritableKeyPath<Root, PresentationState<Child>>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath) ?? -2
  }

  /// The presentation in the `Root` at `root`, where it stands; `nil` where that is not known.
  @inlinable
  final func place(
    at root: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<PresentationState<Child>>? {
    if offset == -2 { find(in: root.assumingMemoryBound(to: Root.self).pointee) }
    guard offset >= 0 else { return nil }
    return (root + offset).assumingMemoryBound(to: PresentationState<Child>.self)
  }

  /// A copy of the presentation in the `Root` at `root`.
  @usableFromInline
  final func presentation(at root: UnsafeMutableRawPointer) -> PresentationState<Child> {
    root.assumingMemoryBound(to: Root.self).pointee[keyPath: keyPath]
  }

  /// What stays the same while the presentation does; 0 where nothing is presented.
  @inlinable
  final func number(at root: UnsafeMutableRawPointer) -> Int {
    guard let place = place(at: root) else { return presentation(at: root).number }
    return place.pointee.number
  }

  /// What the child says it is; `nil` where nothing but its box tells it from another.
  @usableFromInline
  final func own(
    at root: UnsafeMutableRawPointer, by identifier: PresentationIdentifier<Child>
  ) -> PresentationID.Own? {
    guard let place = place(at: root) else { return presentation(at: root).own(by: identifier) }
    return place.pointee.own(by: identifier)
  }

  /// Where the child stands, its box made one that nobody else refers to; `nil` where nothing is
  /// presented or the presentation's place is not known.
  @inlinable
  final func child(at root: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    place(at: root)?.pointee.child
  }

  /// Takes the presentation out of its place, so that its box has one owner and is not copied.
  @usableFromInline
  final func takeOut(at root: UnsafeMutableRawPointer) -> PresentationState<Child> {
    let presentation = presentation(at: root)
    putBack(PresentationState(wrappedValue: nil), at: root)
    return presentation
  }

  @usableFromInline
  final func putBack(_ presentation: PresentationState<Child>, at root: UnsafeMutableRawPointer) {
    root.assumingMemoryBound(to: Root.self).pointee[keyPath: keyPath] = presentation
  }

  /// Finds the stored property that the key path reads and writes, if nothing else changes with it:
  /// another presentation is set in a copy, and the copy compared.
  @usableFromInline
  final func find(in root: Root) {
    offset = -1
    let candidates = StructMetadata.offsets(of: PresentationState<Child>.self, in: Root.self)
    guard !candidates.isEmpty else { return }
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
    if let found, new.pointee[keyPath: keyPath].isSame(as: probe) { offset = found }
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
