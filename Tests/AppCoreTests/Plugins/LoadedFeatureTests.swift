@_spi(Host) import AppCore
import Testing

@Home
@Suite("LoadedFeature")
struct LoadedFeatureTests {
  private let counter: LoadedFeature

  init() throws {
    let features = try LoadedPlugin(exported: AppCore.export(CounterPlugin.self))
      .instantiate(configuration: ["step": 5])
    counter = try #require(features.first)
  }

  /// What the press of the screen's button sends.
  private func press(_ state: InstanceState) throws -> AnyAction {
    try #require(counter.screen(state).action(control: 0, input: .press))
  }

  @Test("A state is made of arguments, completed by their defaults")
  func arguments() throws {
    #expect(
      try counter.encode(counter.makeState(nil))
        == ["count": 10, "title": "untitled", "history": []])
    #expect(
      try counter.encode(counter.makeState(["title": "t", "start": 3]))
        == ["count": 3, "title": "t", "history": []])
    #expect(throws: DecodingError.self) { try counter.makeState(["start": "x"]) }
    #expect(throws: CounterError.negative(-1)) { try counter.makeState(["start": -1]) }
  }

  @Test("The screen's actions change the state, with what the plugin was configured with")
  func reducing() throws {
    var state = try counter.makeState(nil)
    #expect(counter.screen(state).content.title == "untitled")
    #expect(counter.screen(state).content.hasBackAction)
    guard case .reduced(let effect) = counter.reduce(&state, try press(state)) else {
      Issue.record("it was not reduced")
      return
    }
    #expect(effect.isNone)
    #expect(try counter.encode(state)["count"] == 15)
    _ = counter.reduce(&state, try #require(counter.screen(state).back))
    #expect(try counter.encode(state)["count"] == 20)
    #expect(counter.screen(state).action(control: 1, input: .press) == nil)
    #expect(counter.screen(state).action(control: 2, input: .press) == nil)
  }

  @Test("An old copy of a state keeps its value when the new one is written")
  func copyOnWrite() throws {
    var state = try counter.makeState(nil)
    var copies: [InstanceState] = []
    for _ in 0..<3 {
      copies.append(state)
      _ = counter.reduce(&state, try press(state))
    }
    #expect(try copies.map { try counter.encode($0)["count"] } == [10, 15, 20])
    #expect(try counter.encode(state)["count"] == 25)
    let before = state
    _ = counter.didStart(&state)
    #expect(try counter.encode(before)["history"] == [])
    #expect(try counter.encode(state)["history"] == ["started"])
  }

  @Test("A state survives its structural form")
  func coding() throws {
    var state = try counter.makeState(["title": "kept"])
    _ = counter.reduce(&state, try press(state))
    let again = try counter.decode(counter.encode(state))
    #expect(try counter.encode(again) == counter.encode(state))
    #expect(throws: DecodingError.self) { try counter.decode(["count": 1]) }
  }

  @Test("Inputs are made of a case's name and its payload")
  func inputs() throws {
    var state = try counter.makeState(nil)
    _ = counter.reduce(&state, try counter.input("set", payload: 77))
    #expect(try counter.encode(state)["count"] == 77)
    let place: Value = ["x": 1, "y": 2]
    _ = counter.reduce(&state, try counter.input("move", payload: ["to": place, "mood": "fine"]))
    _ = counter.reduce(&state, try counter.input("move", payload: ["to": place]))
    #expect(try counter.encode(state)["history"] == ["moved to 1,2 fine", "moved to 1,2 -"])
    // What a case without a payload is given does not matter.
    _ = counter.reduce(&state, try counter.input("reset", payload: ["x": 1]))
    #expect(try counter.encode(state)["count"] == 0)
  }

  @Test("An input that does not exist or does not fit is refused")
  func wrongInputs() {
    #expect(throws: DecodingError.self) { try counter.input("sett", payload: 1) }
    #expect(throws: DecodingError.self) { try counter.input("set", payload: "1") }
    #expect(throws: DecodingError.self) { try counter.input("set", payload: nil) }
    #expect(throws: DecodingError.self) { try counter.input("move", payload: ["mood": "fine"]) }
  }

  @Test("Delegate actions have the names and payloads that routes refer to")
  func delegates() throws {
    let expected: [(String, Value)] = [
      ("closed", [:]), ("picked", 3), ("placed", ["x": 1, "y": 2]), ("maybe", nil), ("maybe", 4),
      ("named", ["name": "n"]), ("moved", ["from": ["x": 0, "y": 5], "by": 2]), ("felt", "fine"),
    ]
    let feature = try #require(
      try LoadedPlugin(CounterPlugin.self).instantiate(configuration: nil).first)
    let sent = try Self.emitted(by: feature)
    #expect(sent.count == expected.count)
    for (action, (name, payload)) in zip(sent, expected) {
      let event = try #require(try feature.delegate(of: action))
      #expect(event.name == name)
      #expect(event.payload == payload)
    }
  }

  @Test("A delegate action that is handed back does not reach the feature")
  func ownDelegate() throws {
    let feature = try #require(
      try LoadedPlugin(CounterPlugin.self).instantiate(configuration: nil).first)
    var state = try feature.makeState(nil)
    for action in try Self.emitted(by: feature) {
      guard case .delegate = feature.reduce(&state, action) else {
        Issue.record("it was reduced")
        return
      }
    }
    #expect(try feature.encode(state)["history"] == [])
  }

  @Test("Only delegate actions are delegate actions")
  func otherKinds() throws {
    let state = try counter.makeState(nil)
    #expect(try counter.delegate(of: press(state)) == nil)
    #expect(try counter.delegate(of: counter.input("reset", payload: nil)) == nil)
  }

  @Test("An action is described in its own words")
  func describe() throws {
    #expect(try counter.input("set", payload: 7).text == ".input(.set(7))")
  }

  /// The actions that the feature's effects send for all of its delegate cases.
  private static func emitted(by feature: LoadedFeature, ) throws
    -> [AnyAction]
  {
    let state = try feature.makeState(nil)
    let screen = feature.screen(state)
    let emits = try Counter.emitted.indices.map {
      try #require(screen.action(control: 1, input: .row($0)))
    }
    var sent: [AnyAction] = []
    let store = Store(
      initialState: state,
      reducer: Reduce<InstanceState, Relayed> { state, relayed in
        switch relayed {
        case .toFeature(let action):
          guard case .reduced(let effect) = feature.reduce(&state, action) else { return .none }
          return effect.mapped(Relayed.fromFeature)
        case .fromFeature(let action):
          sent.append(action)
          return .none
        }
      })
    for action in emits { store.send(.toFeature(action)) }
    return sent
  }

  private enum Relayed: ComponentAction {
    case toFeature(AnyAction)
    case fromFeature(AnyAction)
  }
}
