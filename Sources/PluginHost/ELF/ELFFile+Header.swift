internal import Support

// Whether the file is a shared object for this machine, and where its sections are.
extension ELFFile {
  static let sectionHeaderSize: UInt64 = 64

  #if arch(x86_64)
    static let hostMachine: UInt16 = 62
  #elseif arch(arm64)
    static let hostMachine: UInt16 = 183
  #endif

  static func machineName(_ machine: UInt16) -> String {
    switch machine {
    case 3: "i386"
    case 8: "MIPS"
    case 20: "PowerPC"
    case 21: "PowerPC64"
    case 22: "S390"
    case 40: "ARM"
    case 62: "x86-64"
    case 183: "AArch64"
    case 243: "RISC-V"
    case 258: "LoongArch"
    default: "machine number \(machine)"
    }
  }

  func checkHeader() throws(Rejection) {
    try Self.requireMagic(bytes)
    let bits = try u8(4, .fileHeader)
    guard bits == 2 else {
      throw Rejection(
        .pluginOtherMachine,
        bits == 1
          ? "it is for 32-bit programs" : "its class at 0x4 is \(bits) instead of 2 (64-bit)")
    }
    let order = try u8(5, .fileHeader)
    guard order == 1 else {
      throw Rejection(
        .pluginOtherMachine,
        order == 2
          ? "it is for a big-endian machine"
          : "its byte order at 0x5 is \(order) instead of 1 (little-endian)")
    }
    try require(64, at: 0, .fileHeader)
    let machine = try u16(18, .fileHeader)
    guard machine == Self.hostMachine else {
      throw Rejection(
        .pluginOtherMachine,
        "it is for \(Self.machineName(machine)), and this host is "
          + Self.machineName(Self.hostMachine))
    }
    switch try u16(16, .fileHeader) {
    case 1: throw .notShared("an object file")
    case 2: throw .notShared("an executable")
    case 3: break
    case 4: throw .notShared("a core dump")
    case let type: throw .notShared("an ELF file of type \(type)")
    }
    try requireInHeader(try u8(6, .fileHeader), at: 6, 1, "version 1")
    try requireInHeader(try u32(20, .fileHeader), at: 20, 1, "version 1")
    try requireInHeader(
      try u16(54, .fileHeader), at: 54, Self.programHeaderSize,
      "program headers of \(Self.programHeaderSize) bytes")
  }

  static func requireMagic(_ first: UnsafeRawBufferPointer) throws(Rejection) {
    guard first.starts(with: [0x7f, 0x45, 0x4c, 0x46]) else {
      throw Rejection(.pluginNotELF, "this is \(foreignKind(first))")
    }
  }

  private func requireInHeader(
    _ found: some BinaryInteger, at offset: UInt64, _ value: UInt64, _ expected: String
  ) throws(Rejection) {
    try expect(found == value, .fileHeader, at: offset, expected, found: found)
  }

  /// Where the section headers are; empty if there are none.
  var sectionTable: Range<UInt64> {
    get throws(Rejection) {
      let table = try u64(40, .fileHeader)
      let length = UInt64(try u16(60, .fileHeader)) * Self.sectionHeaderSize
      guard table != 0, length != 0 else { return 0..<0 }
      try require(length, at: table, .sectionHeaders)
      return table..<table + length
    }
  }

  /// Reads the section headers, which the loader does not need and a stripped file need not have.
  ///
  /// They are read because linkers write them last: a file that was cut off has lost them. A table
  /// that is there must be whole.
  func readSections() throws(Rejection) -> [Section] {
    guard try u64(40, .fileHeader) != 0, try u16(60, .fileHeader) != 0 else { return [] }
    try requireInHeader(
      try u16(58, .fileHeader), at: 58, Self.sectionHeaderSize,
      "section headers of \(Self.sectionHeaderSize) bytes")
    let table = try sectionTable
    var sections: [Section] = []
    for header in stride(from: table.lowerBound, to: table.upperBound, by: 64) {
      let kind = try u32(header + 4, .sectionHeaders)
      // Neither an unused header nor one without contents in the file.
      if kind == 0 || kind == 8 { continue }
      let offset = try u64(header + 24, .sectionHeaders)
      let length = try u64(header + 32, .sectionHeaders)
      let (end, overflows) = offset.addingReportingOverflow(length)
      try expect(
        !overflows && end <= size, .sectionHeaders, at: header,
        "contents within \(hex(size)) bytes", found: "\(hex(length)) at \(hex(offset))")
      sections.append((header, kind, try u64(header + 16, .sectionHeaders), offset..<end))
    }
    return sections
  }

  /// The likely kind of a file that is not ELF, guessed from its first bytes for the message.
  private static func foreignKind(_ bytes: UnsafeRawBufferPointer) -> String {
    let kinds: [(beginnings: [[UInt8]], String)] = [
      ([Array("!<arch>\n".utf8), Array("!<thin>\n".utf8)], "a static library (ar archive)"),
      (
        [[0x1f, 0x8b], [0x50, 0x4b, 3, 4], [0xfd, 0x37, 0x7a], [0x28, 0xb5, 0x2f, 0xfd]],
        "a compressed file"
      ),
      ([[0xcf, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe]], "a Mach-O file for macOS"),
      ([[0x4d, 0x5a]], "a Windows executable or DLL"),
      ([[0x42, 0x43, 0xc0, 0xde]], "LLVM bitcode"),
    ]
    for (beginnings, kind) in kinds where beginnings.contains(where: bytes.starts) { return kind }
    return isText(bytes.prefix(512)) ? "a text file" : "not an ELF file"
  }

  private static func isText(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    // The cut at 512 bytes may fall inside a scalar of up to four bytes.
    let cut = bytes.count == 512 ? 3 : 0
    for dropped in 0...cut
    where String(validating: bytes.dropLast(dropped), as: UTF8.self) != nil {
      return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || (0x09...0x0d).contains($0) }
    }
    return false
  }
}
