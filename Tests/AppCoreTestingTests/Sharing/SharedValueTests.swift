import AppCore
import AppCoreTesting
import Testing

@Suite("Shared values in TestStore")
@MainActor
struct SharedValueTests {
  private struct Tally: Reducer {
    struct State: Equatable {
      @Shared(.inMemory("count")) var count = 0
      @Shared(.file("/notes.json")) var notes: [String] = []
      var taps = 0
    }
    enum Action: ComponentAction { case tapped, quietTapped, noted(String) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .tapped:
        state.taps += 1
        state.$count.withLock { $0 += 1 }
        return .none
      case .quietTapped:
        return .run { [count = state.$count] _ in count.withLock { $0 = 100 } }
      case .noted(let note):
        state.$notes.withLock { $0.append(note) }
        return .none
      }
    }
  }

  @Test("A change that is not asserted fails the test, and so does a wrong one")
  func wrong() async {
    let store = TestStore(initialState: Tally.State()) { Tally() }
    let unasserted = await failures { await store.send(.tapped) { $0.taps = 1 } }
    #expect(unasserted.count == 1)
    #expect(unasserted.first?.contains("-   count: 0,\n    +   count: 1,") == true, "\(unasserted)")
    let wrong = await failures {
      await store.send(.tapped) {
        $0.taps = 2
        $0.$count.withLock { $0 = 3 }
      }
    }
    #expect(wrong.first?.contains("-   count: 3,\n    +   count: 2,") == true, "\(wrong)")
    // The expectation has changed nothing.
    #expect(store.state.count == 2)
  }

  @Test("A change by an effect without an action is asserted by 'assert', or fails the test")
  func quiet() async {
    let store = TestStore(initialState: Tally.State()) { Tally() }
    await store.send(.quietTapped)
    while store.state.count != 100 { await Task.yield() }
    store.assert { $0.$count.withLock { $0 = 100 } }
    let left = await failures {
      let store = TestStore(initialState: Tally.State()) { Tally() }
      await store.send(.quietTapped)
      await store.finish()
    }
    #expect(left.count == 1)
    #expect(
      left.first?.hasPrefix("The state changed unexpectedly by the test's end:") == true, "\(left)")
    #expect(left.first?.contains("the shared value '.inMemory(\"count\")':") == true, "\(left)")
  }

  @Test("Each store has values of its own, and files in memory")
  func alone() async {
    for _ in 0..<2 {
      let store = TestStore(initialState: Tally.State()) { Tally() }
      await store.send(.noted("tea")) { $0.$notes.withLock { $0 = ["tea"] } }
      await store.send(.tapped) {
        $0.taps = 1
        $0.$count.withLock { $0 = 1 }
      }
    }
  }

  @Test("A file is the test's, and is read and written at once")
  func file() async throws {
    let files = FileSystem.inMemory(["/notes.json": #"["milk"]"#])
    let store = TestStore(initialState: Tally.State()) {
      Tally()
    } withDependencies: {
      $0.fileSystem = files
    }
    #expect(store.state.notes == ["milk"])
    await store.send(.noted("tea")) { $0.$notes.withLock { $0 = ["milk", "tea"] } }
    #expect(try await files.readText("/notes.json") == "[\n  \"milk\",\n  \"tea\"\n]\n")
  }

  private struct Counter: Reducer {
    struct State: Equatable { @Shared var count: Int }
    enum Action: ComponentAction { case tapped, replaced(Shared<Int>) }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .tapped: state.$count.withLock { $0 += 1 }
      case .replaced(let count): state.$count = count
      }
      return .none
    }
  }

  @Test("A value that was made before the store is asserted like one made within")
  func madeBefore() async {
    let state = Counter.State(count: Shared(value: 0))
    let store = TestStore(initialState: state) { Counter() }
    let unasserted = await failures { await store.send(.tapped) }
    #expect(unasserted.count == 1)
    #expect(unasserted.first?.contains("-   count: 0\n    +   count: 1") == true, "\(unasserted)")
    await store.send(.tapped) { $0.$count.withLock { $0 += 1 } }
    #expect(state.count == 2)
    let later = Shared(value: 7)
    await store.send(.replaced(later)) { $0.$count = later }
    #expect(await failures { await store.send(.tapped) }.count == 1)
    await store.send(.tapped) { $0.$count.withLock { $0 = 9 } }
  }

  @Test("A key's value that was made before the store is not the next test's")
  func keyBefore() async {
    for _ in 0..<2 {
      @Shared(.inMemory("made before")) var count = 0
      let store = TestStore(initialState: Counter.State(count: $count)) { Counter() }
      #expect(await failures { await store.send(.tapped) }.count == 1)
      await store.send(.tapped) { $0.$count.withLock { $0 = 2 } }
      #expect(count == 2)
    }
  }

  @Test("A value in a file that was made before the store is a failure")
  func fileBefore() async {
    let found = await failures {
      await withDependencies {
        $0.fileSystem = .inMemory()
      } operation: {
        @Shared(.file("/count.json")) var count = 0
        let store = TestStore(initialState: Counter.State(count: $count)) { Counter() }
        await store.send(.tapped) { $0.$count.withLock { $0 += 1 } }
      }
    }
    #expect(
      found == [
        """
        the shared value '.file("/count.json")' was made outside of the test's store, and is not in \
        its files
          - make the state within 'TestStore(initialState:)'
          - or put 'withDependencies { $0.sharedStorage = SharedStorage() }' around the whole test
        """
      ])
  }

  @Test("What the closure of an assertion reports is in the failure")
  func reports() async {
    let store = TestStore(initialState: Counter.State(count: Shared(value: 0))) { Counter() }
    let alone = await failures {
      await store.send(.tapped) { state in
        state.$count.withLock { count in
          count = 1
          state.$count.withLock { $0 = 5 }
        }
      }
    }
    #expect(alone.count == 1)
    #expect(alone.first?.contains("within its own 'withLock'; that change is lost") == true)
    let both = await failures {
      await store.send(.tapped) { state in
        state.$count.withLock { _ in state.$count.withLock { $0 = 2 } }
      }
    }
    #expect(both.count == 1)
    #expect(both.first?.contains("-   count: 1\n    +   count: 2") == true, "\(both)")
    #expect(both.first?.contains("within its own 'withLock'; that change is lost") == true)
  }

  @Test("A test that is not exhaustive asserts what it wants")
  func nonExhaustive() async {
    let store = TestStore(initialState: Tally.State()) { Tally() }
    store.exhaustivity = .off
    await store.send(.tapped) { $0.$count.withLock { $0 = 1 } }
    await store.send(.tapped)
    let wrong = await failures { await store.send(.tapped) { $0.$count.withLock { $0 = 1 } } }
    #expect(wrong.first?.contains("-   count: 1,\n    +   count: 3,") == true, "\(wrong)")
  }
}
