import Foundation
import Testing

@testable import AppCore

@Suite("IdentifiedArray")
struct IdentifiedArrayTests {
  private let array: IdentifiedArray<Seat> = [
    Seat(name: "a"), Seat(name: "b"), Seat(name: "c"), Seat(name: "d"),
  ]

  @Test("A second element with an id, and one under another's id, are left out and reported")
  func refused() {
    let reports = reported {
      var array = array
      let isAdded = array.append(Seat(name: "b", count: 9))
      #expect(!isAdded)
      array[id: "b"] = Seat(name: "x")
      #expect(array == self.array)
      #expect(IdentifiedArray([Seat(name: "a", count: 1), Seat(name: "a")]).map(\.count) == [1])
    }
    #expect(
      reports == [
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
  func renamed() {
    let reports = reported {
      var array = array
      array.update("b") { $0.name = "x" }
      #expect(array.ids == ["a", "x", "c", "d"] && array.index(id: "x") == 1)
      array[id: "x"]?.name = "d"
      #expect(array.ids == ["a", "c", "d"] && array.index(id: "d") == 2)
      array[0].name = "y"
      #expect(array.ids == ["y", "c", "d"] && array.index(id: "y") == 0)
      array.update("gone") { $0.name = "d" }
    }
    let remedy = "\n  - an id stays: remove the element and add one with the new id"
    #expect(
      reports == [
        "an element changed its id from b to x" + remedy,
        "an element changed its id from x to d, which is another element's; it was left out"
          + remedy,
        "an element changed its id from a to y" + remedy,
      ])
  }

  @Test("The last change of membership is another one once elements came or went, and not before")
  func membership() {
    var array = array
    var last = array.removal
    func isAnother() -> Bool {
      defer { last = array.removal }
      return array.removal != last
    }
    array[id: "a"]?.count = 1
    array.append(contentsOf: [])
    array.updateOrAppend(Seat(name: "b", count: 1))
    array.reverse()
    #expect(!isAnother())
    array.append(Seat(name: "e"))
    #expect(isAnother())
    array.insert(Seat(name: "f"), at: 0)
    #expect(isAnother())
    array[id: "g"] = Seat(name: "g")
    #expect(isAnother())
    array.append(contentsOf: [Seat(name: "h"), Seat(name: "i")])
    #expect(isAnother())
    array.remove(id: "c")
    #expect(isAnother())
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
