/// Identifies an entry of a ``SlotTable``; never reused, so that a stale one is told from a new one.
public struct SlotID<Entry>: Hashable, Sendable {
  let index: UInt32
  let generation: UInt32
}

extension SlotID: CustomStringConvertible {
  /// The slot and its generation, as in `12.1`.
  public var description: String { "\(index).\(generation)" }
}

/// Values in numbered slots, each with a generation.
///
/// Slots stand in chunks that copies of the table share until they are written, so that keeping an
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

  /// The entry; `nil` where it was removed.
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
  /// - Returns: what `body` returned; `nil` where the entry was removed.
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

  /// Changes an entry in place.
  ///
  /// - Returns: what `body` returned; `nil` where the entry was removed.
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
