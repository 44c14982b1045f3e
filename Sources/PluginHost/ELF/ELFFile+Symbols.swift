internal import Glibc
internal import Support

// The dynamic symbols and their names, each checked once so that a walk can't leave the file.
extension ELFFile {
  private static let symbolSize: UInt64 = 24

  func readStringTable() throws(Rejection) -> Range<UInt64> {
    let length = try requireDynamic(Tag.stringsSize, "DT_STRSZ")
    let start = try offset(
      of: length, at: try requireDynamic(Tag.strings, "DT_STRTAB"), .stringTable)
    let symbolSize = try requireDynamic(Tag.symbolSize, "DT_SYMENT")
    try expect(
      symbolSize == Self.symbolSize, .dynamicSection, at: dynamicOffset,
      "DT_SYMENT \(Self.symbolSize)", found: symbolSize)
    // Since the last byte is NUL, a string at any offset in the table is terminated.
    try expect(length > 0, .stringTable, at: start, "a byte at least", found: "none")
    let last = try u8(start + length - 1, .stringTable)
    try expect(last == 0, .stringTable, at: start + length - 1, "0 at the end", found: hex(last))
    return start..<start + length
  }

  func readSymbolTable() throws(Rejection) -> (offset: UInt64, count: UInt64) {
    let table = try requireDynamic(Tag.symbols, "DT_SYMTAB")
    // A GNU hash table does not cover the symbols before its first one. If it is empty, only the
    // section headers tell how many symbols there are: those of the section of dynamic symbols.
    let section = sections.first { $0.kind == 11 && $0.address == table }
    let sectionCount = section.map { UInt64($0.contents.count) / Self.symbolSize } ?? 0
    let count = max(try hashedCount(), sectionCount, 1)
    let (length, overflows) = count.multipliedReportingOverflow(by: Self.symbolSize)
    return (try offset(of: overflows ? .max : length, at: table, .symbolTable), count)
  }

  func checkSymbols() throws(Rejection) {
    var nameBytes: UInt64 = 0
    for index in 0..<symbols.count {
      // The loader binds an undefined symbol that is local or not of default visibility to the
      // file itself, at its load address.
      let symbol = try symbol(index)
      let position = symbols.offset + index * Self.symbolSize
      try expect(
        symbol.isDefined || symbol.visibility == 0 && !symbol.isLocal || index == 0, .symbolTable,
        at: position, "an undefined symbol that others can define", found: "a local one")
      nameBytes += UInt64(symbol.name.count)
      // Names may share suffixes; the limit keeps this loop from being quadratic in the table.
      try expect(
        nameBytes <= UInt64(strings.count) * 8, .symbolTable, at: position,
        "names of \(hex(strings.count)) bytes", found: "\(hex(nameBytes)) and more")
    }
  }

  /// The symbol at an index; the first one, index 0, is empty.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the name.
  private func symbol(_ index: UInt64) throws(Rejection) -> ELFSymbol {
    let position = symbols.offset + index * Self.symbolSize
    let name = UInt64(try u32(position, .symbolTable))
    try expect(
      name < UInt64(strings.count), .symbolTable, at: position,
      "a name below \(hex(strings.count))", found: hex(name))
    return ELFSymbol(
      name: try string(at: name, for: .symbolTable, at: position),
      info: try u8(position + 4, .symbolTable),
      visibility: try u8(position + 5, .symbolTable) & 3,
      section: try u16(position + 6, .symbolTable))
  }

  /// Calls `body` with every symbol but the empty first one.
  func forEachSymbol(_ body: (ELFSymbol) -> Void) throws(Rejection) {
    for index in 1..<symbols.count { body(try symbol(index)) }
  }

