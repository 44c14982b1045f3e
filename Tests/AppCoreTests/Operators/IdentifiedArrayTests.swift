import Foundation
import Testing

@testable import AppCore

@Suite("IdentifiedArray")
struct IdentifiedArrayTests {
  private let array: IdentifiedArray<Seat> = [
    Seat(name: "a"), Seat(name: "b"), Seat(name: "c"), Seat(name: "d"),
  ]

  /// Whether every element is found under its id, and nothing else is.
  private func isConsistent(_ array: IdentifiedArray<Seat>) -> Bool {
    array.ids == array.map(\.id) && array.allSatisfy { array[id: $0.id] == $0 }
      && ["a", "b", "c", "d", "e", "x"].filter { array[id: $0] != nil }.count == array.count
  }

  @Test("Elements are found by their ids wherever they were put and whatever went before them")
  func positions() {
    var array = array
    array.insert(Seat(name: "x"), at: 1)
    #expect(array.ids == ["a", "x", "b", "c", "d"])
    #expect(isConsistent(array))
    let removed = [array.remove(id: "a"), array.remove(id: "a")]
    #expect(removed == [Seat(name: "a"), nil])
    #expect(array.ids == ["x", "b", "c", "d"])
    #expect(isConsistent(array))
    array.removeAll { $0.name < "d" }
    #expect(array.ids == ["x", "d"])
    #expect(isConsistent(array))
    array.removeAll()
    #expect(array.isEmpty)
    #expect(isConsistent(array))
  }

  @Test("Setting by id changes, appends and removes")
  func set() {
    var array = array
    array[id: "b"] = Seat(name: "b", count: 2)
    array[id: "e"] = Seat(name: "e")
    array[id: "a"] = nil
    array[id: "c"]?.count = 3
    #expect(array.map(\.name) == ["b", "c", "d", "e"])
    #expect(array.map(\.count) == [2, 3, 0, 0])
    #expect(isConsistent(array))
  }

  @Test("A second element with an id, and one under another's id, are left out and reported")
  func refused() async {
    let reports = Reports()
    await reports.collect {
      var array = array
      let isAdded = array.append(Seat(name: "b", count: 9))
      #expect(!isAdded)
      array[id: "b"] = Seat(name: "x")
      #expect(array == self.array)
      #expect(IdentifiedArray([Seat(name: "a", count: 1), Seat(name: "a")]).map(\.count) == [1])
    }
    #expect(
      reports.all == [
        """
        an element with the id b is in the collection already; the new one was left out
          - give every element an id of its own, or set it with 'elements[id:]'
        """,
        "an element with the id x was set under the id b",
        """
        an element with the id a is in the collection already; the new one was left out
          - give every element an id of its own, or set it with 'elements[id:]'
        """,
      ])
  }

  @Test("An element that changes its id is found under the new one, or left out; it is reported")
  func renamed() async {
    let reports = Reports()
    await reports.collect {
      var array = array
      array.update("b") { $0.name = "x" }
      #expect(array.ids == ["a", "x", "c", "d"])
      #expect(isConsistent(array))
      array.update("x") { $0.name = "d" }
      #expect(array.ids == ["a", "c", "d"])
      #expect(isConsistent(array))
      array.update("gone") { $0.name = "d" }
    }
    #expect(
      reports.all == [
        """
        an element changed its id from b to x
          - an id stays: remove the element and add one with the new id
        """,
        """
        an element changed its id from x to d, which is another element's; it was left out
          - an id stays: remove the element and add one with the new id
        """,
      ])
  }

  @Test("The last removal is another one once elements have gone, and not before")
  func removal() {
    var array = array
    let before = array.removal
    array[id: "a"]?.count = 1
    array.append(Seat(name: "e"))
    #expect(array.removal == before)
    array.remove(id: "c")
    #expect(array.removal != before)
    #expect(IdentifiedArray(["a", "b"].map { Seat(name: $0) }).removal != array.removal)
  }

  @Test("It is encoded as its elements, in order")
  func coding() throws {
    struct Row: Codable, Equatable, Identifiable { var id: Int }
    let rows = IdentifiedArray([Row(id: 2), Row(id: 1)])
    let data = try JSONEncoder().encode(rows)
    #expect(String(decoding: data, as: UTF8.self) == #"[{"id":2},{"id":1}]"#)
    let decoded = try JSONDecoder().decode(IdentifiedArray<Row>.self, from: data)
    #expect(decoded == rows)
    #expect(decoded[id: 1] == Row(id: 1))
  }
}
