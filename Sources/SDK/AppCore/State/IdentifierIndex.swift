/// Ordered identifiers that are found by hash; the index of an ``IdentifiedArray``.
///
/// The hash table holds positions, so that inserting and removing in the middle takes one pass over
/// an array of small integers, and no identifier has to be hashed again. A few identifiers are
/// compared one by one, without a table.
///
/// It is inlinable: specialized for the identifier's type, it is several times as fast.
@frozen
@usableFromInline
struct IdentifierIndex<ID: Hashable> {
  @usableFromInline private(set) var ids: [ID] = []
  @usableFromInline var table = PositionTable()

  @inlinable
  init() {}

  /// The position of an identifier; `nil` if it is not there.
  ///
  /// - Complexity: O(1) on average.
  @inlinable
  func position(of id: ID) -> Int? {
    guard !table.isEmpty else { return ids.firstIndex(of: id) }
    var place = table.start(id.hashValue)
    while let position = table[place] {
      if ids[position] == id { return position }
      place = table.next(place)
    }
    return nil
  }

  @inlinable
  mutating func reserveCapacity(_ count: Int) {
    ids.reserveCapacity(count)
    if count > table.limit { makeTable(for: count) }
  }

  /// Adds an identifier that is not there.
  ///
  /// - Complexity: O(1) at the end, amortized; otherwise O(*n*), where *n* is the number of
  ///   identifiers.
  @inlinable
  mutating func insert(_ id: ID, at position: Int) {
    if ids.count >= table.limit { makeTable(for: ids.count + 1) }
    if position == ids.count {
      ids.append(id)
    } else {
      table.shift(from: position, by: 1)
      ids.insert(id, at: position)
    }
    if !table.isEmpty { note(position) }
  }

  /// Removes the identifier at a position.
  ///
  /// - Complexity: O(1) at the end, amortized; otherwise O(*n*), where *n* is the number of
  ///   identifiers.
  @inlinable
  mutating func remove(at position: Int) {
    if !table.isEmpty { forget(position) }
    ids.remove(at: position)
    if ids.count < table.places.count / 16 {
      makeTable(for: ids.count)
    } else if position < ids.count {
      table.shift(from: position + 1, by: -1)
    }
  }

  /// Replaces the identifier at a position by a new one.
  @inlinable
  mutating func replace(at position: Int, by id: ID) {
    if !table.isEmpty { forget(position) }
    ids[position] = id
    if !table.isEmpty { note(position) }
  }

  @inlinable
  mutating func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return }
    if !table.isEmpty {
      let places = (place(of: first), place(of: second))
      table[places.0] = second
      table[places.1] = first
    }
    ids.swapAt(first, second)
  }

  /// Reverses the order; nothing is hashed.
  @inlinable
  mutating func reverse() {
    ids.reverse()
    table.reverse(ids.count)
  }

  /// Replaces all identifiers by others, or by the same in a new order; they must be unique.
  ///
  /// - Complexity: O(*n*), where *n* is the number of new identifiers.
  @inlinable
  mutating func replaceAll(by ids: [ID]) {
    self.ids = ids
    makeTable(for: ids.count)
  }

  @inlinable
  mutating func makeTable(for count: Int) {
    table = PositionTable(for: count)
    guard !table.isEmpty else { return }
    for position in ids.indices { note(position) }
  }

  /// The place in the table that holds a position.
  @inlinable
  func place(of position: Int) -> Int {
    var place = table.start(ids[position].hashValue)
    while table[place] != position { place = table.next(place) }
    return place
  }

  @inlinable
  mutating func note(_ position: Int) {
    var place = table.start(ids[position].hashValue)
    while table[place] != nil { place = table.next(place) }
    table[place] = position
  }

  /// Removes a position from the table, and closes the gap in its probe sequence.
  @inlinable
  mutating func forget(_ position: Int) {
    var gap = place(of: position)
    var place = table.next(gap)
    while let other = table[place] {
      let start = table.start(ids[other].hashValue)
      if table.distance(from: start, to: place) >= table.distance(from: gap, to: place) {
        table[gap] = other
        gap = place
      }
      place = table.next(place)
    }
    table[gap] = nil
  }
}

extension IdentifierIndex: Sendable where ID: Sendable {}

/// The hash table of an ``IdentifierIndex``: each position is at the place given by its
/// identifier's hash, or in the next free place.
@frozen
@usableFromInline
struct PositionTable: Sendable {
  /// The places; their count is a power of two, or zero.
  @usableFromInline var places: [UInt32]

  @inlinable static var vacant: UInt32 { .max }
  /// The greatest number of identifiers that are compared one by one, without a table.
  @inlinable static var few: Int { 8 }

  @inlinable
  init() { places = [] }

  /// An empty table that `count` positions fill at most by half; without places for a few
  /// positions.
  @usableFromInline
  init(for count: Int) {
    guard count > Self.few else {
      places = []
      return
    }
    precondition(count < 1 << 30, "an IdentifiedArray has fewer than 2^30 elements")
    let size = 1 << (Int.bitWidth - (count * 2 - 1).leadingZeroBitCount)
    places = Array(repeating: Self.vacant, count: size)
  }

  @inlinable var isEmpty: Bool { places.isEmpty }

  /// The number of identifiers that it has room for.
  @inlinable var limit: Int { places.isEmpty ? Self.few : places.count / 4 * 3 }

  @inlinable
  func start(_ hash: Int) -> Int { hash & (places.count - 1) }

  @inlinable
  func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

  /// The number of steps forward from one place to another.
  @inlinable
  func distance(from place: Int, to other: Int) -> Int { (other - place) & (places.count - 1) }

  @inlinable
  subscript(place: Int) -> Int? {
    get { places[place] == Self.vacant ? nil : Int(places[place]) }
    set { places[place] = newValue.map { UInt32(truncatingIfNeeded: $0) } ?? Self.vacant }
  }

  /// Adds `step` to all positions from `start` on.
  @usableFromInline
  mutating func shift(from start: Int, by step: Int) {
    let (start, step) = (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: step))
    places.withUnsafeMutableBufferPointer { places in
      for place in places.indices {
        let position = places[place]
        places[place] = position >= start && position != Self.vacant ? position &+ step : position
      }
    }
  }

  /// Reverses the positions.
  @usableFromInline
  mutating func reverse(_ count: Int) {
    let last = UInt32(truncatingIfNeeded: count) &- 1
    places.withUnsafeMutableBufferPointer { places in
      for place in places.indices {
        let position = places[place]
        places[place] = position == Self.vacant ? position : last &- position
      }
    }
  }
}
