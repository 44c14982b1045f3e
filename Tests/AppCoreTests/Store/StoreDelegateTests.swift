@_spi(Host) import AppCore
import Testing

@Home
@Suite("Delegate actions of a Store")
struct StoreDelegateTests {
  @Test("They leave the store: who listens hears them, the reducer does not")
  func root() {
    let store = Store(initialState: Family.Leaf.State(id: 0), reducer: Family.Leaf(gate: nil))
    var heard: [Family.Leaf.Action.Delegate] = []
    var observation: StoreObservation? = store.onDelegate { heard.append($0) }
    store.send(.addTapped)
    store.send(.saveTapped)
    #expect(store.state.count == 1)
    #expect(heard == [.saved(1)])
    observation?.cancel()
    observation = nil
    store.send(.saveTapped)
    #expect(store.state.count == 1)
    #expect(heard == [.saved(1)])
  }

  @Test("A scoped store hears what its child tells its parent")
  func scoped() {
    let store = Family.store()
    let leaf = store.scope(state: \.middle, action: /Family.Action.middle)
      .scope(state: \.leaf, action: /Family.Middle.Action.leaf)
    var heard: [Family.Leaf.Action.Delegate] = []
    let observation = leaf.onDelegate { heard.append($0) }
    leaf.send(.saveTapped)
    #expect(heard == [.saved(0)])
    #expect(leaf.state.count == 0)
    #expect(store.state.reduced == 2)
    _ = observation
  }
}
