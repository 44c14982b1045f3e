internal import Support

/// The file header: whether the file is a shared object for this machine, and where its tables are.
struct ELFHeader {
  let programHeaders: UInt64
  let programHeaderCount: UInt16
  let sectionHeaders: UInt64
  let sectionHeaderCount: UInt16

  init(_ bytes: ELFBytes) throws(Rejection) {
    typealias C = ELFConstants
    try Self.requireMagic(bytes.buffer)
    let bits = try bytes.u8(4, .fileHeader)
    guard bits == C.classes64 else {
      throw Rejection(
        .pluginOtherMachine,
        bits == 1
          ? "it is for 32-bit programs" : "its class at 0x4 is \(bits) instead of 2 (64-bit)")
    }
    let order = try bytes.u8(5, .fileHeader)
    guard order == C.littleEndian else {
      throw Rejection(
        .pluginOtherMachine,
        order == 2
          ? "it is for a big-endian machine"
          : "its byte order at 0x5 is \(order) instead of 1 (little-endian)")
    }
    try bytes.require(C.headerSize, at: 0, .fileHeader)
    let machine = try bytes.u16(18, .fileHeader)
    guard machine == C.Machine.host else {
      throw Rejection(
        .pluginOtherMachine,
        "it is for \(C.Machine.name(machine)), and this host is \(C.Machine.name(C.Machine.host))")
    }
    let type = try bytes.u16(16, .fileHeader)
    guard type == C.FileType.sharedObject else {
      let kind =
        switch type {
        case C.FileType.relocatable: "an object file"
        case C.FileType.executable: "an executable"
        case C.FileType.core: "a core dump"
        default: "an ELF file of type \(type)"
        }
      throw .notShared(kind)
    }
    try Self.require(UInt64(try bytes.u8(6, .fileHeader)), at: 6, 1, "version 1")
    try Self.require(UInt64(try bytes.u32(20, .fileHeader)), at: 20, 1, "version 1")
    try Self.require(
      UInt64(try bytes.u16(54, .fileHeader)), at: 54, C.programHeaderSize,
      "program headers of \(C.programHeaderSize) bytes")
    programHeaders = try bytes.u64(32, .fileHeader)
    programHeaderCount = try bytes.u16(56, .fileHeader)
    sectionHeaders = try bytes.u64(40, .fileHeader)
    sectionHeaderCount = try bytes.u16(60, .fileHeader)
    guard programHeaderCount <= C.Limit.programHeaders else {
      throw .malformed(
        .fileHeader, at: 56, expected: "\(C.Limit.programHeaders) program headers at most",
        found: programHeaderCount)
    }
  }

  static func requireMagic(_ first: UnsafeRawBufferPointer) throws(Rejection) {
    guard first.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw Rejection(.pluginNotELF, "this is \(ForeignFile(firstBytes: first).rawValue)")
    }
  }

  private static func require(
    _ found: UInt64, at offset: UInt64, _ value: UInt64, _ expected: String
  ) throws(Rejection) {
    guard found == value else {
      throw .malformed(.fileHeader, at: offset, expected: expected, found: found)
    }
  }
}
