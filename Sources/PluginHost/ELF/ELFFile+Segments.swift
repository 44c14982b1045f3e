internal import Support

// The segments, and the dynamic section, which is one of them: values for the loader.
extension ELFFile {
  static let programHeaderSize: UInt64 = 56

  /// A segment of the file, and its place in memory.
  struct Segment {
    let kind: Kind
    let header: UInt64
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let memorySize: UInt64
    let alignment: UInt64

    enum Kind: UInt32 {
      case load = 1
      case dynamic = 2
      case note = 4
      case programHeaders = 6
      case threadStorage = 7
      case readOnlyAfterRelocation = 0x6474_e552
    }

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

  /// Where the table of segments is.
  private var programTable: (offset: UInt64, length: UInt64) {
    get throws(Rejection) {
      let count = try u16(56, .fileHeader)
      // Far above what linkers write, as are the other limits: with tables that refer to one
      // another, a small file could otherwise take hours.
      let limit = 128
      try expect(
        count <= limit, .fileHeader, at: 56, "\(limit) program headers at most", found: count)
      return (try u64(32, .fileHeader), UInt64(count) * Self.programHeaderSize)
    }
  }

  func readSegments() throws(Rejection) -> [Segment] {
    let (table, length) = try programTable
    try require(length, at: table, .programHeaders)
    var segments: [Segment] = []
    for position in stride(from: 0, to: length, by: Int(Self.programHeaderSize)) {
      let header = table + position
      guard let kind = Segment.Kind(rawValue: try u32(header, .programHeaders)) else { continue }
      let segment = Segment(
        kind: kind, header: header, offset: try u64(header + 8, .programHeaders),
        address: try u64(header + 16, .programHeaders),
        fileSize: try u64(header + 32, .programHeaders),
        memorySize: try u64(header + 40, .programHeaders),
        alignment: try u64(header + 48, .programHeaders))
      switch kind {
      case .load:
        try checkLoad(segment, after: segments.last { $0.kind == .load })
      case .dynamic:
        try expect(
          !segments.contains(where: { $0.kind == .dynamic }), .programHeaders, at: header,
          "one dynamic segment", found: "a second one")
      case .note:
        try require(segment.fileSize, at: segment.offset, .notes)
        let limit: UInt64 = 1 << 20
        try expect(
          segment.fileSize <= limit, .notes, at: segment.offset, "\(hex(limit)) bytes at most",
          found: hex(segment.fileSize))
      default: break
      }
      segments.append(segment)
    }
    try expect(
      segments.contains(where: { $0.kind == .load }), .programHeaders, at: table,
      "a loadable segment", found: "none")
    return segments
  }

  private func checkLoad(_ segment: Segment, after last: Segment?) throws(Rejection) {
    try require(segment.fileSize, at: segment.offset, .loadSegment)
    try expect(
      segment.fileSize <= segment.memorySize, .loadSegment, at: segment.header,
      "a size in memory from \(hex(segment.fileSize))", found: hex(segment.memorySize))
    // The kernel maps the whole span from the first segment to the last: a damaged address could
    // ask for the whole address space.
    let limit: UInt64 = 1 << 40
    try expect(
      segment.address < limit && segment.memorySize < limit, .loadSegment, at: segment.header,
      "addresses below \(hex(limit))",
      found: "\(hex(segment.memorySize)) at \(hex(segment.address))")
    let alignment = segment.alignment
    try expect(
      alignment >= 0x1000 && alignment & (alignment - 1) == 0 && alignment < 1 << 31, .loadSegment,
      at: segment.header, "an alignment to pages", found: hex(alignment))
    try expect(
      segment.address & (alignment - 1) == segment.offset & (alignment - 1), .loadSegment,
      at: segment.header, "an address that is \(hex(segment.offset)) modulo \(hex(alignment))",
      found: hex(segment.address))
    let start = last.map { $0.address + $0.memorySize } ?? 0
    try expect(
      segment.address >= start, .loadSegment, at: segment.header, "an address from \(hex(start))",
      found: hex(segment.address))
  }

