internal import Support

/// The bytes of an ELF file; every read checks its bounds.
///
/// Sums are checked for overflow: offsets and counts come from the file and may be anything.
struct ELFBytes {
  let buffer: UnsafeRawBufferPointer

  var size: UInt64 { UInt64(buffer.count) }

  /// Checks that `length` bytes from `offset` lie within the file.
  func require(
    _ length: UInt64, at offset: UInt64, _ structure: ELFStructure
  ) throws(Rejection) {
    let (end, overflows) = offset.addingReportingOverflow(length)
    guard !overflows, end <= size else {
      let place = "the \(structure.rawValue) at \(hex(offset)) reaches"
      throw Rejection(
        .pluginTruncated,
        overflows || end == .max
          ? "\(place) past the end of all memory"
          : "cut off: \(place) to \(hex(end)), and the file ends at \(hex(size))")
    }
  }

  func load<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type, at offset: UInt64, _ structure: ELFStructure
  ) throws(Rejection) -> T {
    try require(UInt64(MemoryLayout<T>.size), at: offset, structure)
    return buffer.loadUnaligned(fromByteOffset: Int(offset), as: T.self)
  }

  func u8(_ offset: UInt64, _ structure: ELFStructure) throws(Rejection) -> UInt8 {
    try load(UInt8.self, at: offset, structure)
  }

  func u16(_ offset: UInt64, _ structure: ELFStructure) throws(Rejection) -> UInt16 {
    try load(UInt16.self, at: offset, structure)
  }

  func u32(_ offset: UInt64, _ structure: ELFStructure) throws(Rejection) -> UInt32 {
    try load(UInt32.self, at: offset, structure)
  }

  func u64(_ offset: UInt64, _ structure: ELFStructure) throws(Rejection) -> UInt64 {
    try load(UInt64.self, at: offset, structure)
  }
}

/// A number in hexadecimal, as `readelf` prints it.
func hex(_ number: some BinaryInteger) -> String {
  "0x" + String(number, radix: 16)
}
