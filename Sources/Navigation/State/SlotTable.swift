/// Identifies an entry of a ``SlotTable``; it is never reused, so a stale one is recognized.
public struct SlotID<Entry>: Hashable, Sendable {
  let index: UInt32
  let generation: UInt32
}

extension SlotID: CustomStringConvertible {
  package var number: UInt64 { UInt64(index) << 32 | UInt64(generation) }

  package init(number: UInt64) {
    index = UInt32(truncatingIfNeeded: number >> 32)
    generation = UInt32(truncatingIfNeeded: number)
  }

  /// Parses an identifier as in `12.1`; `nil` if `text` is malformed.
  package init?(text: String) {
    let bytes = text.utf8
    guard let point = bytes.firstIndex(of: UInt8(ascii: ".")), let index = UInt32(text[..<point]),
      let generation = UInt32(text[bytes.index(after: point)...])
    else { return nil }
    self.init(index: index, generation: generation)
  }

  /// The slot and its generation, as in `12.1`.
  public var description: String { "\(index).\(generation)" }
}

/// A table of values in numbered slots, each with a generation.
///
/// The slots are in copy-on-write chunks, so an old copy of the table costs only the chunks that
/// have been written since.
/// - Complexity: reading, writing, inserting and removing are O(1) while the table is not shared.
///   The first write after a copy is O(*n* / 64), where *n* is the number of slots, and copies one
///   chunk of 64 slots.
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
  /// The number of entries.
  public private(set) var count = 0

  public init() {}

  private static func place(of index: UInt32) -> (chunk: Int, slot: Int) {
    (Int(index >> chunkBits), Int(index & (chunkSize - 1)))
  }

  /// The chunk and the slot of an identifier; `nil` if its entry was removed.
  private func place(of id: SlotID<Entry>) -> (chunk: Int, slot: Int)? {
    let (chunk, slot) = Self.place(of: id.index)
    guard chunk < chunks.count, slot < chunks[chunk].count,
      chunks[chunk][slot].generation == id.generation, chunks[chunk][slot].entry != nil
    else { return nil }
    return (chunk, slot)
  }

  /// The entry; `nil` if it was removed.
  public subscript(id: SlotID<Entry>) -> Entry? { read(id) { $0 } }

  /// Reads from an entry without copying it.
  ///
  /// - Returns: what `body` returned; `nil` if the entry was removed.
  package func read<Result>(_ id: SlotID<Entry>, _ body: (Entry) -> Result) -> Result? {
    guard let (chunk, slot) = place(of: id) else { return nil }
    return chunks[chunk][slot].entry.map(body)
  }

  /// The identifiers of all entries, in the order of their slots.
  ///
  /// - Complexity: O(*n*), where *n* is the number of slots.
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

  /// The identifiers of entries that are new or changed since an earlier version of this table, and
  /// of those that were removed.
  ///
  /// - Complexity: O(*n* / 64 + *m*), where *n* is the number of slots and *m* that of the slots in
  ///   chunks that were written since.
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

  /// Whether two chunks share their storage, so neither version has written to it.
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
    guard let (chunk, slot) = place(of: id) else { return nil }
    // In place: taking the entry out and putting it back would copy it twice.
    // swift-format-ignore: NeverForceUnwrap
    return try body(&chunks[chunk][slot].entry!)
  }

  public mutating func insert(_ entry: Entry) -> SlotID<Entry> {
    count += 1
    if let index = free.popLast() {
      let (chunk, slot) = Self.place(of: index)
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

  /// Returns an empty table that does not reuse identifiers of this one, except for those that are
  /// reserved for ``insert(_:at:)``.
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

  /// Creates a table that is empty but for the places of identifiers, for which ``insert(_:at:)`` is to be
  /// called.
  package init(reserving ids: [SlotID<Entry>]) {
    for id in ids { makeSlots(through: id) }
    let kept = Set(ids.map(\.index))
    free = (0..<slotCount).reversed().filter { !kept.contains($0) }
  }

  /// Makes the next insertions give out these identifiers, in this order, as far as their slots are
  /// free: a slot that is occupied is given out again when its entry has been removed.
  ///
  /// This repeats in a table with another past what was done before.
  package mutating func prepare(_ ids: [SlotID<Entry>]) {
    for id in ids { makeSlots(through: id) }
    let indexes = ids.map(\.index).filter { index in
      let (chunk, slot) = Self.place(of: index)
      return chunks[chunk][slot].entry == nil
    }
    let prepared = Set(indexes)
    free.removeAll { prepared.contains($0) }
    free += indexes.reversed()
  }

  /// Makes the slot of an identifier, and those before it that there are not yet.
  private mutating func makeSlots(through id: SlotID<Entry>) {
    while slotCount <= id.index {
      if slotCount & (Self.chunkSize - 1) == 0 { chunks.append([]) }
      chunks[Int(slotCount >> Self.chunkBits)].append(Slot())
      free.append(slotCount)
      slotCount += 1
    }
    let (chunk, slot) = Self.place(of: id.index)
    if chunks[chunk][slot].entry == nil { chunks[chunk][slot].generation = id.generation }
  }

  /// Adds an entry with an identifier that was reserved when the table was emptied.
  package mutating func insert(_ entry: Entry, at id: SlotID<Entry>) {
    let (chunk, slot) = Self.place(of: id.index)
    precondition(
      chunks[chunk][slot].entry == nil && chunks[chunk][slot].generation == id.generation,
      "the identifier \(id) was not kept for an entry of \(Entry.self)")
    chunks[chunk][slot].entry = entry
    count += 1
  }

  /// Removes an entry; its identifier is not reused.
  @discardableResult
  public mutating func remove(_ id: SlotID<Entry>) -> Entry? {
    guard let (chunk, slot) = place(of: id), let entry = chunks[chunk][slot].entry else {
      return nil
    }
    chunks[chunk][slot].entry = nil
    // A slot whose generations are exhausted is not reused.
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
