@_spi(Host) import AppCore
import Testing

@Home
@Suite("Boxed values")
struct BoxedTests {
  struct Grid: Hashable, Codable, Sendable { var cells = [1, 2, 3] }
  struct Sheet: Hashable, Codable, Sendable {
    @Boxed var grid = Grid()
    var title = "sheet"
  }

  private func address(_ sheet: Sheet) -> UnsafeRawPointer? {
    sheet.grid.cells.withUnsafeBytes { $0.baseAddress }
  }

  @Test("A box is one word, whatever is in it")
  func size() {
    #expect(MemoryLayout<Boxed<(Int, Int, Int, Int)>>.size == MemoryLayout<Int>.size)
  }

  @Test("It is changed in place while it is not shared, and copied when it is")
  func copyOnWrite() {
    var sheet = Sheet()
    let before = address(sheet)
    sheet.grid.cells[0] = 7
    #expect(address(sheet) == before)
    let copy = sheet
    sheet.grid.cells[0] = 8
    #expect(copy.grid.cells == [7, 2, 3])
    #expect(sheet.grid.cells == [8, 2, 3])
    #expect(address(copy) == before)
  }

  @Test("It is compared, hashed, coded and dumped as its value")
  func asItsValue() throws {
    var other = Sheet()
    #expect(other == Sheet())
    #expect(other.hashValue == Sheet().hashValue)
    let coded = try ValueEncoder().encode(other)
    #expect(
      coded
        == .object([
          "grid": .object(["cells": .array([.int(1), .int(2), .int(3)])]),
          "title": .string("sheet"),
        ]))
    #expect(try ValueDecoder().decode(Sheet.self, from: coded) == other)
    #expect(StateDump.line(other) == #"Sheet(grid: Grid(cells: [1, 2, 3]), title: "sheet")"#)
    other.grid.cells = []
    #expect(other != Sheet())
  }

  @Test("A child in a box has its reducer")
  func scope() {
    struct State { @Boxed var desk = Desk(name: "boxed") }
    enum Action: ComponentAction { case desk(Work) }
    let reducer = CombineReducers<State, Action> {
      Scope(state: \State.desk, action: /Action.desk) { Worker<Desk>(Log()) }
    }
    let store = Store(initialState: State(), reducer: reducer)
    let before = store.state
    store.send(.desk(.add))
    store.send(.desk(.add))
    #expect([store.state.desk.count, before.desk.count] == [2, 0])
  }
}
