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
  /// Reads the tags of the enum's values.
  @usableFromInline let tags: EnumTagReader
  @usableFromInline let indirect: [Bool]
  @usableFromInline let witnesses: EnumWitnesses

  /// The metadata of `type`; `nil` if it is not a native enum.
  ///
  /// - Complexity: O(*n*), where *n* is the number of cases; every payload type is resolved.
  @usableFromInline
  init?(_ type: Any.Type) {
    guard Self.isEnum(type) else { return nil }
    guard let records = FieldRecords(type) else { return nil }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    cases = (0..<records.count).map {
      Case(
        name: records.name($0), payload: records.type($0, of: metadata),
        isIndirect: records.isIndirect($0))
    }
    indirect = cases.map(\.isIndirect)
    witnesses = EnumWitnesses(metadata)
    tags = witnesses.tags
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
      inject(tag: tag, at: UnsafeMutableRawPointer(start))
      return start.move()
    }
  }

  /// The tag of the case with this name; `nil` if there is none.
  func tag(named name: String) -> Int? { cases.firstIndex { $0.name == name } }

  /// The tag of the enum value at `pointer`, which must be of this type.
  func tag(at pointer: UnsafeRawPointer) -> Int { witnesses.tag(at: pointer) }

  /// The tag of `value`, which must be of this type.
  func tag<Root>(of value: Root) -> Int {
    tags.tag(of: value)
  }

  /// Turns the enum value at `pointer` into the payload of its case, in place.
  @inlinable
  func projectPayload(at pointer: UnsafeMutableRawPointer) {
    witnesses.project(pointer)
  }

  /// Runs `body` on the payload of an enum value.
  ///
  /// - Parameters:
  ///   - value: the address of the value, which is not changed.
  ///   - tag: the tag of its case, which must have a payload.
  ///   - body: receives the address of a copy of the payload.
  /// - Returns: the result of `body`.
  func withPayload<Root, Result>(
    of value: UnsafePointer<Root>, tag: Int, _ body: (UnsafeRawPointer) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: Root.self, capacity: 1) { buffer in
      let copy = buffer.baseAddress.unsafelyUnwrapped
      copy.initialize(from: value, count: 1)
      let start = UnsafeMutableRawPointer(copy)
      projectPayload(at: start)
      defer {
        inject(tag: tag, at: start)
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
    return withUnsafePointer(to: value) { pointer in
      withPayload(of: pointer, tag: tag) { start in
        func copy<T>(_ type: T.Type) -> Any { start.assumingMemoryBound(to: T.self).pointee }
        return _openExistential(unlabelled(payload), do: copy)
      }
    }
  }

  /// Turns the payload at `pointer` into the enum value with `tag`, in place.
  func inject(tag: Int, at pointer: UnsafeMutableRawPointer) {
    witnesses.inject(pointer, tag)
  }
}

extension EnumMetadata: @unchecked Sendable {}
