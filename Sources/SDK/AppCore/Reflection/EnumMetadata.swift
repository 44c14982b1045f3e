/// The compiler's metadata of an enum: its cases, in the order of their tags.
///
/// Read from the type's metadata, whose layout is part of Swift's stable ABI (the runtime's
/// `TypeMetadata` documentation). It replaces code that a macro would have to generate.
@frozen
@usableFromInline
struct EnumMetadata {
  /// One case of the enum.
  @frozen
  @usableFromInline
  struct Case {
    /// The case's name as written in the source.
    let name: String
    /// The payload's type: a tuple if it has labels or several values; `nil` without a payload.
    let payload: (Any.Type)?
    /// Whether the payload lives in a heap box.
    let isIndirect: Bool
  }

  /// The cases; the index of a case is its tag.
  let cases: [Case]
  @usableFromInline let indirect: [Bool]
  @usableFromInline let witnesses: EnumWitnesses

  /// The metadata of `type`; `nil` if it is not a native enum.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cases; every payload type is resolved.
  @usableFromInline
  init?(_ type: Any.Type) {
    guard Self.isEnum(type) else { return nil }
    guard let records = FieldRecords(type) else { return nil }
    cases = (0..<records.count).map {
      Case(
        name: records.name($0), payload: records.type($0), isIndirect: records.isIndirect($0))
    }
    indirect = cases.map(\.isIndirect)
    witnesses = EnumWitnesses(type)
  }

  /// Whether the payload of the case with `tag` lives in a heap box.
  @inlinable
  func isIndirect(_ tag: Int) -> Bool { indirect[tag] }

  /// Whether `type` is a native enum.
  static func isEnum(_ type: Any.Type) -> Bool {
    let kind = unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: Int.self)
    return kind == 0x201 || kind == 0x202  // Enum, Optional
  }

  /// Whether `type` is an `Optional`.
  static func isOptional(_ type: Any.Type) -> Bool {
    unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: Int.self) == 0x202
  }

  /// Whether `type` is a native enum with reflection metadata for its cases.
  static func isDescribed(_ type: Any.Type) -> Bool { isEnum(type) && FieldRecords(type) != nil }

  /// Whether `type` is a native enum that has cases, and none of them has a payload.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cases; no payload type is resolved.
  static func isPlain(_ type: Any.Type) -> Bool {
    guard isEnum(type), let records = FieldRecords(type), records.count > 0 else { return false }
    return (0..<records.count).allSatisfy { !records.hasType($0) }
  }

  /// The value of the case with `tag`; `nil` if that case has a payload.
  func bareValue<Root>(_ type: Root.Type, tag: Int) -> Root? {
    guard cases.indices.contains(tag), cases[tag].payload == nil else { return nil }
    return withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer -> Root? in
      guard let start = buffer.baseAddress else { return nil }
      witnesses.inject(UnsafeMutableRawPointer(start), tag)
      return start.move()
    }
  }

  /// The tag of the case with this name; `nil` if there is none.
  func tag(named name: String) -> Int? { cases.firstIndex { $0.name == name } }

  /// The tag of `value`, which must be of this type.
  @inlinable
  func tag<Root>(of value: Root) -> Int { witnesses.tag(of: value) }

  /// Runs `body` on the address of a copy of an enum value's payload, which the case must have.
  func withPayload<Root, Result>(
    of value: Root, tag: Int, _ body: (UnsafeRawPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
      let copy = buffer.baseAddress.unsafelyUnwrapped
      copy.initialize(to: value)
      let start = UnsafeMutableRawPointer(copy)
      witnesses.project(start)
      defer {
        witnesses.inject(start, tag)
        copy.deinitialize(count: 1)
      }
      guard isIndirect(tag), let payload = cases[tag].payload else { return body(start) }
      func alignment<Payload>(_ type: Payload.Type) -> Int { MemoryLayout<Payload>.alignment }
      // After the two words of a heap box's header.
      let mask = _openExistential(payload, do: alignment) - 1
      let offset = (2 * MemoryLayout<Int>.size + mask) & ~mask
      return body(start.load(as: UnsafeRawPointer.self) + offset)
    }
  }

  /// The payload of an enum value; `nil` if its case, whose tag is `tag`, has none.
  func payload<Root>(of value: Root, tag: Int) -> Any? {
    guard let payload = cases[tag].payload else { return nil }
    return withPayload(of: value, tag: tag) { start in
      func copy<T>(_ type: T.Type) -> Any { start.assumingMemoryBound(to: T.self).pointee }
      return _openExistential(unlabelled(payload), do: copy)
    }
  }

  /// The values of a payload, one by one: of a tuple its elements.
  func parts<Root>(of value: Root, tag: Int) -> [(label: String?, value: Any)] {
    guard let payload = cases[tag].payload else { return [] }
    return withPayload(of: value, tag: tag) { TupleMetadata.parts(of: payload, at: $0) }
  }

  /// The value of the case with `tag` whose payload has these parts, which are of its elements' types.
  ///
  /// The payload must not live in a heap box: that can't be made from outside.
  func value<Root>(_ type: Root.Type, tag: Int, parts: [Any]) -> Root? {
    guard let payload = cases[tag].payload, !isIndirect(tag) else { return nil }
    return withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer -> Root? in
      guard let start = buffer.baseAddress else { return nil }
      TupleMetadata.put(parts, of: payload, at: start)
      witnesses.inject(UnsafeMutableRawPointer(start), tag)
      return start.move()
    }
  }
}

