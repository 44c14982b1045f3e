/// What the compiler wrote down about a struct.
enum StructMetadata {
  /// How many stored properties the struct `type` has; `nil` if it is not a struct.
  static func propertyCount(_ type: Any.Type) -> Int? {
    descriptor(type).map { Int($0.load(fromByteOffset: 20, as: UInt32.self)) }
  }

  /// Where the stored properties of type `property` begin in the struct `type`, in bytes from its
  /// start; none if it is not a struct.
  static func offsets<Property>(of property: Property.Type, in type: Any.Type) -> [Int] {
    let word = MemoryLayout<Int>.size
    guard let descriptor = descriptor(type), let records = FieldRecords(type) else { return [] }
    let vector = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard vector != 0 else { return [] }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    return (0..<records.count).filter { records.type($0, of: metadata) == Property.self }.map {
      Int((metadata + vector * word).load(fromByteOffset: $0 * 4, as: UInt32.self))
    }
  }

  /// What tells the generic struct that `type` is made from; `nil` if it is not a struct.
  static func descriptor(_ type: Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == 0x200 else { return nil }
    return metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
  }
}
