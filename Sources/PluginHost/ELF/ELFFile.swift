internal import Support

/// A shared object, parsed as data: none of its code runs.
///
/// The bytes may be anything, so every read checks its bounds, and sums are checked for overflow.
/// Checked is what is read here, and of the rest what a scan does not find: damage that the loader
/// survives in one process and not in another, since it reads or changes memory that is not the
/// file's own. A relocation, a chain or an initializer that leads outside the file ends the scanning
/// process, which keeps that memory empty (``MemoryGuard``).
///
/// The value points into the bytes and must not outlive them.
///
/// - Complexity: O(*n*), where *n* is the number of symbols; nothing is allocated for one.
struct ELFFile {
  let bytes: UnsafeRawBufferPointer
  /// The segments that the loader reads, in the order of the table.
  private(set) var segments: [Segment] = []
  /// The sections with contents; empty if the file has no section headers.
  private(set) var sections: [Section] = []
  /// The values of the dynamic section, by tag.
  private(set) var dynamic: [UInt64: UInt64] = [:]
  /// The names of the needed libraries, as offsets into the string table, in the loader's order.
  private var neededNames: [UInt64] = []
  /// The dynamic strings; the last byte is NUL.
  private(set) var strings: Range<UInt64> = 0..<0
  /// Where the dynamic symbols are, and how many there are.
  private(set) var symbols: (offset: UInt64, count: UInt64) = (0, 0)
  /// The versions of symbols that it needs, by the library that has them.
  private(set) var neededVersions: [String: [String]] = [:]

  /// A section header, and where the contents are in the file.
  typealias Section = (header: UInt64, kind: UInt32, address: UInt64, contents: Range<UInt64>)

  /// - Throws: the first structure that is not as it should be.
  init(_ bytes: UnsafeRawBufferPointer, allowsPrograms: Bool = false) throws(Rejection) {
    self.bytes = bytes
    try checkHeader()
    segments = try readSegments()
    try checkAddresses()
    sections = try readSections()
    (dynamic, neededNames) = try readDynamicSection()
    // Set for a position-independent executable, which otherwise looks like a library.
    if !allowsPrograms, dynamic[Tag.flags1, default: 0] & 0x0800_0000 != 0 {
      throw .notShared("an executable")
    }
    strings = try readStringTable()
    symbols = try readSymbolTable()
    try checkSymbols()
    _ = try filters
    neededVersions = try readVersions()
  }

  /// The tags of the dynamic section that are read.
  enum Tag {
    static let null: UInt64 = 0
    static let needed: UInt64 = 1
    static let hash: UInt64 = 4
    static let strings: UInt64 = 5
    static let symbols: UInt64 = 6
    static let stringsSize: UInt64 = 10
    static let symbolSize: UInt64 = 11
    static let soname: UInt64 = 14
    static let rpath: UInt64 = 15
    static let runpath: UInt64 = 29
    static let gnuHash: UInt64 = 0x6fff_fef5
    static let versions: UInt64 = 0x6fff_fff0
    static let flags1: UInt64 = 0x6fff_fffb
    static let versionDefinitions: UInt64 = 0x6fff_fffc
    static let versionNeeds: UInt64 = 0x6fff_fffe
    static let auxiliary: UInt64 = 0x7fff_fffd
    static let filter: UInt64 = 0x7fff_ffff
  }
}

// What the file says of itself.
extension ELFFile {
  private func string(_ offset: UInt64) throws(Rejection) -> String {
    String(
      decoding: try string(at: offset, for: .dynamicSection, at: dynamicOffset), as: UTF8.self)
  }

  private func string(tag: UInt64) throws(Rejection) -> String? {
    guard let offset = dynamic[tag] else { return nil }
    return try string(offset)
  }

  /// The libraries that the file needs, in order.
  var needed: [String] {
    get throws(Rejection) {
      var names: [String] = []
      for offset in neededNames { names.append(try string(offset)) }
      return names
    }
  }

  /// The name by which other files need this one, `DT_SONAME`; `nil` if it has none.
  var soname: String? { get throws(Rejection) { try string(tag: Tag.soname) } }

  /// Whether the search path is a `DT_RUNPATH`, which is searched after `LD_LIBRARY_PATH` and only
  /// for libraries that the file itself needs.
  ///
  /// A `DT_RPATH` is searched before, and also for what its libraries need.
  var hasRunpath: Bool { dynamic[Tag.runpath] != nil }

