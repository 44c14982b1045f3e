internal import Support

/// The hash tables by which the loader finds symbols: they tell how many symbols there are.
enum ELFHashTables {
  static func symbolCount(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ dynamic: ELFDynamic
  ) throws(Rejection) -> UInt64 {
    var count: UInt64 = 0
    if let address = dynamic[ELFConstants.Tag.hash] {
      let offset = try segments.offset(of: 8, at: address, .hashTable)
      count = UInt64(try bytes.u32(offset + 4, .hashTable))
    }
    if let address = dynamic[ELFConstants.Tag.gnuHash] {
      return max(count, try gnu(bytes, segments, address))
    }
    guard dynamic[ELFConstants.Tag.hash] != nil else {
      throw .malformed(
        .dynamicSection, at: dynamic.offset, expected: "an entry DT_GNU_HASH or DT_HASH",
        found: "none")
    }
    return count
  }

  private static func gnu(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ address: UInt64
  ) throws(Rejection) -> UInt64 {
    let offset = try segments.offset(of: 16, at: address, .gnuHashTable)
    let buckets = UInt64(try bytes.u32(offset, .gnuHashTable))
    let first = UInt64(try bytes.u32(offset + 4, .gnuHashTable))
    let filters = UInt64(try bytes.u32(offset + 8, .gnuHashTable))
    let bucketsAt = 16 + 8 * filters
    let chainsAt = bucketsAt + 4 * buckets
    _ = try segments.offset(of: chainsAt, at: address, .gnuHashTable)
    var last: UInt64 = 0
    for index in 0..<buckets {
      let position = offset + bucketsAt + 4 * index
      let symbol = UInt64(try bytes.u32(position, .gnuHashTable))
      guard symbol == 0 || symbol >= first else {
        throw .malformed(
          .gnuHashTable, at: position, expected: "a symbol from \(first)", found: symbol)
      }
      last = max(last, symbol)
    }
    guard last > 0 else { return 0 }
    // Chains follow one another, so all of them end where the last one does.
    while true {
      let chain = chainsAt + 4 * (last - first)
      let position = try segments.offset(of: 4, at: address + chain, .gnuHashTable)
      last += 1
      if try bytes.u32(position, .gnuHashTable) & 1 == 1 { return last }
    }
  }
}