  /// The string at an offset into the string table.
  func string(
    at offset: UInt64, for structure: Structure, at position: UInt64
  ) throws(Rejection) -> UnsafeRawBufferPointer {
    try expect(
      offset < UInt64(strings.count), structure, at: position,
      "a string below \(hex(strings.count))", found: hex(offset))
    let rest = UnsafeRawBufferPointer(
      rebasing: bytes[Int(strings.lowerBound + offset)..<Int(strings.upperBound)])
    let limit = 65_536
    guard let start = rest.baseAddress, let end = memchr(start, 0, min(rest.count, limit)) else {
      throw .malformed(
        structure, at: position, expected: "strings below \(limit) bytes", found: "a longer one")
    }
    return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
  }

  /// How many symbols there are by the hash tables by which the loader finds them.
  private func hashedCount() throws(Rejection) -> UInt64 {
    var count: UInt64?
    if let address = dynamic[Tag.hash] {
      count = UInt64(try u32(try offset(of: 8, at: address, .hashTable) + 4, .hashTable))
    }
    if let address = dynamic[Tag.gnuHash] { return max(count ?? 0, try gnuHashedCount(address)) }
    guard let count else {
      throw .malformed(
        .dynamicSection, at: dynamicOffset, expected: "an entry DT_GNU_HASH or DT_HASH",
        found: "none")
    }
    return count
  }

  private func gnuHashedCount(_ address: UInt64) throws(Rejection) -> UInt64 {
    let table = try offset(of: 16, at: address, .gnuHashTable)
    let buckets = UInt64(try u32(table, .gnuHashTable))
    let first = UInt64(try u32(table + 4, .gnuHashTable))
    let bucketsAt = 16 + 8 * UInt64(try u32(table + 8, .gnuHashTable))
    let chainsAt = bucketsAt + 4 * buckets
    _ = try offset(of: chainsAt, at: address, .gnuHashTable)
    var last: UInt64 = 0
    for index in 0..<buckets {
      let position = table + bucketsAt + 4 * index
      let symbol = UInt64(try u32(position, .gnuHashTable))
      try expect(
        symbol == 0 || symbol >= first, .gnuHashTable, at: position, "a symbol from \(first)",
        found: symbol)
      last = max(last, symbol)
    }
    guard last > 0 else { return 0 }
    // Chains follow one another, so all of them end where the last one does.
    while true {
      let chain = chainsAt + 4 * (last - first)
      let position = try offset(of: 4, at: address + chain, .gnuHashTable)
      last += 1
      if try u32(position, .gnuHashTable) & 1 == 1 { return last }
    }
  }
}

// The tables of symbol versions, which the loader follows without checking bounds.
extension ELFFile {
  /// Checks the tables.
  ///
  /// - Returns: the versions that are needed, by the library that has them.
  func readVersions() throws(Rejection) -> [String: [String]] {
    var versions: [String: [String]] = [:]
    var highest: UInt16 = 1
    if let address = dynamic[Tag.versionNeeds] {
      highest = max(highest, try readNeeds(address, &versions))
    }
    if let address = dynamic[Tag.versionDefinitions] {
      highest = max(highest, try readDefinitions(address))
    }
    guard let address = dynamic[Tag.versions] else { return versions }
    let areVersionsKnown =
      dynamic[Tag.versionNeeds] != nil || dynamic[Tag.versionDefinitions] != nil
    let table = try offset(of: 2 * symbols.count, at: address, .versionTable)
    for index in 0..<symbols.count {
      let position = table + 2 * index
      let version = try u16(position, .versionTable) & 0x7fff
      // The loader indexes an array of the versions it has seen; without those tables it has none.
      try expect(
        version <= highest && areVersionsKnown, .versionTable, at: position,
        "a version up to \(highest)", found: version)
    }
    return versions
  }

  private func countVersion(_ entries: inout Int, at position: UInt64) throws(Rejection) {
    let limit = 65_536
    entries += 1
    try expect(
      entries <= limit, .versionTable, at: position, "\(limit) entries at most", found: "more")
  }

