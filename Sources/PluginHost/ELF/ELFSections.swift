internal import Support

/// The section headers, which the loader does not need and a stripped file need not have.
///
/// They are read because linkers write them last: a file that was cut off has lost them. A table
/// that is there must be whole.
struct ELFSections {
  private var symbolTables: [(address: UInt64, count: UInt64)] = []
  /// The offset at which the last section or section header ends, and with it the file.
  ///
  /// `nil` if there are no section headers.
  private(set) var end: UInt64?

  init(_ bytes: ELFBytes, _ header: ELFHeader) throws(Rejection) {
    typealias C = ELFConstants
    guard header.sectionHeaders != 0, header.sectionHeaderCount != 0 else { return }
    let table = header.sectionHeaders
    let size = try bytes.u16(58, .fileHeader)
    guard UInt64(size) == C.sectionHeaderSize else {
      throw .malformed(
        .fileHeader, at: 58, expected: "section headers of \(C.sectionHeaderSize) bytes",
        found: size)
    }
    try bytes.require(
      UInt64(header.sectionHeaderCount) * C.sectionHeaderSize, at: table, .sectionHeaders)
    var last = table + UInt64(header.sectionHeaderCount) * C.sectionHeaderSize
    defer { end = last }
    for index in 0..<UInt64(header.sectionHeaderCount) {
      let section = table + index * C.sectionHeaderSize
      let kind = try bytes.u32(section + 4, .sectionHeaders)
      if kind == 0 || kind == C.Section.noBits { continue }
      let offset = try bytes.u64(section + 24, .sectionHeaders)
      let length = try bytes.u64(section + 32, .sectionHeaders)
      let (end, overflows) = offset.addingReportingOverflow(length)
      guard !overflows, end <= bytes.size else {
        throw .malformed(
          .sectionHeaders, at: section, expected: "contents within \(hex(bytes.size)) bytes",
          found: "\(hex(length)) at \(hex(offset))")
      }
      last = max(last, end)
      if kind == C.Section.dynamicSymbols {
        symbolTables.append(
          (try bytes.u64(section + 16, .sectionHeaders), length / C.symbolSize))
      }
    }
  }

  /// The number of symbols in the table that is loaded at `address`; `nil` if no header describes
  /// it.
  func symbolCount(at address: UInt64?) -> UInt64? {
    symbolTables.first { $0.address == address }?.count
  }
}

extension ELFSections {
  /// Where the contents of the sections of a name are in the file.
  ///
  /// - Throws: where the table of names is damaged.
  static func ranges(
    named name: String, _ bytes: ELFBytes, _ header: ELFHeader
  ) throws(Rejection) -> [Range<Int>] {
    typealias C = ELFConstants
    let count = UInt64(header.sectionHeaderCount)
    let names = UInt64(try bytes.u16(62, .fileHeader))
    guard header.sectionHeaders != 0, names < count else { return [] }
    func section(_ index: UInt64) -> UInt64 {
      header.sectionHeaders + index * C.sectionHeaderSize
    }
    let strings = try bytes.u64(section(names) + 24, .sectionHeaders)
    let wanted = Array(name.utf8) + [0]
    var found: [Range<Int>] = []
    for index in 0..<count {
      let (start, overflows) = strings.addingReportingOverflow(
        UInt64(try bytes.u32(section(index), .sectionHeaders)))
      guard !overflows, start <= bytes.size, bytes.size - start >= UInt64(wanted.count),
        bytes.buffer[Int(start)...].starts(with: wanted),
        try bytes.u32(section(index) + 4, .sectionHeaders) != C.Section.noBits
      else { continue }
      let offset = try bytes.u64(section(index) + 24, .sectionHeaders)
      let length = try bytes.u64(section(index) + 32, .sectionHeaders)
      try bytes.require(length, at: offset, .sectionHeaders)
      found.append(Int(offset)..<Int(offset + length))
    }
    return found
  }
}
