/// What the compiler wrote down about an enum: its cases, in the order of their tags.
///
/// Read from the type's metadata, whose layout is part of Swift's stable ABI (the runtime's
/// `TypeMetadata` documentation). This takes the place of what a macro would have generated.
package struct EnumMetadata {
  /// One case of the enum.
  package struct Case {
    /// The case's name as written in the source.
    package let name: String
    /// The payload's type: a tuple where it has labels or several values; `nil` where it has none.
    package let payload: (Any.Type)?
    /// Whether the payload lives in a heap box.
    package let isIndirect: Bool
  }

  /// The cases; the index of a case is its tag.
  package let cases: [Case]
  private let witnesses: EnumWitnesses

  /// The metadata of `type`; `nil` where it is no native enum.
  ///
  /// - Complexity: O(n) in the number of cases; every payload type is resolved.
  package init?(_ type: Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let kind = metadata.load(as: Int.self)
    guard kind == 0x201 || kind == 0x202 else { return nil }  // Enum, Optional
    let descriptor = metadata.load(
      fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    let fieldsOffset = descriptor.load(fromByteOffset: 16, as: Int32.self)
    guard fieldsOffset != 0 else { return nil }
    let fields = descriptor + 16 + Int(fieldsOffset)
    let payloadCount = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0x00ff_ffff)
    let emptyCount = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    let recordSize = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    let recordCount = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    guard recordCount == payloadCount + emptyCount else { return nil }
    let arguments = metadata + 2 * MemoryLayout<Int>.size
    cases = (0..<recordCount).map { index in
      let record = fields + 16 + index * recordSize
      return Case(record: record, descriptor: descriptor, genericArguments: arguments)
    }
    witnesses = EnumWitnesses(metadata)
  }

  /// The tag of the case with this name.
  package func tag(named name: String) -> Int? { cases.firstIndex { $0.name == name } }

  /// The tag of the enum value at `pointer`, which must be of this type.
  package func tag(at pointer: UnsafeRawPointer) -> Int { witnesses.tag(at: pointer) }

  /// The tag of `value`, which must be of this type.
  package func tag<Root>(of value: Root) -> Int {
    withUnsafePointer(to: value) { witnesses.tag(at: UnsafeRawPointer($0)) }
  }

  /// Turns the enum value at `pointer` into the payload of its case, in place.
  package func projectPayload(at pointer: UnsafeMutableRawPointer) {
    witnesses.project(pointer)
  }

  /// Turns the payload at `pointer` into the enum value with `tag`, in place.
  package func inject(tag: Int, at pointer: UnsafeMutableRawPointer) {
    witnesses.inject(pointer, tag)
  }
}

extension EnumMetadata.Case {
  fileprivate init(
    record: UnsafeRawPointer, descriptor: UnsafeRawPointer, genericArguments: UnsafeRawPointer
  ) {
    isIndirect = record.load(as: UInt32.self) & 1 != 0
    let nameAddress = record + 8
    name = String(
      cString: (nameAddress + Int(nameAddress.load(as: Int32.self)))
        .assumingMemoryBound(to: CChar.self))
    let typeAddress = record + 4
    let typeOffset = typeAddress.load(as: Int32.self)
    guard typeOffset != 0 else {
      payload = nil
      return
    }
    let mangled = (typeAddress + Int(typeOffset)).assumingMemoryBound(to: UInt8.self)
    payload =
      _getTypeByMangledNameInContext(
        mangled, Self.length(of: mangled), genericContext: descriptor,
        genericArguments: genericArguments) ?? Unresolved.self
  }

  /// A payload whose type the runtime could not name; it never equals the type that was asked for.
  private enum Unresolved {}

  /// The length of a mangled name in bytes; symbolic references in it may hold zero bytes.
  private static func length(of name: UnsafePointer<UInt8>) -> UInt {
    var end = name
    while end.pointee != 0 {
      switch end.pointee {
      case 0x01...0x17: end += 5
      case 0x18...0x1f: end += 1 + MemoryLayout<Int>.size
      default: end += 1
      }
    }
    return UInt(end - name)
  }
}

/// The three value witnesses that only enums have.
struct EnumWitnesses {
  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  private typealias Inject =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

  private let metadata: UnsafeRawPointer
  private let getTag: GetTag
  private let projectData: Project
  private let injectTag: Inject

  /// - Parameter metadata: of an enum type.
  init(_ metadata: UnsafeRawPointer) {
    self.metadata = metadata
    let word = MemoryLayout<Int>.size
    let table = (metadata - word).load(as: UnsafeRawPointer.self)
    // Eight functions, size and stride, then two 32-bit fields; the enum witnesses follow.
    let first = 8 * word + 2 * word + 8
    getTag = unsafeBitCast(
      table.load(fromByteOffset: first, as: UnsafeRawPointer.self), to: GetTag.self)
    projectData = unsafeBitCast(
      table.load(fromByteOffset: first + word, as: UnsafeRawPointer.self), to: Project.self)
    injectTag = unsafeBitCast(
      table.load(fromByteOffset: first + 2 * word, as: UnsafeRawPointer.self), to: Inject.self)
  }

  func tag(at pointer: UnsafeRawPointer) -> Int { Int(getTag(pointer, metadata)) }
  func project(_ pointer: UnsafeMutableRawPointer) { projectData(pointer, metadata) }
  func inject(_ pointer: UnsafeMutableRawPointer, _ tag: Int) {
    injectTag(pointer, UInt32(tag), metadata)
  }
}

extension EnumMetadata: @unchecked Sendable {}
