/// A shared object, parsed as data: none of its code runs.
///
/// The bytes may be anything. Whatever the dynamic loader follows without a check (segments,
/// tables, chains, strings) is checked here, because a damaged file ends the process inside
/// `dlopen`. Every defect is thrown as an ``ELFError`` with its offset in the file.
///
/// The value points into the bytes and must not outlive them.
///
/// - Complexity: O(*s* + *r*), where *s* is the number of symbols and *r* that of relocations;
///   nothing is allocated per symbol.
struct ELFFile {
  private let bytes: ELFBytes
  let segments: ELFSegments
  let dynamic: ELFDynamic
  let symbols: ELFSymbolTable
  /// The versions of symbols that it needs, by the library that has them.
  private(set) var neededVersions: [String: [String]] = [:]
  /// The end of the file according to its section headers; `nil` if it has none.
  let end: UInt64?

  /// - Parameters:
  ///   - buffer: the bytes.
  ///   - allowsPrograms: whether it may be a position-independent program instead of a library.
  /// - Throws: the first structure that is not as it should be.
  init(_ buffer: UnsafeRawBufferPointer, allowsPrograms: Bool = false) throws(ELFError) {
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
      throw ELFError(.dynamicSection, at: dynamic.offset, .notSharedObject(.executable))
    }
    symbols = try ELFSymbolTable(
      bytes, segments, dynamic,
      sectionCount: sections.symbolCount(at: dynamic[ELFConstants.Tag.symbols]))
    _ = try filters
    try ELFRelocations(bytes, segments, dynamic, symbolCount: symbols.count).check()
    neededVersions = try ELFVersions(bytes, segments, dynamic, symbols).check(needed: try needed)
    try ELFInitializers(segments, dynamic).check()
  }

  private func string(_ offset: UInt64) throws(ELFError) -> String {
    String(
      decoding: try symbols.string(at: offset, for: .dynamicSection, at: dynamic.offset),
      as: UTF8.self)
  }

  private func string(tag: UInt64) throws(ELFError) -> String? {
    guard let offset = dynamic[tag] else { return nil }
    return try string(offset)
  }

  /// The libraries that the file needs, in order.
  var needed: [String] {
    get throws(ELFError) {
      var names: [String] = []
      for offset in dynamic.needed { names.append(try string(offset)) }
      return names
    }
  }

  /// The name by which other files need this one, `DT_SONAME`; `nil` if it has none.
  var soname: String? { get throws(ELFError) { try string(tag: ELFConstants.Tag.soname) } }

  /// Where the loader searches for the needed libraries, as written in the file: `DT_RUNPATH`, else
  /// `DT_RPATH`.
  ///
  /// Empty elements are kept, but an empty path has no elements.
  var searchPath: (kind: SearchKind, elements: [String]) {
    get throws(ELFError) {
      let runpath = try string(tag: ELFConstants.Tag.runpath)
      let rpath = try string(tag: ELFConstants.Tag.rpath)
      let path = runpath ?? rpath ?? ""
      let elements = path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      return (runpath == nil ? .rpath : .runpath, path.isEmpty ? [] : elements)
    }
  }

  /// Where the search path is in the bytes; `nil` where it has none.
  var searchPathRange: Range<Int>? {
    get throws(ELFError) {
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
    get throws(ELFError) {
      var names: [String] = []
      for tag in [ELFConstants.Tag.auxiliary, ELFConstants.Tag.filter] {
        if let name = try string(tag: tag) { names.append(name) }
      }
      return names
    }
  }

  /// The identifier that the linker gave this build, from the note segments.
  var buildID: [UInt8]? {
    get throws(ELFError) {
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
  func forEachSymbol(_ body: (ELFSymbol) -> Void) throws(ELFError) {
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

/// Checks the functions that the loader calls once the file is loaded and when the process ends.
struct ELFInitializers {
  private let segments: ELFSegments
  private let dynamic: ELFDynamic

  init(_ segments: ELFSegments, _ dynamic: ELFDynamic) {
    self.segments = segments
    self.dynamic = dynamic
  }

  func check() throws(ELFError) {
    typealias Tag = ELFConstants.Tag
    try checkFunction(Tag.initializer, "DT_INIT")
    try checkFunction(Tag.finalizer, "DT_FINI")
    try checkArray(Tag.initializers, Tag.initializersSize, "DT_INIT_ARRAYSZ")
    try checkArray(Tag.finalizers, Tag.finalizersSize, "DT_FINI_ARRAYSZ")
  }

  private func checkFunction(_ tag: UInt64, _ name: String) throws(ELFError) {
    guard let address = dynamic[tag] else { return }
    guard segments.loads.contains(where: { $0.isExecutable && $0.holdsFileBytes(1, at: address) })
    else {
      throw .malformed(
        .initializers, at: dynamic.offset, expected: "\(name) in executable memory",
        found: hex(address))
    }
  }

  private func checkArray(_ tag: UInt64, _ sizeTag: UInt64, _ name: String) throws(ELFError) {
    guard let address = dynamic[tag] else { return }
    let size = try dynamic.require(sizeTag, name)
    guard size % 8 == 0, segments.loads.contains(where: { $0.holds(size, at: address) }) else {
      throw .malformed(
        .initializers, at: dynamic.offset, expected: "\(name) of functions within the file",
        found: "\(hex(size)) bytes at \(hex(address))")
    }
  }
}
