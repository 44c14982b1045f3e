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

  @Test("What an element holds is changed where it is, and not copied")
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

  @Test("An element that gets another identifier in place is reported, and found under it")
  func renamed() async {
    struct Named: Identifiable { var id: String }
    let reports = Reports()
    await reports.collect {
      var rows: IdentifiedArray<Named> = [Named(id: "a"), Named(id: "b"), Named(id: "c")]
      rows[id: "a"]?.id = "x"
      #expect(rows.map(\.id) == ["x", "b", "c"] && rows.index(id: "x") == 0)
      rows[1].id = "c"
      #expect(rows.map(\.id) == ["x", "c"] && rows.index(id: "c") == 1)
    }
    #expect(reports.all.count == 2)
    #expect(reports.all.first?.contains("from a to x") == true)
    #expect(reports.all.last?.contains("another element's") == true)
  }

  @Test("Random changes leave what an array that is searched has")
  func model() {
    var generator = SeededRandomNumberGenerator(seed: 20)
    var rows = IdentifiedArray<Row>()
    var model: [Row] = []
    for _ in 0..<3000 {
      let id = Int.random(in: 0..<20, using: &generator)
      let row = Row(id: id, weight: Int.random(in: 0..<100, using: &generator))
      let known = model.firstIndex { $0.id == id }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        rows.updateOrAppend(row)
        if let known { model[known] = row } else { model.append(row) }
      case 1:
        rows.updateOrInsert(row, at: 0)
        if let known { model[known] = row } else { model.insert(row, at: 0) }
      case 2:
        rows.remove(id: id)
        if let known { model.remove(at: known) }
      case 3:
        rows.sort { $0.weight < $1.weight }
        model.sort { $0.weight < $1.weight }
      case 4 where model.count > 1:
        rows.swapAt(0, model.count / 2)
        model.swapAt(0, model.count / 2)
      case 5:
        rows[id: id]?.weight += 1
        if let known { model[known].weight += 1 }
      case 6:
        rows.reverse()
        model.reverse()
      default:
        func clear(_ row: inout Row?) { row = nil }
        clear(&rows[id: id])
        if let known { model.remove(at: known) }
      }
      #expect(Array(rows) == model)
      #expect(model.indices.allSatisfy { rows.index(id: model[$0].id) == $0 })
    }
  }
}
