/// Checks the hash tables by which the loader finds symbols, as far as a search may go.
///
/// The loader trusts them: a chain that does not end, or a bloom filter whose size is not a power
/// of two, makes it read outside the file or stop the process.
enum ELFHashTables {
  static func symbolCount(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ dynamic: ELFDynamic
  ) throws(ELFError) -> UInt64 {
    var count: UInt64 = 0
    if let address = dynamic[ELFConstants.Tag.hash] {
      count = try systemV(bytes, segments, address)
    }
    if let address = dynamic[ELFConstants.Tag.gnuHash] {
      count = max(count, try gnu(bytes, segments, address))
    } else if dynamic[ELFConstants.Tag.hash] == nil {
      throw .malformed(
        .dynamicSection, at: dynamic.offset, expected: "an entry DT_GNU_HASH or DT_HASH",
        found: "none")
    }
    return count
  }

  private static func systemV(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ address: UInt64
  ) throws(ELFError) -> UInt64 {
    let offset = try segments.offset(of: 8, at: address, .hashTable)
    let buckets = UInt64(try bytes.u32(offset, .hashTable))
    let chains = UInt64(try bytes.u32(offset + 4, .hashTable))
    guard buckets > 0 else {
      throw .malformed(.hashTable, at: offset, expected: "a bucket", found: "none")
    }
    _ = try segments.offset(of: 8 + 4 * (buckets + chains), at: address, .hashTable)
    for index in 0..<(buckets + chains) {
      let position = offset + 8 + 4 * index
      let symbol = try bytes.u32(position, .hashTable)
      // A chain whose numbers do not descend could be a cycle, but linkers write such chains as
      // well. So only the bound is checked here; the scan's time limit catches a cycle.
      guard symbol < chains else {
        throw .malformed(
          .hashTable, at: position, expected: "a symbol below \(chains)", found: symbol)
      }
    }
    return chains
  }

  private static func gnu(
    _ bytes: ELFBytes, _ segments: ELFSegments, _ address: UInt64
  ) throws(ELFError) -> UInt64 {
    let offset = try segments.offset(of: 16, at: address, .gnuHashTable)
    let buckets = UInt64(try bytes.u32(offset, .gnuHashTable))
    let first = UInt64(try bytes.u32(offset + 4, .gnuHashTable))
    let filters = UInt64(try bytes.u32(offset + 8, .gnuHashTable))
    guard buckets > 0 else {
      throw .malformed(.gnuHashTable, at: offset, expected: "a bucket", found: "none")
    }
    guard filters > 0, filters & (filters - 1) == 0 else {
      throw .malformed(
        .gnuHashTable, at: offset + 8, expected: "a filter size that is a power of 2",
        found: filters)
    }
    let bucketsAt = 16 + 8 * filters
    let chainsAt = bucketsAt + 4 * buckets
    _ = try segments.offset(of: chainsAt, at: address, .gnuHashTable)
    var last: UInt64?
    for index in 0..<buckets {
      let position = offset + bucketsAt + 4 * index
      let symbol = UInt64(try bytes.u32(position, .gnuHashTable))
      if symbol == 0 { continue }
      guard symbol >= first else {
        throw .malformed(
          .gnuHashTable, at: position, expected: "a symbol from \(first)", found: symbol)
      }
      last = max(last ?? 0, symbol)
    }
    guard var last else { return 0 }
    // Chains follow one another, so all of them end where the last one does.
    while true {
      let chain = chainsAt + 4 * (last - first)
      let position = try segments.offset(of: 4, at: address + chain, .gnuHashTable)
      if try bytes.u32(position, .gnuHashTable) & 1 == 1 { return last + 1 }
      last += 1
    }
  }
}
