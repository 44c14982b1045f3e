/// What the compiler wrote down about a struct.
enum StructMetadata {
  /// How many stored properties the struct `type` has; `nil` if it is not a struct.
  static func propertyCount(_ type: Any.Type) -> Int? {
    descriptor(type).map { Int($0.load(fromByteOffset: 20, as: UInt32.self)) }
  }

  /// Where the stored properties of type `property` begin in the struct `type`, in bytes from its
  /// start; none if it is not a struct.
  static func offsets<Property>(of property: Property.Type, in type: Any.Type) -> [Int] {
    guard descriptor(type) != nil, let records = FieldRecords(type) else { return [] }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    return zip(offsets(in: type), 0...).compactMap { offset, index in
      records.type(index, of: metadata) == Property.self ? offset : nil
    }
  }

  /// Where the stored properties of the struct `type` begin, in bytes from its start, in the order in
  /// which they are declared; none if it is not a struct.
  static func offsets(in type: Any.Type) -> [Int] {
    guard let descriptor = descriptor(type), let count = propertyCount(type) else { return [] }
    let vector = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard vector != 0 else { return [] }
    let start =
      unsafeBitCast(type, to: UnsafeRawPointer.self) + vector * MemoryLayout<Int>.size
    return (0..<count).map { Int(start.load(fromByteOffset: $0 * 4, as: UInt32.self)) }
  }

  /// What tells the generic struct that `type` is made from; `nil` if it is not a struct.
  static func descriptor(_ type: Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == 0x200 else { return nil }
    return metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
  }
}
