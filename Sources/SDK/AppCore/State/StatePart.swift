/// A child's part of its parent's state.
///
/// Through a key path it takes the runtime some fifty nanoseconds to find a property. Where that is
/// a stored one, its place is known once and for all.
@usableFromInline
struct StatePart<Root, Part> {
  @usableFromInline let keyPath: WritableKeyPath<Root, Part>
  /// Where the part stands in its root, in bytes; `nil` where it is computed.
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: WritableKeyPath<Root, Part>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  /// Runs `body` on the part, in place.
  @inlinable
  func update<Result>(_ root: inout Root, _ body: (inout Part) -> Result) -> Result {
    guard let offset else { return body(&root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) {
      let part = UnsafeMutableRawPointer($0) + offset
      return body(&part.assumingMemoryBound(to: Part.self).pointee)
    }
  }

  /// What `body` says of the part, which is not copied where it is stored.
  @inlinable
  func read<Result>(_ root: inout Root, _ body: (borrowing Part) -> Result) -> Result {
    guard let offset else { return body(root[keyPath: keyPath]) }
    return withUnsafeMutablePointer(to: &root) {
      let part = UnsafeMutableRawPointer($0) + offset
      return body(part.assumingMemoryBound(to: Part.self).pointee)
    }
  }
}
