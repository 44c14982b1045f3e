internal import Glibc

/// Names, each kept once and numbered from 0 in the order of first mention.
///
/// ASCII case is folded, as dpkg folds package names and field names. The hash is the standard
/// library's, seeded per process, so that no file can be made whose names all collide.
struct NameTable: Sendable {
  private var text: [UInt8] = []
  private var starts: [UInt32] = [0]
  private var hashes: [UInt32] = []
  /// Open addressing; -1 marks a free slot, and at least half of the slots are free.
  private var slots = [Int32](repeating: -1, count: 64)

  /// How many names there are; their numbers are `0..<count`.
  var count: Int { hashes.count }

  /// Calls `body` with the folded bytes of a name.
  func withName<Result>(_ number: Int32, _ body: (Bytes) -> Result) -> Result {
    text.withUnsafeBufferPointer { bytes in
      body(bytes.slice(Int(starts[Int(number)])..<Int(starts[Int(number) + 1])))
    }
  }

  /// The number of a name, if it was ever mentioned.
  ///
  /// - Complexity: O(length of the name).
  func number(of name: Bytes) -> Int32? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { folded in
      for position in name.indices { folded[position] = name[position].folded }
      let bytes = Bytes(rebasing: folded[0..<name.count])
      let found = slots[slot(of: bytes, hash: Self.hash(bytes))]
      return found < 0 ? nil : found
    }
  }

  /// The number of a name, if it was ever mentioned.
  func number(of name: String) -> Int32? {
    var name = name
    return name.withUTF8 { number(of: $0) }
  }

  /// The number of a name, which is new if the name is.
  ///
  /// - Complexity: O(length of the name), amortized.
  mutating func intern(_ name: Bytes) -> Int32 {
    let start = text.count
    for byte in name { text.append(byte.folded) }
    let (position, hash) = text.withUnsafeBufferPointer { bytes in
      let folded = bytes.slice(start..<bytes.count)
      let hash = Self.hash(folded)
      return (slot(of: folded, hash: hash), hash)
    }
    if slots[position] >= 0 {
      text.removeLast(text.count - start)
      return slots[position]
    }
    let number = Int32(truncatingIfNeeded: hashes.count)
    slots[position] = number
    hashes.append(hash)
    starts.append(UInt32(truncatingIfNeeded: text.count))
    if hashes.count * 2 > slots.count { grow() }
    return number
  }

  /// The slot that holds the name, or the free one where it belongs.
  private func slot(of folded: Bytes, hash: UInt32) -> Int {
    let mask = slots.count - 1
    var position = Int(hash) & mask
    while true {
      let number = slots[position]
      if number < 0 { return position }
      if hashes[Int(number)] == hash, isName(number, folded) { return position }
      position = (position + 1) & mask
    }
  }

  private func isName(_ number: Int32, _ folded: Bytes) -> Bool {
    withName(number) { name in
      guard name.count == folded.count else { return false }
      guard let left = name.baseAddress, let right = folded.baseAddress else { return true }
      return memcmp(left, right, name.count) == 0
    }
  }

  private mutating func grow() {
    var larger = [Int32](repeating: -1, count: slots.count * 4)
    let mask = larger.count - 1
    for number in hashes.indices {
      var position = Int(hashes[number]) & mask
      while larger[position] >= 0 { position = (position + 1) & mask }
      larger[position] = Int32(truncatingIfNeeded: number)
    }
    slots = larger
  }

  private static func hash(_ bytes: Bytes) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
