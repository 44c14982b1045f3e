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

  /// The nominal type descriptor of `type`, which all specializations of a generic struct share;
  /// `nil` if it is not a struct.
  static func descriptor(_ type: Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == 0x200 else { return nil }
    return metadata.load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
  }
}
