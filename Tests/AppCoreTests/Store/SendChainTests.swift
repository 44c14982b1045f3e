@_spi(Host) import AppCore
import Testing

@Home
@Suite("Chains of actions that are sent to oneself")
struct SendChainTests {
  @Test("The longest is counted; what an effect's work sends begins a new one")
  func longest() async {
    let store = notingStore { action in
      switch action {
      case .go: .merge(.send(.took(3)), .send(.took(1)))
      case .took(let number) where number > 0: .send(.took(number - 1))
      case .stop: .run { await $0(.took(0)) }
      default: .none
      }
    }
    var longest = 0
    let observation = store.onActions { longest = max(longest, $0.chainLength) }
    store.send(.took(0))
    store.send(.stop)
    #expect(longest == 0)
    store.send(.took(1))
    #expect(longest == 1)
    store.send(.go)
    #expect(longest == 4)
    store.send(.took(1))
    #expect(longest == 4)
    _ = observation
  }

  @Test("A delegate action is not part of a chain")
  func delegates() {
    let store = Store(initialState: Family.Leaf.State(id: 0), reducer: Family.Leaf(gate: nil))
    var longest = 0
    let observation = store.onActions { longest = max(longest, $0.chainLength) }
    store.send(.saveTapped)
    #expect(longest == 0)
    _ = observation
  }

  @Test("Who listens to actions is told the chain of each")
  func chains() {
    let store = notingStore { action in
      switch action {
      case .go: .send(.took(2))
      case .took(let number) where number > 1: .send(.took(number - 1))
      default: .none
      }
    }
    var chains: [[Note]] = []
    let observation = store.onActions { action in
      #expect(action.chain.count == action.chainLength + 1)
      chains.append(action.chain)
    }
    store.send(.go)
    store.send(.stop)
    #expect(chains == [[.go], [.go, .took(2)], [.go, .took(2), .took(1)], [.stop]])
    _ = observation
  }
}
