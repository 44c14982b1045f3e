internal import Glibc
internal import Support

/// The dynamic symbols of a file, each checked once so that a walk can't leave the file.
struct ELFSymbolTable {
  private let bytes: ELFBytes
  private let strings: UInt64
  private let stringsSize: UInt64
  let offset: UInt64
  let count: UInt64

  init(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ dynamic: ELFDynamic, sectionCount: UInt64?
  ) throws(Rejection) {
    typealias Tag = ELFConstants.Tag
    self.bytes = bytes
    stringsSize = try dynamic.require(Tag.stringsSize, "DT_STRSZ")
    strings = try segments.offset(
      of: stringsSize, at: try dynamic.require(Tag.strings, "DT_STRTAB"), .stringTable)
    let size = try dynamic.require(Tag.symbolSize, "DT_SYMENT")
    guard size == ELFConstants.symbolSize else {
      throw .malformed(
        .dynamicSection, at: dynamic.offset,
        expected: "DT_SYMENT \(ELFConstants.symbolSize)", found: size)
    }
    // Since the last byte is NUL, a string at any offset in the table is terminated.
    guard stringsSize > 0 else {
      throw .malformed(.stringTable, at: strings, expected: "a byte at least", found: "none")
    }
    let last = try bytes.u8(strings + stringsSize - 1, .stringTable)
    guard last == 0 else {
      throw .malformed(
        .stringTable, at: strings + stringsSize - 1, expected: "0 at the end", found: hex(last))
    }

    let table = try dynamic.require(Tag.symbols, "DT_SYMTAB")
    let hashed = try ELFHashTables.symbolCount(bytes, segments, dynamic)
    // A GNU hash table does not cover the symbols before its first one. If it is empty, only the
    // section headers tell how many symbols there are.
    count = max(hashed, sectionCount ?? 0, 1)
    let (length, overflows) = count.multipliedReportingOverflow(by: ELFConstants.symbolSize)
    offset = try segments.offset(of: overflows ? .max : length, at: table, .symbolTable)
    var nameBytes: UInt64 = 0
    for index in 0..<count {
      // The loader binds an undefined symbol that is local or not of default visibility to the
      // file itself, at its load address.
      let symbol = try self[index]
      guard symbol.isDefined || symbol.visibility == 0 && !symbol.isLocal || index == 0 else {
        throw .malformed(
          .symbolTable, at: offset + index * ELFConstants.symbolSize,
          expected: "an undefined symbol that others can define", found: "a local one")
      }
      nameBytes += UInt64(symbol.name.count)
      // Names may share suffixes; the limit keeps this loop from being quadratic in the table.
      guard nameBytes <= stringsSize * ELFConstants.Limit.nameShare else {
        throw .malformed(
          .symbolTable, at: offset + index * ELFConstants.symbolSize,
          expected: "names of \(hex(stringsSize)) bytes", found: "\(hex(nameBytes)) and more")
      }
    }
  }

  private func nameOffset(of index: UInt64) throws(Rejection) -> UInt64 {
    let position = offset + index * ELFConstants.symbolSize
    let name = UInt64(try bytes.u32(position, .symbolTable))
    guard name < stringsSize else {
      throw .malformed(
        .symbolTable, at: position, expected: "a name below \(hex(stringsSize))", found: hex(name))
    }
    return name
  }

  /// The string at an offset into the string table.
  func string(
    at offset: UInt64, for structure: ELFStructure, at position: UInt64
  ) throws(Rejection) -> UnsafeRawBufferPointer {
    guard offset < stringsSize else {
      throw .malformed(
        structure, at: position, expected: "a string below \(hex(stringsSize))", found: hex(offset))
    }
    let rest = UnsafeRawBufferPointer(
      rebasing: bytes.buffer[Int(strings + offset)..<Int(strings + stringsSize)])
    let limit = ELFConstants.Limit.stringBytes
    guard let start = rest.baseAddress, let end = memchr(start, 0, min(rest.count, limit)) else {
      throw .malformed(
        structure, at: position, expected: "strings below \(limit) bytes", found: "a longer one")
    }
    return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
  }

  /// The symbol at an index; the first one, index 0, is empty.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the name.
  subscript(index: UInt64) -> ELFSymbol {
    get throws(Rejection) {
      let position = offset + index * ELFConstants.symbolSize
      let other = try bytes.u8(position + 5, .symbolTable)
      return ELFSymbol(
        name: try string(at: try nameOffset(of: index), for: .symbolTable, at: position),
        info: try bytes.u8(position + 4, .symbolTable),
        visibility: other & 3,
        section: try bytes.u16(position + 6, .symbolTable),
        value: try bytes.u64(position + 8, .symbolTable))
    }
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
  let value: UInt64

  var isDefined: Bool { section != 0 }
  /// Whether the loader may leave the symbol unresolved.
  var isWeak: Bool { info >> 4 == 2 }
  var isLocal: Bool { info >> 4 == 0 }
  var isFunction: Bool { info & 0xf == 2 }
  /// Whether other files can see the symbol.
  var isExported: Bool { isDefined && !isLocal && (visibility == 0 || visibility == 3) }

  var string: String { String(decoding: name, as: UTF8.self) }

  func hasPrefix(_ prefix: StaticString) -> Bool {
    guard let start = name.baseAddress, name.count >= prefix.utf8CodeUnitCount else { return false }
    return memcmp(start, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0
  }
}