  private func readNeeds(
    _ address: UInt64, _ versions: inout [String: [String]]
  ) throws(Rejection) -> UInt16 {
    let needed = Set(try needed.map { Array($0.utf8) })
    var highest: UInt16 = 0
    var (entries, nameBytes) = (0, UInt64(0))
    var address = address
    while true {
      let entry = try offset(of: 16, at: address, .versionTable)
      try countVersion(&entries, at: entry)
      let file = UInt64(try u32(entry + 4, .versionTable))
      let bytes = try string(at: file, for: .versionTable, at: entry)
      let name = String(decoding: bytes, as: UTF8.self)
      // The loader asserts that the library is loaded.
      try expect(
        needed.contains(Array(bytes)), .versionTable, at: entry,
        "a library that is needed", found: "'\(name)'")
      var auxiliary = try following(address, try u32(entry + 8, .versionTable), at: entry)
      while true {
        let offset = try offset(of: 16, at: auxiliary, .versionTable)
        try countVersion(&entries, at: offset)
        highest = max(highest, try u16(offset + 6, .versionTable) & 0x7fff)
        let version = UInt64(try u32(offset + 8, .versionTable))
        let text = try string(at: version, for: .versionTable, at: offset)
        // Entries may share a name; the limit keeps what is made of them near the file's size.
        nameBytes += UInt64(text.count) + UInt64(bytes.count)
        try expect(
          nameBytes <= UInt64(strings.count) * 8, .versionTable, at: offset,
          "names of \(hex(strings.count * 8)) bytes", found: "\(hex(nameBytes)) and more")
        versions[name, default: []].append(String(decoding: text, as: UTF8.self))
        let next = try u32(offset + 12, .versionTable)
        if next == 0 { break }
        auxiliary = try following(auxiliary, next, at: offset)
      }
      let next = try u32(entry + 12, .versionTable)
      if next == 0 { return highest }
      address = try following(address, next, at: entry)
    }
  }

  private func readDefinitions(_ address: UInt64) throws(Rejection) -> UInt16 {
    var highest: UInt16 = 0
    var entries = 0
    var address = address
    while true {
      let entry = try offset(of: 20, at: address, .versionTable)
      try countVersion(&entries, at: entry)
      highest = max(highest, try u16(entry + 4, .versionTable) & 0x7fff)
      let auxiliary = try following(address, try u32(entry + 12, .versionTable), at: entry)
      let offset = try offset(of: 8, at: auxiliary, .versionTable)
      _ = try string(at: UInt64(try u32(offset, .versionTable)), for: .versionTable, at: offset)
      let next = try u32(entry + 16, .versionTable)
      if next == 0 { return highest }
      address = try following(address, next, at: entry)
    }
  }

  /// The address that a link leads to; links lead forward, so that a walk ends with the file.
  private func following(
    _ address: UInt64, _ distance: UInt32, at position: UInt64
  ) throws(Rejection) -> UInt64 {
    try expect(distance > 0, .versionTable, at: position, "a link to an entry", found: distance)
    return address + UInt64(distance)
  }
}

/// A symbol that a file defines or imports.
///
/// The name points into the file's bytes: of hundreds of names, messages show only a few.
struct ELFSymbol {
  /// The name's bytes in the file, without the NUL that ends them.
  let name: UnsafeRawBufferPointer
  let info: UInt8
  let visibility: UInt8
  let section: UInt16

  var isDefined: Bool { section != 0 }
  /// Whether the loader may leave the symbol unresolved.
  var isWeak: Bool { info >> 4 == 2 }
  var isLocal: Bool { info >> 4 == 0 }
  var isFunction: Bool { info & 0xf == 2 }
  /// Whether other files can see the symbol.
  var isExported: Bool { isDefined && !isLocal && (visibility == 0 || visibility == 3) }

  var string: String { String(decoding: name, as: UTF8.self) }

  /// Whether it needs a definition that this process does not have for all of its libraries.
  var isMissingHere: Bool {
    guard !isDefined, !isWeak, let name = name.baseAddress else { return false }
    return dlsym(nil, name.assumingMemoryBound(to: CChar.self)) == nil
  }

  func hasPrefix(_ prefix: StaticString) -> Bool {
    guard let start = name.baseAddress, name.count >= prefix.utf8CodeUnitCount else { return false }
    return memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
  }
}
