/// A shared object, read as data: nothing of it runs.
///
/// Made from bytes that may be anything. What the dynamic loader would follow without a check
/// (segments, tables, chains, strings) is followed here with one, because a damaged file ends
/// the process inside `dlopen`. Every refusal is an ``ELFError`` with its place in the file.
///
/// The value points into the bytes and must not outlive them.
///
/// - Complexity: O(symbols + relocations), without allocation per symbol.
struct ELFFile {
  private let bytes: ELFBytes
  let segments: ELFSegments
  let dynamic: ELFDynamic
  let symbols: ELFSymbolTable
  /// Where the file ends by its section headers; `nil` where it has none.
  let end: UInt64?

  init(_ buffer: UnsafeRawBufferPointer) throws(ELFError) {
    bytes = ELFBytes(buffer: buffer)
    let header = try ELFHeader(bytes)
    segments = try ELFSegments(
      bytes, tableAt: header.programHeaders, count: header.programHeaderCount)
    let sections = try ELFSections(bytes, header)
    end = sections.end
    dynamic = try ELFDynamic(bytes, segments)
    if let flags = dynamic[ELFConstants.Tag.flags1],
      flags & ELFConstants.positionIndependentExecutable != 0
    {
      throw ELFError(.dynamicSection, at: dynamic.offset, .notSharedObject(.executable))
    }
    symbols = try ELFSymbolTable(
      bytes, segments, dynamic,
      sectionCount: sections.symbolCount(at: dynamic[ELFConstants.Tag.symbols]))
    _ = try filters
    try ELFRelocations(bytes, segments, dynamic, symbolCount: symbols.count).check()
    try ELFVersions(bytes, segments, dynamic, symbols).check(needed: try needed)
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

  /// The libraries that the file asks for, in order.
  var needed: [String] {
    get throws(ELFError) {
      var names: [String] = []
      for offset in dynamic.needed { names.append(try string(offset)) }
      return names
    }
  }

  /// The name under which the file wants to be found when others need it.
  var soname: String? { get throws(ELFError) { try string(tag: ELFConstants.Tag.soname) } }

  /// Where the loader searches for what the file needs, as it is in the file: `DT_RUNPATH`, else
  /// `DT_RPATH`.
  ///
  /// An empty element is one; a path that is empty as a whole has none.
  var searchPath: (kind: SearchKind, elements: [String]) {
    get throws(ELFError) {
      let runpath = try string(tag: ELFConstants.Tag.runpath)
      let rpath = try string(tag: ELFConstants.Tag.rpath)
      let path = runpath ?? rpath ?? ""
      let elements = path.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
      return (runpath == nil ? .rpath : .runpath, path.isEmpty ? [] : elements)
    }
  }

  /// The libraries whose place the file takes, or that take its place: the loader loads them too.
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

/// How a file says where the loader is to search, which matters for its place in the search.
enum SearchKind: Hashable {
  /// By `DT_RUNPATH`, after `LD_LIBRARY_PATH`, for the file alone.
  case runpath
  /// By `DT_RPATH` or not at all: before `LD_LIBRARY_PATH`, and also for what the file needs.
  case rpath
}

/// The functions that the loader calls when it has loaded the file, and at the process's end.
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