extension EnumMetadata: @unchecked Sendable {}

/// The three value witnesses that only enums have, called as the C functions that they are.
@frozen
@usableFromInline
struct EnumWitnesses: @unchecked Sendable {
  // Unchecked: it points to metadata, which is constant.
  @usableFromInline typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  @usableFromInline typealias Project =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  @usableFromInline typealias Inject =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

  @usableFromInline let metadata: UnsafeRawPointer
  @usableFromInline let getTag: GetTag
  @usableFromInline let projectData: Project
  private let injectTag: Inject

  init(_ type: Any.Type) {
    metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let word = MemoryLayout<Int>.size
    // Eight functions, size and stride, then two 32-bit fields; the enum witnesses follow.
    let table = (metadata - word).load(as: UnsafeRawPointer.self) + 10 * word + 8
    getTag = unsafeBitCast(table.load(as: UnsafeRawPointer.self), to: GetTag.self)
    projectData = unsafeBitCast(
      table.load(fromByteOffset: word, as: UnsafeRawPointer.self), to: Project.self)
    injectTag = unsafeBitCast(
      table.load(fromByteOffset: 2 * word, as: UnsafeRawPointer.self), to: Inject.self)
  }

  /// The tag of `value`, which must be of this enum.
  @inlinable
  func tag<Root>(of value: Root) -> Int { withUnsafePointer(to: value) { tag(at: $0) } }

  /// The tag of the value at `pointer`, which must be of this enum.
  @inlinable
  func tag(at pointer: UnsafeRawPointer) -> Int { Int(getTag(pointer, metadata)) }

  /// Turns the value at `pointer` into the payload of its case, in place.
  @inlinable
  func project(_ pointer: UnsafeMutableRawPointer) { projectData(pointer, metadata) }

  /// Turns the payload at `pointer` into the value of the case with `tag`, in place.
  func inject(_ pointer: UnsafeMutableRawPointer, _ tag: Int) {
    injectTag(pointer, UInt32(tag), metadata)
  }
}

/// Names the case that an enum value is in.
@_spi(Host)
public enum EnumCase {
  /// The case's name as written in the source; `nil` if the value's type is not an enum.
  public static func name(of value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? {
      guard let metadata = EnumMetadata(Value.self) else { return nil }
      let tag = metadata.tag(of: value)
      return metadata.cases.indices.contains(tag) ? metadata.cases[tag].name : nil
    }
    return _openExistential(value, do: name)
  }

  /// The name of the case that a path leads to.
  ///
  /// - Returns: several names if the payloads of several cases are of one type and no value was
  ///   extracted yet; none for a path of custom functions.
  public static func names<Root, Value>(of path: CasePath<Root, Value>) -> [String] {
    path.locator?.caseNames ?? []
  }
}