  /// Checks the segments that are parts of others.
  func checkAddresses() throws(Rejection) {
    for part in segments {
      switch part.kind {
      case .threadStorage: try checkThreadStorage(part)
      case .readOnlyAfterRelocation:
        // The loader makes it read-only: it must not reach into other libraries.
        let isWithin = segments.contains {
          $0.kind == .load && $0.holdsPages(part.memorySize, at: part.address)
        }
        try expect(
          isWithin, .programHeaders, at: part.header, "a read-only part within a loadable segment",
          found: "\(hex(part.memorySize)) bytes at \(hex(part.address))")
      case .programHeaders:
        // The loader reads the table again, from this address.
        let (table, length) = try programTable
        try expect(
          try offset(of: length, at: part.address, .programHeaders) == table, .programHeaders,
          at: part.header, "the address of the table", found: hex(part.address))
      default: break
      }
    }
  }

  /// Checks the thread storage, which the loader copies from memory for each thread.
  private func checkThreadStorage(_ part: Segment) throws(Rejection) {
    try expect(
      part.alignment & (part.alignment &- 1) == 0 && part.alignment < 1 << 20, .threadStorage,
      at: part.header, "an alignment that is a power of 2", found: hex(part.alignment))
    try expect(
      part.fileSize <= part.memorySize && part.memorySize < 1 << 30, .threadStorage,
      at: part.header, "a size from \(hex(part.fileSize))", found: hex(part.memorySize))
    if part.fileSize > 0 {
      _ = try offset(of: part.fileSize, at: part.address, .threadStorage)
    }
  }

  /// The first address after all segments.
  var addressEnd: UInt64 {
    segments.last { $0.kind == .load }.map { $0.address + $0.memorySize } ?? 0
  }

  /// The offset in the file of `length` bytes that are loaded at `address`.
  func offset(
    of length: UInt64, at address: UInt64, _ structure: Structure
  ) throws(Rejection) -> UInt64 {
    for segment in segments
    where segment.kind == .load && segment.holdsFileBytes(length, at: address) {
      return segment.offset + (address - segment.address)
    }
    throw .malformed(
      structure, at: dynamicOffset,
      expected: "an address whose \(length) bytes are loaded from the file", found: hex(address))
  }

  /// Where the dynamic section is; 0 without one.
  var dynamicOffset: UInt64 { segments.first { $0.kind == .dynamic }?.offset ?? 0 }

  /// Reads the dynamic section.
  ///
  /// - Returns: its values by tag, and the offsets of the needed libraries' names in the string
  ///   table.
  func readDynamicSection() throws(Rejection) -> ([UInt64: UInt64], needed: [UInt64]) {
    guard let segment = segments.first(where: { $0.kind == .dynamic }) else {
      throw .malformed(
        .programHeaders, at: 64, expected: "a dynamic segment", found: "none")
    }
    try require(segment.fileSize, at: segment.offset, .dynamicSection)
    // The loader uses the address, so the table read here must be the one at that address.
    let loaded = try offset(of: segment.fileSize, at: segment.address, .dynamicSection)
    try expect(
      loaded == segment.offset, .dynamicSection, at: segment.offset,
      "address \(hex(segment.address)) to be here", found: "offset \(hex(loaded))")
    var values: [UInt64: UInt64] = [:]
    var needed: [UInt64] = []
    let limit = 1024
    values.reserveCapacity(32)
    var position: UInt64 = 0
    while segment.fileSize - position >= 16 {
      let entry = segment.offset + position
      let tag = try u64(entry, .dynamicSection)
      let value = try u64(entry + 8, .dynamicSection)
      if tag == Tag.null { return (values, needed) }
      if tag == Tag.needed { needed.append(value) } else { values[tag] = value }
      try expect(
        needed.count <= limit, .dynamicSection, at: entry, "\(limit) libraries at most",
        found: "more")
      position += 16
    }
    throw .malformed(
      .dynamicSection, at: segment.offset + position, expected: "an entry that ends it",
      found: "its end")
  }

  func requireDynamic(_ tag: UInt64, _ name: String) throws(Rejection) -> UInt64 {
    guard let value = dynamic[tag] else {
      throw .malformed(
        .dynamicSection, at: dynamicOffset, expected: "an entry \(name)", found: "none")
    }
    return value
  }
}
