internal import Support

/// A shared object, parsed as data: none of its code runs.
///
/// The bytes may be anything. Checked is what is read here, and of the rest what a scan does not
/// find: damage that the loader survives in one process and not in another, since it reads or
/// changes memory that is not the file's own. A relocation, a chain or an initializer that leads
/// outside the file ends the scanning process, which keeps that memory empty (``MemoryGuard``).
///
/// The value points into the bytes and must not outlive them.
///
/// - Complexity: O(*n*), where *n* is the number of symbols; nothing is allocated for one.
struct ELFFile {
  private let bytes: ELFBytes
  let segments: ELFSegments
  let dynamic: ELFDynamic
  let symbols: ELFSymbolTable
  /// The versions of symbols that it needs, by the library that has them.
  private(set) var neededVersions: [String: [String]] = [:]
  /// The end of the file according to its section headers; `nil` if it has none.
  let end: UInt64?

  /// - Throws: the first structure that is not as it should be.
  init(_ buffer: UnsafeRawBufferPointer, allowsPrograms: Bool = false) throws(Rejection) {
    bytes = ELFBytes(buffer: buffer)
    let header = try ELFHeader(bytes)
    let segments = try ELFSegments(
      bytes, tableAt: header.programHeaders, count: header.programHeaderCount)
    let sections = try ELFSections(bytes, header)
    end = sections.end
    dynamic = try ELFDynamic(bytes, segments)
    self.segments = segments
    if !allowsPrograms, let flags = dynamic[ELFConstants.Tag.flags1],
      flags & ELFConstants.positionIndependentExecutable != 0
    {
      throw .notShared("an executable")
    }
    symbols = try ELFSymbolTable(
      bytes, segments, dynamic,
      sectionCount: sections.symbolCount(at: dynamic[ELFConstants.Tag.symbols]))
    _ = try filters
    neededVersions = try ELFVersions(
      bytes: bytes, segments: segments, dynamic: dynamic, symbols: symbols
    ).check(needed: try needed)
  }

  private func string(_ offset: UInt64) throws(Rejection) -> String {
    String(
      decoding: try symbols.string(at: offset, for: .dynamicSection, at: dynamic.offset),
      as: UTF8.self)
  }

  private func string(tag: UInt64) throws(Rejection) -> String? {
    guard let offset = dynamic[tag] else { return nil }
    return try string(offset)
  }

  /// The libraries that the file needs, in order.
  var needed: [String] {
    get throws(Rejection) {
      var names: [String] = []
      for offset in dynamic.needed { names.append(try string(offset)) }
      return names
    }
  }

  /// The name by which other files need this one, `DT_SONAME`; `nil` if it has none.
  var soname: String? { get throws(Rejection) { try string(tag: ELFConstants.Tag.soname) } }

  /// Where the loader searches for the needed libraries, as written in the file: `DT_RUNPATH`, else
  /// `DT_RPATH`.
  ///
  /// Empty elements are kept, but an empty path has no elements.
  var searchPath: (kind: SearchKind, elements: [String]) {
    get throws(Rejection) {
      let runpath = try string(tag: ELFConstants.Tag.runpath)
      let rpath = try string(tag: ELFConstants.Tag.rpath)
      let path = runpath ?? rpath ?? ""
      let elements = path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      return (runpath == nil ? .rpath : .runpath, path.isEmpty ? [] : elements)
    }
  }

  /// Where the search path is in the bytes; `nil` where it has none.
  var searchPathRange: Range<Int>? {
    get throws(Rejection) {
      guard let offset = dynamic[ELFConstants.Tag.runpath] ?? dynamic[ELFConstants.Tag.rpath]
      else { return nil }
      let text = try symbols.string(at: offset, for: .dynamicSection, at: dynamic.offset)
      guard let start = text.baseAddress, let first = bytes.buffer.baseAddress else { return nil }
      let position = start - first
      return position..<position + text.count
    }
  }

  /// The libraries that the file is a filter for, which the loader loads, too.
  var filters: [String] {
    get throws(Rejection) {
      var names: [String] = []
      for tag in [ELFConstants.Tag.auxiliary, ELFConstants.Tag.filter] {
        if let name = try string(tag: tag) { names.append(name) }
      }
      return names
    }
  }

  /// The identifier that the linker gave this build, from the note segments.
  var buildID: [UInt8]? {
    get throws(Rejection) {
      for segment in segments.notes {
        var position: UInt64 = 0
        while segment.fileSize - position >= 12 {
          let note = segment.offset + position
          let nameSize = UInt64(try bytes.u32(note, .notes))
          let size = UInt64(try bytes.u32(note + 4, .notes))
          let kind = try bytes.u32(note + 8, .notes)
          let contents = 12 + (nameSize + 3) & ~3
          let length = contents + (size + 3) & ~3
          guard length <= segment.fileSize - position else {
            throw .malformed(
              .notes, at: note, expected: "at most \(hex(segment.fileSize - position)) bytes",
              found: hex(length))
          }
          if kind == ELFConstants.buildIDNote, nameSize == 4,
            try bytes.u32(note + 12, .notes) == 0x0055_4e47
          {
            let start = Int(note + contents)
            return Array(bytes.buffer[start..<start + Int(size)])
          }
          position += length
        }
      }
      return nil
    }
  }

  /// Calls `body` with every symbol but the empty first one.
  func forEachSymbol(_ body: (ELFSymbol) -> Void) throws(Rejection) {
    for index in 1..<symbols.count { body(try symbols[index]) }
  }
}

/// The kind of a file's search path, which determines when and for what it is searched.
enum SearchKind: Hashable {
  /// `DT_RUNPATH`: searched after `LD_LIBRARY_PATH`, only for libraries that the file itself needs.
  case runpath
  /// `DT_RPATH`, or no path: searched before `LD_LIBRARY_PATH`, also for what its libraries need.
  case rpath
}
