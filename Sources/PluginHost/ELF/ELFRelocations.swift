/// Checks the relocations, which tell the loader where to write: only in the file's own memory.
///
/// - Complexity: O(*n*), where *n* is the number of relocations.
struct ELFRelocations {
  private let bytes: ELFBytes
  private let segments: ELFSegments
  private let dynamic: ELFDynamic
  private let symbolCount: UInt64
  private let mayWriteCode: Bool

  init(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ dynamic: ELFDynamic, symbolCount: UInt64
  ) {
    self.bytes = bytes
    self.segments = segments
    self.dynamic = dynamic
    self.symbolCount = symbolCount
    mayWriteCode =
      dynamic[ELFConstants.Tag.textRelocations] != nil
      || (dynamic[ELFConstants.Tag.flags] ?? 0) & 4 != 0
  }

  func check() throws(ELFError) {
    typealias Tag = ELFConstants.Tag
    // The loader asserts these three, and a failed assertion there ends the process.
    try requireValue(Tag.relocationSize, "DT_RELAENT", 24, with: Tag.relocations)
    try requireValue(Tag.pltRelocationKind, "DT_PLTREL", Tag.relocations, with: Tag.pltRelocations)
    try requireValue(Tag.relativeSize, "DT_RELRENT", 8, with: Tag.relatives)
    try checkTable(Tag.relocations, size: Tag.relocationsSize, "DT_RELASZ")
    try checkTable(Tag.pltRelocations, size: Tag.pltRelocationsSize, "DT_PLTRELSZ")
    try checkRelatives()
  }

  private func requireValue(
    _ tag: UInt64, _ name: String, _ value: UInt64, with other: UInt64
  ) throws(ELFError) {
    let found = dynamic[tag]
    if found == value || found == nil && dynamic[other] == nil { return }
    throw .malformed(
      .dynamicSection, at: dynamic.offset, expected: "\(name) \(value)",
      found: found.map { "\($0)" } ?? "none")
  }

  private func checkTable(
    _ tag: UInt64, size sizeTag: UInt64, _ sizeName: String
  ) throws(ELFError) {
    guard let address = dynamic[tag] else { return }
    let size = try dynamic.require(sizeTag, sizeName)
    let table = try segments.offset(of: size, at: address, .relocations)
    guard size % ELFConstants.relocationSize == 0 else {
      throw .malformed(
        .dynamicSection, at: dynamic.offset, expected: "\(sizeName) a multiple of 24", found: size)
    }
    var position = table
    var segment: ELFSegment?
    while position < table + size {
      let target = try bytes.u64(position, .relocations)
      let info = try bytes.u64(position + 8, .relocations)
      let kind = UInt32(truncatingIfNeeded: info)
      if kind != 0 {
        segment = try self.segment(ofTarget: target, at: position, guess: segment)
        guard info >> 32 < symbolCount else {
          throw .malformed(
            .relocations, at: position, expected: "a symbol below \(symbolCount)",
            found: info >> 32)
        }
        let addend = try bytes.u64(position + 16, .relocations)
        // Swift stores flags in the highest byte of some addresses, such as those of string
        // literals.
        if kind == ELFConstants.relativeRelocation, addend & ~(0xff << 56) > segments.end {
          throw .malformed(
            .relocations, at: position, expected: "an address up to \(hex(segments.end))",
            found: hex(addend))
        }
      }
      position += ELFConstants.relocationSize
    }
  }

  /// The segment that a relocation writes to; `guess`, that of the one before, is usually right.
  private func segment(
    ofTarget target: UInt64, at position: UInt64, guess: ELFSegment?
  ) throws(ELFError) -> ELFSegment {
    if let guess, guess.holds(8, at: target) { return guess }
    for segment in segments.loads
    where segment.holds(8, at: target) && (segment.isWritable || mayWriteCode) {
      return segment
    }
    throw .malformed(
      .relocations, at: position, expected: "a target in writable memory of the file",
      found: hex(target))
  }

  /// Checks `DT_RELR`: an address, then bitmaps of the 63 words that follow.
  private func checkRelatives() throws(ELFError) {
    typealias Tag = ELFConstants.Tag
    guard let address = dynamic[Tag.relatives] else { return }
    let size = try dynamic.require(Tag.relativesSize, "DT_RELRSZ")
    let table = try segments.offset(of: size, at: address, .relocations)
    guard size % 8 == 0 else {
      throw .malformed(
        .dynamicSection, at: dynamic.offset, expected: "DT_RELRSZ a multiple of 8", found: size)
    }
    var position = table
    var next: UInt64?
    while position < table + size {
      let entry = try bytes.u64(position, .relocations)
      if entry & 1 == 0 {
        _ = try segment(ofTarget: entry, at: position, guess: nil)
        next = entry + 8
      } else {
        guard let base = next else {
          throw .malformed(
            .relocations, at: position, expected: "an address first", found: hex(entry))
        }
        // The highest set bit says how far the loader writes; the lowest marks a bitmap.
        if entry > 1 {
          let highest = UInt64(62 - entry.leadingZeroBitCount)
          _ = try segment(ofTarget: base + 8 * highest, at: position, guess: nil)
        }
        next = base + 8 * 63
      }
      position += 8
    }
  }
}