  /// Where the loader searches for the needed libraries, as written in the file: `DT_RUNPATH`, else
  /// `DT_RPATH`.
  ///
  /// Empty elements are kept, but an empty path has no elements.
  var searchPath: [String] {
    get throws(Rejection) {
      guard let range = try searchPathRange, !range.isEmpty else { return [] }
      return String(decoding: bytes[range], as: UTF8.self)
        .split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Where the search path is in the bytes; `nil` where it has none.
  var searchPathRange: Range<Int>? {
    get throws(Rejection) {
      guard let offset = dynamic[Tag.runpath] ?? dynamic[Tag.rpath] else { return nil }
      let text = try string(at: offset, for: .dynamicSection, at: dynamicOffset)
      let start = Int(strings.lowerBound + offset)
      return start..<start + text.count
    }
  }

  /// The libraries that the file is a filter for, which the loader loads, too.
  var filters: [String] {
    get throws(Rejection) {
      [try string(tag: Tag.auxiliary), try string(tag: Tag.filter)].compactMap(\.self)
    }
  }

  /// The identifier that the linker gave this build, from the note segments.
  var buildID: [UInt8]? {
    get throws(Rejection) {
      for segment in segments where segment.kind == .note {
        var position: UInt64 = 0
        while segment.fileSize - position >= 12 {
          let note = segment.offset + position
          let nameSize = UInt64(try u32(note, .notes))
          let size = UInt64(try u32(note + 4, .notes))
          let contents = 12 + (nameSize + 3) & ~3
          let length = contents + (size + 3) & ~3
          try expect(
            length <= segment.fileSize - position, .notes, at: note,
            "at most \(hex(segment.fileSize - position)) bytes", found: hex(length))
          // A build's identifier, by GNU.
          if try u32(note + 8, .notes) == 3, nameSize == 4,
            try u32(note + 12, .notes) == 0x0055_4e47
          {
            let start = Int(note + contents)
            return Array(bytes[start..<start + Int(size)])
          }
          position += length
        }
      }
      return nil
    }
  }

  /// The end of the file according to its section headers; `nil` if it has none.
  var end: UInt64? {
    get throws(Rejection) {
      let table = try sectionTable
      guard !table.isEmpty else { return nil }
      return sections.reduce(table.upperBound) { max($0, $1.contents.upperBound) }
    }
  }

  /// Where the contents of the sections of a name are in the file.
  ///
  /// - Throws: where the table of names is damaged.
  func sections(named name: String) throws(Rejection) -> [Range<Int>] {
    let table = try sectionTable
    let names = table.lowerBound + UInt64(try u16(62, .fileHeader)) * Self.sectionHeaderSize
    guard names < table.upperBound else { return [] }
    let start = try u64(names + 24, .sectionHeaders)
    let wanted = Array(name.utf8) + [0]
    var found: [Range<Int>] = []
    for section in sections {
      let (place, overflows) = start.addingReportingOverflow(
        UInt64(try u32(section.header, .sectionHeaders)))
      guard !overflows, place <= size, bytes[Int(place)...].starts(with: wanted) else { continue }
      found.append(Int(section.contents.lowerBound)..<Int(section.contents.upperBound))
    }
    return found
  }
}

// Reading numbers.
extension ELFFile {
  var size: UInt64 { UInt64(bytes.count) }

  /// Checks that `length` bytes from `offset` lie within the file.
  func require(
    _ length: UInt64, at offset: UInt64, _ structure: Structure
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

  /// Checks what a structure holds; it is worded as in `readelf`.
  func expect(
    _ isValid: Bool, _ structure: Structure, at offset: UInt64,
    _ expected: @autoclosure () -> String, found: @autoclosure () -> Any
  ) throws(Rejection) {
    guard isValid else {
      throw .malformed(structure, at: offset, expected: expected(), found: "\(found())")
    }
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>(
    at offset: UInt64, _ structure: Structure
  ) throws(Rejection) -> T {
    try require(UInt64(MemoryLayout<T>.size), at: offset, structure)
    return bytes.loadUnaligned(fromByteOffset: Int(offset), as: T.self)
  }

  func u8(_ offset: UInt64, _ structure: Structure) throws(Rejection) -> UInt8 {
    try load(at: offset, structure)
  }

  func u16(_ offset: UInt64, _ structure: Structure) throws(Rejection) -> UInt16 {
    try load(at: offset, structure)
  }

  func u32(_ offset: UInt64, _ structure: Structure) throws(Rejection) -> UInt32 {
    try load(at: offset, structure)
  }

  func u64(_ offset: UInt64, _ structure: Structure) throws(Rejection) -> UInt64 {
    try load(at: offset, structure)
  }

  /// A structure of the format, in the words of its specification.
  enum Structure: String {
    case fileHeader = "file header"
    case programHeaders = "program header table"
    case sectionHeaders = "section header table"
    case loadSegment = "loadable segment"
    case dynamicSection = "dynamic section"
    case stringTable = "dynamic string table"
    case symbolTable = "dynamic symbol table"
    case hashTable = "symbol hash table"
    case gnuHashTable = "GNU hash table"
    case versionTable = "symbol version table"
    case notes = "note segment"
    case threadStorage = "thread storage segment"
  }
}

/// A number in hexadecimal, as `readelf` prints it.
func hex(_ number: some BinaryInteger) -> String {
  "0x" + String(number, radix: 16)
}

// Messages name the structure, its offset from the start of the file and the expected value, so that
// they can be checked against the output of `readelf`.
extension Rejection {
  /// A structure holds a value that it can't have.
  static func malformed(
    _ structure: ELFFile.Structure, at offset: UInt64, expected: String,
    found: some CustomStringConvertible
  ) -> Rejection {
    Rejection(
      .pluginDamaged,
      "damaged: the \(structure.rawValue) at \(hex(offset)) should have \(expected), and has \(found)"
    )
  }

  /// The file is an ELF file, but not a shared object.
  static func notShared(_ kind: String) -> Rejection {
    Rejection(.pluginNotShared, "this is \(kind), not a shared library")
  }
}
