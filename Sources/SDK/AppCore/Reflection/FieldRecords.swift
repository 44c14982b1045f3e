/// The records of an enum's cases, or of a struct's stored properties, in its reflection metadata.
struct FieldRecords {
  private let metadata: UnsafeRawPointer
  /// The type's nominal type descriptor.
  private let descriptor: UnsafeRawPointer
  let count: Int
  private let fields: UnsafeRawPointer
  private let size: Int

  /// The records of `type`, an enum or a struct; `nil` if it was compiled without reflection
  /// metadata.
  init?(_ type: Any.Type) {
    metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    descriptor = metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    let offset = descriptor.load(fromByteOffset: 16, as: Int32.self)
    guard offset != 0 else { return nil }
    fields = descriptor + 16 + Int(offset)
    size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    let expected: Int
    if let properties = StructMetadata.propertyCount(type) {
      expected = properties
    } else {
      let payloadCount = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0x00ff_ffff)
      expected = payloadCount + Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    }
    guard count == expected else { return nil }
  }

  /// The record at `index`: flags, a type and a name, of 32 bits each.
  private func start(_ index: Int) -> UnsafeRawPointer { fields + 16 + index * size }

  /// Whether the record at `index` has a type.
  func hasType(_ index: Int) -> Bool { (start(index) + 4).load(as: Int32.self) != 0 }

  /// Whether the payload of the record at `index` lives in a heap box.
  func isIndirect(_ index: Int) -> Bool { start(index).load(as: UInt32.self) & 1 != 0 }

  /// The name in the record at `index`, as written in the source.
  func name(_ index: Int) -> String {
    let address = start(index) + 8
    return String(
      cString: (address + Int(address.load(as: Int32.self))).assumingMemoryBound(to: CChar.self))
  }

  /// The type in the record at `index`; `nil` if it has none.
  func type(_ index: Int) -> (Any.Type)? {
    let address = start(index) + 4
    let offset = address.load(as: Int32.self)
    guard offset != 0 else { return nil }
    let mangled = (address + Int(offset)).assumingMemoryBound(to: UInt8.self)
    return _getTypeByMangledNameInContext(
      mangled, Self.length(of: mangled), genericContext: descriptor,
      genericArguments: metadata + 2 * MemoryLayout<Int>.size) ?? Unresolved.self
  }

  /// A placeholder for a type that the runtime can't resolve; it never matches a requested type.
  enum Unresolved {}

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
