internal import Glibc

/// Interned names, numbered from 0 in the order of first mention.
///
/// ASCII case is folded, as dpkg folds package names and field names. The hash is the standard
/// library's, seeded per process, so that nobody can craft a file whose names all collide.
struct NameTable: Sendable {
  private var text: [UInt8] = []
  private var starts: [UInt32] = [0]
  /// Open addressing; at least half of the slots are free.
  private var slots = [Slot](repeating: Slot(), count: 64)

  /// A name's number, stored next to its hash so that most probes touch one cache line.
  private struct Slot: Sendable {
    var hash: UInt32 = 0
    /// -1 marks a free slot.
    var number: Int32 = -1
  }

  /// How many names there are; their numbers are `0..<count`.
  var count: Int { starts.count - 1 }

  /// Calls `body` with the folded bytes of a name.
  func withName<Result>(_ number: Int32, _ body: (Bytes) -> Result) -> Result {
    text.withUnsafeBufferPointer { bytes in
      body(bytes.slice(Int(starts[Int(number)])..<Int(starts[Int(number) + 1])))
    }
  }

  /// The number of a name; `nil` if the name has not been added.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the name.
  func number(of name: Bytes) -> Int32? {
    Self.withFolded(name) { folded in
      let found = slots[slot(of: folded, hash: Self.hash(folded))].number
      return found < 0 ? nil : found
    }
  }

  /// The number of a name; `nil` if the name has not been added.
  func number(of name: String) -> Int32? {
    var name = name
    return name.withUTF8 { number(of: $0) }
  }

  /// The number of a name; a new name is added and gets the next number.
  ///
  /// - Complexity: amortized O(*n*), where *n* is the length of the name.
  mutating func intern(_ name: Bytes) -> Int32 {
    Self.withFolded(name) { folded in
      let hash = Self.hash(folded)
      let position = slot(of: folded, hash: hash)
      if slots[position].number >= 0 { return slots[position].number }
      let number = Int32(truncatingIfNeeded: count)
      slots[position] = Slot(hash: hash, number: number)
      text.append(contentsOf: folded)
      starts.append(UInt32(truncatingIfNeeded: text.count))
      if count * 2 > slots.count { grow() }
      return number
    }
  }

  /// Calls `body` with a name's folded bytes; without uppercase letters, they are not copied.
  private static func withFolded<Result>(_ name: Bytes, _ body: (Bytes) -> Result) -> Result {
    var hasCapitals = false
    for byte in name where byte.folded != byte { hasCapitals = true }
    if !hasCapitals { return body(name) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { folded in
      for position in name.indices { folded[position] = name[position].folded }
      return body(Bytes(rebasing: folded[0..<name.count]))
    }
  }

  /// The slot that holds the name, or the free slot for it.
  // Inlined, so that the arrays are not retained and released for each name of a file.
  @inline(__always)
  private func slot(of folded: Bytes, hash: UInt32) -> Int {
    let mask = slots.count - 1
    var position = Int(hash) & mask
    while true {
      let found = slots[position]
      if found.number < 0 { return position }
      if found.hash == hash, isName(found.number, folded) { return position }
      position = (position + 1) & mask
    }
  }

  @inline(__always)
  private func isName(_ number: Int32, _ folded: Bytes) -> Bool {
    withName(number) { name in
      guard name.count == folded.count else { return false }
      guard let left = name.baseAddress, let right = folded.baseAddress else { return true }
      return memcmp(left, right, name.count) == 0
    }
  }

  private mutating func grow() {
    var larger = [Slot](repeating: Slot(), count: slots.count * 4)
    let mask = larger.count - 1
    for slot in slots where slot.number >= 0 {
      var position = Int(slot.hash) & mask
      while larger[position].number >= 0 { position = (position + 1) & mask }
      larger[position] = slot
    }
    slots = larger
  }

  private static func hash(_ bytes: Bytes) -> UInt32 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
