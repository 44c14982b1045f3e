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

  init(_ bytes: ELFBytes, _ header: ELFHeader) throws(ELFError) {
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
