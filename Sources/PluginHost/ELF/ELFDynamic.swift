internal import Support

/// The dynamic section: values for the loader, by tag.
struct ELFDynamic {
  private(set) var values: [UInt64: UInt64] = [:]
  /// The names of the needed libraries, as offsets into the string table, in the loader's order.
  private(set) var needed: [UInt64] = []
  let offset: UInt64

  init(_ bytes: ELFBytes, _ segments: ELFSegments) throws(Rejection) {
    guard let segment = segments.dynamic else {
      throw .malformed(
        .programHeaders, at: ELFConstants.headerSize, expected: "a dynamic segment", found: "none")
    }
    try bytes.require(segment.fileSize, at: segment.offset, .dynamicSection)
    offset = segment.offset
    // The loader uses the address, so the table read here must be the one at that address.
    let loaded = try segments.offset(of: segment.fileSize, at: segment.address, .dynamicSection)
    guard loaded == segment.offset else {
      throw .malformed(
        .dynamicSection, at: segment.offset, expected: "address \(hex(segment.address)) to be here",
        found: "offset \(hex(loaded))")
    }
    values.reserveCapacity(32)
    var position: UInt64 = 0
    while segment.fileSize - position >= ELFConstants.dynamicEntrySize {
      let tag = try bytes.u64(offset + position, .dynamicSection)
      let value = try bytes.u64(offset + position + 8, .dynamicSection)
      if tag == ELFConstants.Tag.null { return }
      if tag == ELFConstants.Tag.needed { needed.append(value) } else { values[tag] = value }
      guard needed.count <= ELFConstants.Limit.needed else {
        throw .malformed(
          .dynamicSection, at: offset + position,
          expected: "\(ELFConstants.Limit.needed) libraries at most", found: "more")
      }
      position += ELFConstants.dynamicEntrySize
    }
    throw .malformed(
      .dynamicSection, at: offset + position, expected: "an entry that ends it", found: "its end")
  }

  subscript(tag: UInt64) -> UInt64? { values[tag] }

  func require(_ tag: UInt64, _ name: String) throws(Rejection) -> UInt64 {
    guard let value = values[tag] else {
      throw .malformed(.dynamicSection, at: offset, expected: "an entry \(name)", found: "none")
    }
    return value
  }
}
