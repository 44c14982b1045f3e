internal import Synchronization

/// A path to one case of an enum: embeds a value in the case, and extracts it again.
///
/// `/Action.child` creates one from the case itself. Any pair of functions works as well.
///
/// ```swift
/// enum Child: ComponentAction { case tapped }
/// enum Action: ComponentAction { case child(Child) }
///
/// let found: CasePath<Action, Child> = /Action.child
/// let written = CasePath<Action, Child>(
///   embed: { .child($0) },
///   extract: { if case .child(let action) = $0 { action } else { nil } })
/// ```
@frozen
public struct CasePath<Root, Value>: Sendable {
  @usableFromInline let embedding: @Sendable (Value) -> Root
  @usableFromInline let extraction: @Sendable (Root) -> Value?
  /// Finds the case in the enum's metadata; `nil` for a path of custom functions.
  @usableFromInline let locator: CaseLocator<Root, Value>?
  /// Matches the case by its tag; `nil` for a path of custom functions.
  @usableFromInline var filter: (any CaseFilter)? { locator }

  /// Creates a path from two functions of your own; `extract` returns `nil` for another case.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(embed: embed, extract: extract, locator: nil)
  }

  @usableFromInline
  init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    locator: CaseLocator<Root, Value>?
  ) {
    embedding = embed
    extraction = extract
    self.locator = locator
  }

  /// A root in this path's case, with `value`.
  @inlinable
  public func embed(_ value: Value) -> Root { embedding(value) }

  /// The value of this path's case; `nil` if `root` is in another case.
  @inlinable
  public func extract(_ root: Root) -> Value? {
    if let locator { return locator.extract(root) }
    return extraction(root)
  }
}

/// Matches the actions of one case by their tags.
@usableFromInline
protocol CaseFilter: Sendable {
  /// Whether it matches the case with `tag`; `nil` until a value of such a case was extracted.
  func accepts(_ tag: Int) -> Bool?
}

prefix operator /

/// The path into an enum's case: `/Action.child`.
///
/// The case is looked up in the enum's metadata once.
/// - Complexity: O(*n*), where *n* is the number of cases; extracting is O(1).
@inlinable
public prefix func / <Root, Value>(
  embed: @escaping @Sendable (Value) -> Root
) -> CasePath<Root, Value> {
  CasePath(reflecting: embed)
}

extension CasePath {
  @inlinable
  init(reflecting embed: @escaping @Sendable (Value) -> Root) {
    guard let locator = CaseLocator(embed) else {
      self.init(embed: embed, extract: { _ in nil }, locator: nil)
      return
    }
    self.init(embed: embed, extract: { locator.extract($0) }, locator: locator)
  }
}

/// Finds the case that a constructor makes, and extracts payloads from it.
///
/// Extracting is inlined into the caller: with the types known it is a few instructions.
///
/// Plugins rely on `soleTag` being final if it is not negative, and otherwise on `candidates`
/// containing each possible tag.
@_fixed_layout
@usableFromInline
final class CaseLocator<Root, Value>: CaseFilter {
  @usableFromInline let metadata: EnumMetadata
  @usableFromInline let embed: @Sendable (Value) -> Root
  /// The cases whose payload has the right type.
  @usableFromInline let candidates: [Int]
  /// The case's tag if no other case has a payload of its type; else -1.
  @usableFromInline let soleTag: Int
  /// Whether the payload of that case lives in a heap box.
  @usableFromInline let isIndirect: Bool
  /// The case's tag, once known; else -1.
  private let tag: CachedTag

  @usableFromInline
  init?(_ embed: @escaping @Sendable (Value) -> Root) {
    guard let metadata = EnumMetadata(Root.self) else { return nil }
    self.metadata = metadata
    self.embed = embed
    candidates = metadata.cases.indices.filter {
      guard let payload = metadata.cases[$0].payload else { return false }
      return payload == Value.self || unlabelled(payload) == Value.self
    }
    soleTag = candidates.count == 1 ? candidates[0] : -1
    isIndirect = soleTag >= 0 && metadata.isIndirect(soleTag)
    tag = CachedTag(soleTag)
  }

  @usableFromInline var knownTag: Int { tag.value.load(ordering: .relaxed) }

  @inlinable
  func extract(_ root: Root) -> Value? {
    let found = metadata.tag(of: root)
    let known = soleTag >= 0 ? soleTag : knownTag
    if known >= 0 { return known == found ? payload(of: root, tag: found) : nil }
    guard candidates.contains(found) else { return nil }
    // Several cases have this payload type: embedding a value shows which one the constructor
    // makes.
    let value = payload(of: root, tag: found)
    return learn(metadata.tag(of: embed(value))) == found ? value : nil
  }

  /// The address of the payload in the heap box that `start` refers to: after a two-word header.
  @inlinable
  static func unboxed(_ start: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    start.load(as: UnsafeRawPointer.self) + offsetInBox
  }

  @inlinable static var offsetInBox: Int {
    let alignment = MemoryLayout<Value>.alignment
    let header = 2 * MemoryLayout<Int>.size
    return (header + alignment - 1) & ~(alignment - 1)
  }

  /// The names of the cases that it may look for: one, once that is known.
  var caseNames: [String] {
    (knownTag >= 0 ? [knownTag] : candidates).map { metadata.cases[$0].name }
  }

  @usableFromInline
  func learn(_ made: Int) -> Int {
    tag.value.store(made, ordering: .relaxed)
    return made
  }

  @usableFromInline
  func accepts(_ found: Int) -> Bool? {
    if knownTag >= 0 { return knownTag == found }
    return candidates.contains(found) ? nil : false
  }

  @inlinable
  func payload(of root: Root, tag: Int) -> Value {
    withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
      let start = UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped)
      start.initializeMemory(as: Root.self, to: root)
      metadata.witnesses.project(start)
      guard metadata.isIndirect(tag) else {
        return start.assumingMemoryBound(to: Value.self).move()
      }
      let box = start.load(as: UnsafeRawPointer.self)
      let value = Self.unboxed(start).assumingMemoryBound(to: Value.self).pointee
      Unmanaged<AnyObject>.fromOpaque(box).release()
      return value
    }
  }
}

/// A case's tag, learned when a value is first extracted; -1 until then.
@usableFromInline
final class CachedTag: Sendable {
  let value: Atomic<Int>

  init(_ tag: Int) { value = Atomic(tag) }
}
