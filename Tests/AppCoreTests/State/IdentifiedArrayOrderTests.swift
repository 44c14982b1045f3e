import AppCore
import Testing

/// What keeps the order of an identified array, against an array that is searched.
@Suite("IdentifiedArray: order, and changes in place")
struct IdentifiedArrayOrderTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var weight: Int
    var children: [Int] = []
  }

  private static func rows(_ ids: Int...) -> IdentifiedArray<Row> {
    IdentifiedArray(uniqueElements: ids.map { Row(id: $0, weight: $0 % 3) })
  }

  /// Every element is found where it is, and nothing else is.
  private func expectSound(
    _ rows: IdentifiedArray<Row>, _ ids: [Int], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(rows.map(\.id) == ids, sourceLocation: sourceLocation)
    for (position, id) in ids.enumerated() {
      #expect(rows.index(id: id) == position, sourceLocation: sourceLocation)
      #expect(rows[id: id]?.id == id, sourceLocation: sourceLocation)
    }
    for id in 0..<20 where !ids.contains(id) {
      #expect(rows.index(id: id) == nil, sourceLocation: sourceLocation)
    }
  }

  @Test("Elements are removed by their positions, however these are ordered")
  func removeAtOffsets() {
    var rows = Self.rows(4, 7, 1, 9, 2)
    rows.remove(atOffsets: [3, 0, 3])
    expectSound(rows, [7, 1, 2])
    rows.remove(atOffsets: [])
    expectSound(rows, [7, 1, 2])
    rows.remove(atOffsets: rows.indices)
    expectSound(rows, [])
  }

  @Test("Sorting, swapping, reversing, partitioning and moving keep every element to be found")
  func order() {
    var rows = Self.rows(5, 3, 8, 1, 9)
    rows.sort { $0.id < $1.id }
    expectSound(rows, [1, 3, 5, 8, 9])
    rows.swapAt(0, 4)
    expectSound(rows, [9, 3, 5, 8, 1])
    rows.reverse()
    expectSound(rows, [1, 8, 5, 3, 9])
    rows.move(fromOffsets: [0, 3], toOffset: 5)
    expectSound(rows, [8, 5, 9, 1, 3])
    rows.move(fromOffsets: [4, 2], toOffset: 0)
    expectSound(rows, [9, 3, 8, 5, 1])
    let second = rows.partition { $0.id > 4 }
    #expect(second == 2)
    #expect(Set(rows.prefix(2).map(\.id)) == [1, 3])
    expectSound(rows, rows.map(\.id))
    var generator = SeededRandomNumberGenerator(seed: 7)
    rows.shuffle(using: &generator)
    expectSound(rows, rows.map(\.id))
    rows.shuffle()
    expectSound(rows, rows.map(\.id))
    #expect(Set(rows.map(\.id)) == [1, 3, 5, 8, 9])
  }

  @Test("Elements come and go at any place")
  func changes() {
    var rows = Self.rows(1, 2, 3)
    #expect(rows.updateOrAppend(Row(id: 2, weight: 9))?.weight == 2)
    #expect(rows.updateOrAppend(Row(id: 4, weight: 0)) == nil)
    #expect(rows.updateOrInsert(Row(id: 5, weight: 0), at: 0) == nil)
    expectSound(rows, [5, 1, 2, 3, 4])
    #expect(rows.remove(at: 1).id == 1)
    #expect(rows.removeLast().id == 4)
    expectSound(rows, [5, 2, 3])
    rows.append(contentsOf: [Row(id: 7, weight: 0), Row(id: 8, weight: 0)])
    rows.removeLast(2)
    expectSound(rows, [5, 2, 3])
    let heavy = rows.filter { $0.weight > 1 }
    expectSound(heavy, [2])
    rows[0] = Row(id: 5, weight: 6)
    rows[1].weight = 7
    #expect(rows.map(\.weight) == [6, 7, 0])
    rows[id: 2] = nil
    expectSound(rows, [5, 3])
    rows.insert(Row(id: 6, weight: 0), at: 1)
    rows[id: 3] = Row(id: 3, weight: 8)
    rows[id: 4] = Row(id: 4, weight: 9)
    expectSound(rows, [5, 6, 3, 4])
    #expect(rows.map(\.weight) == [6, 0, 8, 9])
    #expect([rows.remove(id: 6)?.id, rows.remove(id: 6)?.id] == [6, nil])
    rows.removeAll { $0.weight > 8 }
    expectSound(rows, [5, 3])
    rows.removeAll()
    expectSound(rows, [])
  }

  @Test("Removing a negative number of elements is a mistake that is named")
  func negative() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var rows = Self.rows(1, 2)
      rows.removeLast(-1)
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(errors.contains("can't remove a negative number of elements"))
  }

  @Test("Setting 'nil' in place removes from the middle, the beginning and the end")
  func removedInPlace() {
    func clear(_ row: inout Row?) { row = nil }
    for (gone, left) in [(1, [2, 3, 4]), (2, [1, 3, 4]), (4, [1, 2, 3])] {
      var rows = Self.rows(1, 2, 3, 4)
      clear(&rows[id: gone])
      expectSound(rows, left)
    }
    var rows = Self.rows(1)
    func make(_ row: inout Row?) { row = Row(id: 2, weight: 0) }
    make(&rows[id: 2])
    expectSound(rows, [1, 2])
  }

  @Test("An element's values are changed in place, and not copied")
  func inPlace() {
    var rows = Self.rows(1, 2, 3)
    rows[id: 2]?.children = Array(0..<1000)
    func address() -> UnsafeRawPointer? {
      rows[1].children.withUnsafeBytes { $0.baseAddress }
    }
    rows[id: 2]?.children.reserveCapacity(5000)
    let before = address()
    rows[id: 2]?.children.append(1)
    rows[1].children.append(2)
    #expect(address() == before)
    #expect(rows[id: 2]?.children.count == 1002)
    expectSound(rows, [1, 2, 3])
  }

  private struct Item<ID: Hashable>: Identifiable, Equatable {
    let id: ID
    var weight: Int
  }

  /// Identifiers of which many have the same hash.
  private struct Clashing: Hashable {
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % 5) }
  }

  @Test("Random changes leave what an array that is searched has", arguments: [6, 20, 60, 400])
  func model(count: Int) {
    compare(Array(0..<count), seed: 20)
    compare((0..<count).map(Clashing.init), seed: 21)
    compare((0..<count).map { "row \($0)" }, seed: 22)
  }

  private func compare<ID: Hashable>(_ ids: [ID], seed: UInt64) {
    typealias Row = Item<ID>
    var generator = SeededRandomNumberGenerator(seed: seed)
    var rows = IdentifiedArray<Row>()
    var model: [Row] = []
    for round in 0..<2000 {
      let row = Row(
        id: ids[Int.random(in: 0..<ids.count, using: &generator)],
        weight: Int.random(in: 0..<100, using: &generator))
      let known = model.firstIndex { $0.id == row.id }
      // It grows first, and then comes and goes.
      let kind = round < ids.count ? round % 3 : Int.random(in: 0..<12, using: &generator)
      let place = Int.random(in: 0...model.count, using: &generator)
      switch kind {
      case 0, 1:
        rows.updateOrInsert(row, at: place)
        if let known { model[known] = row } else { model.insert(row, at: place) }
      case 2:
        rows.updateOrAppend(row)
        if let known { model[known] = row } else { model.append(row) }
      case 3, 4:
        rows.remove(id: row.id)
        if let known { model.remove(at: known) }
      case 5:
        rows.sort { $0.weight < $1.weight }
        model.sort { $0.weight < $1.weight }
      case 6 where place < model.count:
        rows.swapAt(0, place)
        model.swapAt(0, place)
      case 7:
        rows[id: row.id]?.weight += 1
        if let known { model[known].weight += 1 }
      case 8:
        rows.reverse()
        model.reverse()
      case 9 where place < model.count:
        rows.remove(at: place)
        model.remove(at: place)
      case 10:
        rows.removeAll { $0.weight % 10 == 0 }
        model.removeAll { $0.weight % 10 == 0 }
      default:
        func clear(_ row: inout Row?) { row = nil }
        clear(&rows[id: row.id])
        if let known { model.remove(at: known) }
      }
      let isSame = Array(rows) == model && rows.ids == model.map(\.id)
      #expect(isSame, "\(kind)")
      let isSound =
        model.indices.allSatisfy { rows.index(id: model[$0].id) == $0 }
        && ids.count { rows.index(id: $0) != nil } == model.count
      #expect(isSound, "\(kind)")
      guard isSame, isSound else { return }
    }
  }
}
