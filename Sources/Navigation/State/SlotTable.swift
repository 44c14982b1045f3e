/// Identifies an entry of a ``SlotTable``; never reused, so a stale identifier is recognized.
public struct SlotID<Entry>: Hashable, Sendable {
  let index: UInt32
  let generation: UInt32
}

extension SlotID {
  /// The identifier as one number, and back.
  package var number: UInt64 { UInt64(index) << 32 | UInt64(generation) }

  package init(number: UInt64) {
    index = UInt32(truncatingIfNeeded: number >> 32)
    generation = UInt32(truncatingIfNeeded: number)
  }
}

extension SlotID {
  /// The identifier that is written like this, as in `12.1`.
  package init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = UInt32(parts[0]), let generation = UInt32(parts[1]) else {
      return nil
    }
    self.init(index: index, generation: generation)
  }
}

extension SlotID: CustomStringConvertible {
  /// The slot and its generation, as in `12.1`.
  public var description: String { "\(index).\(generation)" }
}

/// Values in numbered slots, each with a generation.
///
/// Slots are in chunks that copies of the table share until they are written, so that keeping an
/// old table costs what changed since.
/// - Complexity: reading, writing, inserting and removing are constant while the table is not
///   shared. The first write after a copy is O(n / 64), and copies one chunk of 64 slots.
public struct SlotTable<Entry> {
  fileprivate struct Slot {
    var generation: UInt32 = 0
    var entry: Entry?
  }
  private static var chunkBits: UInt32 { 6 }
  private static var chunkSize: UInt32 { 1 << chunkBits }

  private var chunks: [[Slot]] = []
  private var free: [UInt32] = []
  private var slotCount: UInt32 = 0
  /// How many entries there are.
  public private(set) var count = 0

  /// Creates an empty table.
  public init() {}

  /// The entry; `nil` if it was removed.
  public subscript(id: SlotID<Entry>) -> Entry? {
    let chunk = Int(id.index >> Self.chunkBits)
    guard chunk < chunks.count else { return nil }
    let slot = Int(id.index & (Self.chunkSize - 1))
    guard slot < chunks[chunk].count, chunks[chunk][slot].generation == id.generation else {
      return nil
    }
    return chunks[chunk][slot].entry
  }

  /// Reads from an entry without copying it.
  ///
  /// - Returns: what `body` returned; `nil` if the entry was removed.
  package func read<Result>(_ id: SlotID<Entry>, _ body: (Entry) -> Result) -> Result? {
    let chunk = Int(id.index >> Self.chunkBits)
    let slot = Int(id.index & (Self.chunkSize - 1))
    guard chunk < chunks.count, slot < chunks[chunk].count,
      chunks[chunk][slot].generation == id.generation
    else { return nil }
    return chunks[chunk][slot].entry.map(body)
  }

  /// The identifiers of all entries, in the order of their slots.
  ///
  /// - Complexity: O(n) in the slots.
  package var ids: [SlotID<Entry>] {
    var ids: [SlotID<Entry>] = []
    ids.reserveCapacity(count)
    for (position, chunk) in chunks.enumerated() {
      for (offset, slot) in chunk.enumerated() where slot.entry != nil {
        let index = UInt32(position) << Self.chunkBits + UInt32(offset)
        ids.append(SlotID(index: index, generation: slot.generation))
      }
    }
    return ids
  }

  /// The identifiers of the entries that are not as they were in an earlier version of this table.
  ///
  /// - Parameters:
  ///   - old: the earlier version.
  ///   - isSame: whether an entry is as it was.
  /// - Returns: those that are new or have changed, and those that are gone.
  /// - Complexity: O(n / 64) in the slots, and O(1) in each chunk that has been written since.
  package func differences(
    from old: SlotTable, isSame: (Entry, Entry) -> Bool
  ) -> (changed: [SlotID<Entry>], removed: [SlotID<Entry>]) {
    var changed: [SlotID<Entry>] = []
    var removed: [SlotID<Entry>] = []
    for position in 0..<max(chunks.count, old.chunks.count) {
      let own = position < chunks.count ? chunks[position] : []
      let former = position < old.chunks.count ? old.chunks[position] : []
      if Self.areShared(own, former) { continue }
      for offset in 0..<max(own.count, former.count) {
        let index = UInt32(position) << Self.chunkBits + UInt32(offset)
        let (new, before) = (
          offset < own.count ? own[offset] : Slot(), offset < former.count ? former[offset] : Slot()
        )
        let isKept = new.generation == before.generation
        if before.entry != nil, !isKept || new.entry == nil {
          removed.append(SlotID(index: index, generation: before.generation))
        }
        guard let entry = new.entry else { continue }
        if isKept, let earlier = before.entry, isSame(entry, earlier) { continue }
        changed.append(SlotID(index: index, generation: new.generation))
      }
    }
    return (changed, removed)
  }

