/// What the compiler wrote down about a struct.
enum StructMetadata {
  /// How many stored properties the struct `type` has; `nil` where it is no struct.
  static func propertyCount(_ type: Any.Type) -> Int? {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: Int.self) == 0x200 else { return nil }
    let descriptor = metadata.load(
      fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    return Int(descriptor.load(fromByteOffset: 20, as: UInt32.self))
  }
}
