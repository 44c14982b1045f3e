internal import Synchronization

/// A way into one case of an enum and back out: how to make the case of a value, and how to take the
/// value out of it.
///
/// `/Action.child` makes one from the case itself. Any pair of functions serves as well.
public struct CasePath<Root, Value>: Sendable {
  private let embedding: @Sendable (Value) -> Root
  private let extraction: @Sendable (Root) -> Value?

  /// A path of two functions of your own.
  ///
  /// - Parameters:
  ///   - embed: makes the case of a value.
  ///   - extract: takes the value out; `nil` where the root is in another case.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    embedding = embed
    extraction = extract
  }

  /// The root in this path's case, with `value`.
  public func embed(_ value: Value) -> Root { embedding(value) }

  /// The value of this path's case; `nil` where `root` is in another case.
  public func extract(_ root: Root) -> Value? { extraction(root) }
}

prefix operator /

/// The path into an enum's case: `/Action.child`.
///
/// The case is found in the enum's metadata, once.
/// - Complexity: making a path is O(n) in the number of cases; extracting is constant.
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> CasePath<Root, Value> {
  CasePath(reflecting: embed)
}

extension CasePath {
  init(reflecting embed: @escaping @Sendable (Value) -> Root) {
    let locator = CaseLocator(embed)
    self.init(embed: embed, extract: { locator?.extract($0) })
  }
}

/// Finds the case that a constructor makes, and takes payloads out of it.
private final class CaseLocator<Root, Value>: Sendable {
  private static var unknown: Int { -1 }
  private let metadata: EnumMetadata
  private let embed: @Sendable (Value) -> Root
  /// The cases whose payload has the right type.
  private let candidates: [Int]
  /// The case's tag, once known.
  private let tag: Atomic<Int>

  init?(_ embed: @escaping @Sendable (Value) -> Root) {
    guard let metadata = EnumMetadata(Root.self) else { return nil }
    self.metadata = metadata
    self.embed = embed
    candidates = metadata.cases.indices.filter {
      guard let payload = metadata.cases[$0].payload else { return false }
      return payload == Value.self || unlabelled(payload) == Value.self
    }
    tag = Atomic(candidates.count == 1 ? candidates[0] : Self.unknown)
  }

  func extract(_ root: Root) -> Value? {
    let found = metadata.tag(of: root)
    let known = tag.load(ordering: .relaxed)
    if known != Self.unknown { return known == found ? payload(of: root, tag: found) : nil }
    guard candidates.contains(found) else { return nil }
    // Several cases have this payload type: the constructor itself tells which one it makes.
    let value = payload(of: root, tag: found)
    let made = metadata.tag(of: embed(value))
    tag.store(made, ordering: .relaxed)
    return made == found ? value : nil
  }

  private func payload(of root: Root, tag: Int) -> Value {
    withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
      let start = UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
      start.initializeMemory(as: Root.self, to: root)
      metadata.projectPayload(at: start)
      guard metadata.cases[tag].isIndirect else {
        return start.assumingMemoryBound(to: Value.self).move()
      }
      // The payload of an indirect case is a heap box: two words of header, then the value.
      let box = start.load(as: UnsafeRawPointer.self)
      let alignment = MemoryLayout<Value>.alignment
      let header = 2 * MemoryLayout<Int>.size
      let offset = (header + alignment - 1) & ~(alignment - 1)
      let value = (box + offset).assumingMemoryBound(to: Value.self).pointee
      Unmanaged<AnyObject>.fromOpaque(box).release()
      return value
    }
  }
}