  /// Whether two chunks are one, of which neither version has written its own copy.
  private static func areShared(_ first: [Slot], _ second: [Slot]) -> Bool {
    first.count == second.count
      && first.withUnsafeBufferPointer { first in
        second.withUnsafeBufferPointer { first.baseAddress == $0.baseAddress }
      }
  }

  /// Changes an entry in place.
  ///
  /// - Returns: what `body` returned; `nil` if the entry was removed.
  public mutating func update<Result>(
    _ id: SlotID<Entry>, _ body: (inout Entry) throws -> Result
  ) rethrows -> Result? {
    let chunk = Int(id.index >> Self.chunkBits)
    let slot = Int(id.index & (Self.chunkSize - 1))
    guard chunk < chunks.count, slot < chunks[chunk].count,
      chunks[chunk][slot].generation == id.generation, chunks[chunk][slot].entry != nil
    else { return nil }
    // In place: taking the entry out and putting it back would copy it twice.
    // swift-format-ignore: NeverForceUnwrap
    return try body(&chunks[chunk][slot].entry!)
  }

  /// Adds an entry that may know its own identifier.
  public mutating func insert(_ entry: Entry) -> SlotID<Entry> {
    count += 1
    if let index = free.popLast() {
      let chunk = Int(index >> Self.chunkBits)
      let slot = Int(index & (Self.chunkSize - 1))
      chunks[chunk][slot].entry = entry
      return SlotID(index: index, generation: chunks[chunk][slot].generation)
    }
    let index = slotCount
    slotCount += 1
    if index & (Self.chunkSize - 1) == 0 {
      var chunk: [Slot] = []
      chunk.reserveCapacity(Int(Self.chunkSize))
      chunks.append(chunk)
    }
    chunks[Int(index >> Self.chunkBits)].append(Slot(entry: entry))
    return SlotID(index: index, generation: 0)
  }

  /// An empty table that gives out none of this table's identifiers again.
  ///
  /// - Parameter kept: identifiers of this table for which ``insert(_:at:)`` is to be called.
  /// - Returns: the table.
  package func emptied(keeping kept: Set<SlotID<Entry>>) -> SlotTable {
    var table = self
    table.count = 0
    for (position, chunk) in chunks.enumerated() {
      for (offset, slot) in chunk.enumerated() where slot.entry != nil {
        let index = UInt32(position) << Self.chunkBits + UInt32(offset)
        table.chunks[position][offset].entry = nil
        if kept.contains(SlotID(index: index, generation: slot.generation)) { continue }
        guard slot.generation < .max else { continue }
        table.chunks[position][offset].generation += 1
        table.free.append(index)
      }
    }
    return table
  }

  /// Adds an entry under an identifier that was kept when the table was emptied.
  package mutating func insert(_ entry: Entry, at id: SlotID<Entry>) {
    let chunk = Int(id.index >> Self.chunkBits)
    let slot = Int(id.index & (Self.chunkSize - 1))
    precondition(
      chunks[chunk][slot].entry == nil && chunks[chunk][slot].generation == id.generation,
      "the identifier \(id) was not kept for an entry of \(Entry.self)")
    chunks[chunk][slot].entry = entry
    count += 1
  }

  /// Takes an entry out; its identifier is not used again.
  @discardableResult
  public mutating func remove(_ id: SlotID<Entry>) -> Entry? {
    guard let entry = self[id] else { return nil }
    let chunk = Int(id.index >> Self.chunkBits)
    let slot = Int(id.index & (Self.chunkSize - 1))
    chunks[chunk][slot].entry = nil
    // A slot whose generations are used up is given up rather than used again.
    if chunks[chunk][slot].generation < .max {
      chunks[chunk][slot].generation += 1
      free.append(id.index)
    }
    count -= 1
    return entry
  }
}

extension SlotTable: Sendable where Entry: Sendable {}
extension SlotTable.Slot: Sendable where Entry: Sendable {}
