/// Identifiers in an order, each found by its hash: what an ``IdentifiedArray`` finds its elements by.
///
/// The hash table holds positions, so that inserting and removing in the middle takes one pass over a
/// list of small numbers and no identifier has to be hashed again. A few identifiers are compared one by
/// one, without a table.
///
/// It is inlined into its callers: with the identifier's type known it is several times as fast.
@frozen
@usableFromInline
struct IdentifierIndex<ID: Hashable> {
  @usableFromInline private(set) var ids: [ID] = []
  @usableFromInline var table = PositionTable()

  @inlinable
  init() {}

  /// The position of an identifier; `nil` if it is not there.
  ///
  /// - Complexity: constant.
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
  /// - Complexity: constant at the end, else O(n).
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
  /// - Complexity: constant at the end, else O(n).
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

  /// Puts an identifier that is not there in the place of the one at a position.
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

  /// Takes over a new order, or other identifiers, which differ.
  ///
  /// - Complexity: O(n).
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

  /// Where the table has a position.
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

  /// Takes a position out of the table, and closes the gap for those that were put beyond it.
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

/// The positions of an ``IdentifierIndex``, each at or after the place that a hash says.
@frozen
@usableFromInline
struct PositionTable: Sendable {
  /// A power of two of places, or none.
  @usableFromInline var places: [UInt32]

  @inlinable static var vacant: UInt32 { .max }
  /// Up to how many identifiers are compared one by one.
  @inlinable static var few: Int { 8 }

  @inlinable
  init() { places = [] }

  /// A table that is at most half full of `count`; none for a few.
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

  /// How many identifiers it is for.
  @inlinable var limit: Int { places.isEmpty ? Self.few : places.count / 4 * 3 }

  @inlinable
  func start(_ hash: Int) -> Int { hash & (places.count - 1) }

  @inlinable
  func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

  /// How far it is from one place to another, onwards.
  @inlinable
  func distance(from place: Int, to other: Int) -> Int { (other - place) & (places.count - 1) }

  @inlinable
  subscript(place: Int) -> Int? {
    get { places[place] == Self.vacant ? nil : Int(places[place]) }
    set { places[place] = newValue.map { UInt32(truncatingIfNeeded: $0) } ?? Self.vacant }
  }

  /// Moves all positions from `start` on by one.
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
