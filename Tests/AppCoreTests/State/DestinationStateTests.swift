import Testing

@_spi(Host) @testable import AppCore

@Suite("DestinationState", .timeLimit(.minutes(30)))
struct DestinationStateTests {
  private typealias Form = DestinationTests.Form
  private typealias Page = DestinationTests.Page
  private typealias Shop = DestinationTests.Shop
  private typealias Destination = DestinationTests.Destination

  private static let form = Form.State(name: "Milk")

  @Test("A case is read and changed by its name, and only while it is shown")
  func access() {
    var state = Shop.State()
    state.destination = Destination.State.add(Self.form)
    #expect(state.destination?.add?.name == "Milk")
    #expect(state.destination?.edit == nil)
    #expect(state.destination?.page == nil)
    state.destination?.add?.name += "!"
    #expect(state.destination == Destination.State.add(Form.State(name: "Milk!")))
    #expect(state.destination != Destination.State.edit(Form.State(name: "Milk!")))
  }

  @Test("A state that a case can't have is reported, and nothing changes")
  func misuse() {
    var state = Destination.State.add(Self.form)
    let reports = reported {
      state.edit = Form.State(name: "other")
      state.add = nil
      state.page = nil
    }
    #expect(state == Destination.State.add(Self.form))
    #expect(
      reports == [
        "the state of a destination was set while another one is shown",
        "the state of a destination was set to nil: set the destination to nil",
      ])
  }

  @Test("A case that is not a stored property is reported")
  func computed() {
    struct Wrong: Destinations {
      var form: Case<Form> { Case(Form()) }
    }
    let reports = reported {
      let state = Wrong.State.form(Self.form)
      #expect(throws: EncodingError.self) { try ValueEncoder().encode(state) }
    }
    #expect(
      reports.begin(with: "'Wrong' has a case that is not one of its stored properties"))
  }

  @Test("It is encoded as an object with one field, named for the case")
  func coding() throws {
    let states = [
      Destination.State.edit(Self.form), Destination.State.page(Page.State(id: 3, text: "x")),
      Destination.State.alert(AlertState { "Sure?" }),
    ]
    for state in states {
      let value = try ValueEncoder().encode(state)
      #expect(try ValueDecoder().decode(Destination.State.self, from: value) == state)
    }
    #expect(try ValueEncoder().encode(states[0]) == ["edit": ["name": "Milk"]])
    let wrong: [Value] = [
      [:], ["nothing": ["name": "x"]], ["add": ["name": "x"], "edit": ["name": "x"]],
      ["add": ["name": 1]], "add", .null,
    ]
    for value in wrong {
      #expect(throws: DecodingError.self, "\(value)") {
        try ValueDecoder().decode(Destination.State.self, from: value)
      }
    }
  }

  @Test("A dump shows it as the case of an enum")
  func dump() {
    #expect(StateDump.line(Destination.State.add(Self.form)) == #".add(State(name: "Milk"))"#)
    #expect(StateDump.line(Destination.Action.page(.typed("x"))) == #".page(.typed("x"))"#)
  }

  /// A child with a list that is too long to be copied for each change.
  struct Shelf: Reducer {
    struct State: Codable, Equatable, Sendable { var rows = Array(0..<1_000) }
    enum Action: ComponentAction { case add }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.rows[0] += 1
      return .none
    }
  }
  struct Shelves: Destinations {
    let shelf = Case(Shelf())
  }

  @Test("A child's values are changed in place, and not copied")
  func inPlace() {
    var state = Shelves.State.shelf(Shelf.State())
    func address() -> UnsafeRawPointer? {
      state.shelf?.rows.withUnsafeBytes { $0.baseAddress }
    }
    state.shelf?.rows[0] = -1
    let before = address()
    state.shelf?.rows[0] = 0
    #expect(address() == before)
    _ = Shelves().reduce(into: &state, action: Shelves.Action.shelf(.add))
    #expect(state.shelf?.rows[0] == 1)
    #expect(address() == before)
  }

  @Test("States that are not Equatable are equal if they look the same")
  func incomparable() {
    struct Plain: Reducer {
      struct State: Codable, Sendable { var text = "" }
      enum Action: ComponentAction { case none }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    struct Choice: Destinations {
      let plain = Case(Plain())
    }
    let state = Choice.State.plain(Plain.State(text: "a"))
    #expect(state == state)
    #expect(state == Choice.State.plain(Plain.State(text: "a")))
    #expect(state != Choice.State.plain(Plain.State(text: "b")))
  }
}
