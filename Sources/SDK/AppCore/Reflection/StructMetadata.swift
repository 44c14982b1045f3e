/// Reads the compiler's metadata of a struct.
enum StructMetadata {
  /// The number of stored properties of the struct `type`; `nil` if it is not a struct.
  static func propertyCount(_ type: Any.Type) -> Int? {
    descriptor(type).map { Int($0.load(fromByteOffset: 20, as: UInt32.self)) }
  }

  /// The offsets, in bytes, of the stored properties of the struct `type`, in the order of
  /// declaration; empty if it is not a struct.
  static func offsets(in type: Any.Type) -> [Int] {
    guard let descriptor = descriptor(type), let count = propertyCount(type) else { return [] }
    let vector = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard vector != 0 else { return [] }
    let start =
      unsafeBitCast(type, to: UnsafeRawPointer.self) + vector * MemoryLayout<Int>.size
    return (0..<count).map { Int(start.load(fromByteOffset: $0 * 4, as: UInt32.self)) }
  }

  /// What all specializations of a generic struct have in common; `nil` if `type` is not a struct.
  static func identity(_ type: Any.Type) -> UInt? { descriptor(type).map { UInt(bitPattern: $0) } }

  /// The names on the path to a stored property, joined by dots, as in `address.street`; `nil` if it
  /// is not one of a struct, or of a struct nested in it.
  static func name<Root, Value>(of path: KeyPath<Root, Value>) -> String? {
    MemoryLayout<Root>.offset(of: path).flatMap { name(at: $0, of: Value.self, in: Root.self) }
  }

  // Several properties may have one offset: a struct and its own first property. The type decides.
  private static func name(at offset: Int, of type: Any.Type, in root: Any.Type) -> String? {
    guard descriptor(root) != nil, let records = FieldRecords(root) else { return nil }
    let fields = zip(offsets(in: root), 0...).compactMap { offset, index in
      records.type(index).map { (name: records.name(index), offset: offset, type: $0) }
    }
    if let field = fields.first(where: { $0.offset == offset && $0.type == type }) {
      return field.name
    }
    return fields.lazy.filter { $0.offset <= offset }.compactMap { field in
      name(at: offset - field.offset, of: type, in: field.type).map { "\(field.name).\($0)" }
    }.first
  }

  private static func descriptor(_ type: Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == 0x200 else { return nil }
    return metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
  }
}
