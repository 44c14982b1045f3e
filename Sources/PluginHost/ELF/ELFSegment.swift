internal import Support

/// A segment of the file, and its place in memory.
struct ELFSegment {
  let headerOffset: UInt64
  let offset: UInt64
  let address: UInt64
  let fileSize: UInt64
  let memorySize: UInt64

  /// Whether `length` bytes from `address` are in the pages of this segment's memory.
  ///
  /// Linkers round the part that becomes read-only up to the end of a page.
  func holdsPages(_ length: UInt64, at address: UInt64) -> Bool {
    let end = (self.address + memorySize + 0xfff) & ~0xfff
    guard address >= self.address, address <= end else { return false }
    return end - address >= length
  }

  /// Whether `length` bytes from `address` come from the file.
  func holdsFileBytes(_ length: UInt64, at address: UInt64) -> Bool {
    guard address >= self.address, address - self.address <= fileSize else { return false }
    return fileSize - (address - self.address) >= length
  }
}

/// The segments that the loader reads, in the order of the table.
struct ELFSegments {
  private(set) var loads: [ELFSegment] = []
  private(set) var dynamic: ELFSegment?
  private(set) var notes: [ELFSegment] = []

  private static let kinds = [
    ELFConstants.Segment.load, ELFConstants.Segment.dynamic, ELFConstants.Segment.note,
    ELFConstants.Segment.threadStorage, ELFConstants.Segment.readOnlyAfterRelocation,
    ELFConstants.Segment.programHeaders,
  ]

  init(_ bytes: ELFBytes, tableAt table: UInt64, count: UInt16) throws(Rejection) {
    typealias C = ELFConstants
    try bytes.require(UInt64(count) * C.programHeaderSize, at: table, .programHeaders)
    var parts: [(kind: UInt32, segment: ELFSegment, alignment: UInt64)] = []
    for index in 0..<UInt64(count) {
      let header = table + index * C.programHeaderSize
      let kind = try bytes.u32(header, .programHeaders)
      guard Self.kinds.contains(kind) else { continue }
      let segment = ELFSegment(
        headerOffset: header,
        offset: try bytes.u64(header + 8, .programHeaders),
        address: try bytes.u64(header + 16, .programHeaders),
        fileSize: try bytes.u64(header + 32, .programHeaders),
        memorySize: try bytes.u64(header + 40, .programHeaders))
      switch kind {
      case C.Segment.load:
        try check(segment, alignment: try bytes.u64(header + 48, .programHeaders), bytes)
        loads.append(segment)
      case C.Segment.dynamic:
        guard dynamic == nil else {
          throw .malformed(
            .programHeaders, at: header, expected: "one dynamic segment", found: "a second one")
        }
        dynamic = segment
      case C.Segment.note:
        try bytes.require(segment.fileSize, at: segment.offset, .notes)
        guard segment.fileSize <= C.Limit.noteBytes else {
          throw .malformed(
            .notes, at: segment.offset, expected: "\(hex(C.Limit.noteBytes)) bytes at most",
            found: hex(segment.fileSize))
        }
        notes.append(segment)
      default: parts.append((kind, segment, try bytes.u64(header + 48, .programHeaders)))
      }
    }
    guard !loads.isEmpty else {
      throw .malformed(
        .programHeaders, at: table, expected: "a loadable segment", found: "none")
    }
    for (kind, part, alignment) in parts {
      if kind == C.Segment.threadStorage { try checkThreadStorage(part, alignment) }
      if kind == C.Segment.readOnlyAfterRelocation { try checkReadOnly(part) }
      // The loader reads the table again, from this address.
      if kind == C.Segment.programHeaders {
        let length = UInt64(count) * C.programHeaderSize
        guard try offset(of: length, at: part.address, .programHeaders) == table else {
          throw .malformed(
            .programHeaders, at: part.headerOffset, expected: "the address of the table",
            found: hex(part.address))
        }
      }
    }
  }

  /// Checks the thread storage, which the loader copies from memory for each thread.
  private func checkThreadStorage(
    _ part: ELFSegment, _ alignment: UInt64
  ) throws(Rejection) {
    guard alignment & (alignment &- 1) == 0, alignment < 1 << 20 else {
      throw .malformed(
        .threadStorage, at: part.headerOffset, expected: "an alignment that is a power of 2",
        found: hex(alignment))
    }
    guard part.fileSize <= part.memorySize, part.memorySize < 1 << 30 else {
      throw .malformed(
        .threadStorage, at: part.headerOffset, expected: "a size from \(hex(part.fileSize))",
        found: hex(part.memorySize))
    }
    if part.fileSize > 0 {
      _ = try offset(of: part.fileSize, at: part.address, .threadStorage)
    }
  }

  /// Checks the part that the loader makes read-only: it must not reach into other libraries.
  private func checkReadOnly(_ part: ELFSegment) throws(Rejection) {
    guard loads.contains(where: { $0.holdsPages(part.memorySize, at: part.address) }) else {
      throw .malformed(
        .programHeaders, at: part.headerOffset,
        expected: "a read-only part within a loadable segment",
        found: "\(hex(part.memorySize)) bytes at \(hex(part.address))")
    }
  }

  private func check(
    _ segment: ELFSegment, alignment: UInt64, _ bytes: ELFBytes
  ) throws(Rejection) {
    func malformed(_ expected: String, _ found: String) -> Rejection {
      .malformed(.loadSegment, at: segment.headerOffset, expected: expected, found: found)
    }
    try bytes.require(segment.fileSize, at: segment.offset, .loadSegment)
    guard segment.fileSize <= segment.memorySize else {
      throw malformed("a size in memory from \(hex(segment.fileSize))", hex(segment.memorySize))
    }
    // The kernel maps the whole span from the first segment to the last: a damaged address could
    // ask for the whole address space.
    let limit: UInt64 = 1 << 40
    guard segment.address < limit, segment.memorySize < limit else {
      throw malformed(
        "addresses below \(hex(limit))", "\(hex(segment.memorySize)) at \(hex(segment.address))")
    }
    guard alignment >= 0x1000, alignment & (alignment - 1) == 0, alignment < 1 << 31 else {
      throw malformed("an alignment to pages", hex(alignment))
    }
    guard segment.address & (alignment - 1) == segment.offset & (alignment - 1) else {
      throw malformed(
        "an address that is \(hex(segment.offset)) modulo \(hex(alignment))", hex(segment.address))
    }
    if let last = loads.last, segment.address < last.address + last.memorySize {
      throw malformed(
        "an address from \(hex(last.address + last.memorySize))", hex(segment.address))
    }
  }

  /// The first address after all segments.
  var end: UInt64 { loads.last.map { $0.address + $0.memorySize } ?? 0 }

  /// The offset in the file of `length` bytes that are loaded at `address`.
  func offset(
    of length: UInt64, at address: UInt64, _ structure: ELFStructure
  ) throws(Rejection) -> UInt64 {
    for segment in loads where segment.holdsFileBytes(length, at: address) {
      return segment.offset + (address - segment.address)
    }
    throw .malformed(
      structure, at: dynamic?.offset ?? 0,
      expected: "an address whose \(length) bytes are loaded from the file", found: hex(address))
  }
}
