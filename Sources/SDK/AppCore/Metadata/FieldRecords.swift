/// The records of an enum's cases in its reflection metadata.
struct FieldRecords {
  /// The enum's nominal type descriptor.
  let descriptor: UnsafeRawPointer
  let count: Int
  private let fields: UnsafeRawPointer
  private let size: Int

  /// - Parameter type: an enum; `nil` where it was compiled without reflection metadata.
  init?(_ type: Any.Type) {
    descriptor = unsafeBitCast(type, to: UnsafeRawPointer.self)
      .load(fromByteOffset: MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    let offset = descriptor.load(fromByteOffset: 16, as: Int32.self)
    guard offset != 0 else { return nil }
    fields = descriptor + 16 + Int(offset)
    size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    let payloadCount = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0x00ff_ffff)
    let emptyCount = Int(descriptor.load(fromByteOffset: 24, as: UInt32.self))
    guard count == payloadCount + emptyCount else { return nil }
  }

  /// The record at `index`: flags, a type and a name, of 32 bits each.
  func start(_ index: Int) -> UnsafeRawPointer { fields + 16 + index * size }

  /// Whether the record at `index` has a type.
  func hasType(_ index: Int) -> Bool { (start(index) + 4).load(as: Int32.self) != 0 }
}
