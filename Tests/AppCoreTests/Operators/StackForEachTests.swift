import AppCore
import Testing

@Suite("Reducer.forEach with a stack", .timeLimit(.minutes(1)))
struct StackForEachTests {
  struct State: Equatable, Sendable {
    var path: StackState<Desk> = [Desk(name: "a"), Desk(name: "b"), Desk(name: "c")]
    var seen: [Int] = []
  }

  enum Action: ComponentAction {
    case path(StackAction<Desk, Work>)
    case reload
    case begin
  }

  private func parent(_ log: Log) -> some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      state.seen.append(state.path.count)
      switch action {
      case .reload: state.path = [Desk(name: "x"), Desk(name: "y"), Desk(name: "z")]
      case .begin: return endless("parent", log)
      case .path: break
      }
      return .none
    }
    .forEach(
      \.path, action: /Action.path, element: { Worker(log) }, fileID: "Path.swift", line: 4)
  }

  @Test("The parent sees a push and a pop before the stack changes")
  func pushAndPop() async {
    await Home.run { home in
      let store = Store(initialState: State(), reducer: parent(Log()), isolation: home)
      let id = store.state.path.nextID
      store.send(.path(.push(id: id, state: Desk(name: "d"))))
      #expect(store.state.path.map(\.name) == ["a", "b", "c", "d"])
      store.send(.path(.element(id: id, action: .add)))
      #expect(store.state.path[id: id]?.count == 1)
      store.send(.path(.popFrom(id: store.state.path.ids[1])))
      #expect(store.state.path.map(\.name) == ["a"])
      #expect(store.state.path.nextID != id)
      #expect(store.state.seen == [3, 4, 4])
    }
  }

  @Test("Popped elements' effects end, and those below and the parent's go on")
  func effects() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let own = store.send(.begin)
      let ids = store.state.path.ids
      let tasks = ids.map { store.send(.path(.element(id: $0, action: .begin))) }
      store.send(.path(.popFrom(id: ids[1])))
      await tasks[1].finish()
      await tasks[2].finish()
      #expect(Set(log.lines.suffix(2)) == ["b ends", "c ends"])
      #expect(log.lines.count == 6)
      for task in [own, tasks[0]] {
        task.cancel()
        await task.finish()
      }
    }
  }

  @Test("An element dismisses itself, with all above it")
  func dismissal() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let ids = store.state.path.ids
      let top = store.send(.path(.element(id: ids[2], action: .begin)))
      await store.send(.path(.element(id: ids[1], action: .leave))).finish()
      await top.finish()
      #expect(store.state.path.map(\.name) == ["a"])
      #expect(log.lines == ["c begins", "c ends"])
    }
  }

  @Test("Another stack in its place ends all effects, though its identifiers are the same")
  func replacement() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: State(), reducer: parent(log), isolation: home)
      let id = store.state.path.ids[0]
      let task = store.send(.path(.element(id: id, action: .begin)))
      store.send(.reload)
      #expect(store.state.path.ids[0] == id)
      await task.finish()
      #expect(log.lines == ["a begins", "a ends"])
    }
  }

  @Test("Many elements popped at once end the effects of each")
  func manyPopped() async {
    await Home.run { home in
      let log = Log()
      var state = State()
      for number in 0..<1_000 { state.path.append(Desk(name: "\(number)")) }
      let store = Store(initialState: state, reducer: parent(log), isolation: home)
      let ids = store.state.path.ids
      let tasks = [3, 500, 1_002].map {
        store.send(.path(.element(id: ids[$0], action: .begin)))
      }
      store.send(.path(.popFrom(id: ids[3])))
      for task in tasks { await task.finish() }
      #expect(store.state.path.count == 3)
      #expect(Set(log.lines.suffix(3)) == ["0 ends", "497 ends", "999 ends"])
    }
  }

  @Test("Changes of elements that are not on the stack are reported, and so is pushing one twice")
  func misuse() async throws {
    let reports = Reports()
    await reports.collect {
      await Home.run { home in
        let store = Store(initialState: State(), reducer: parent(Log()), isolation: home)
        let ids = store.state.path.ids
        store.send(.path(.popFrom(id: ids[2])))
        store.send(.path(.element(id: ids[2], action: .add)))
        store.send(.path(.popFrom(id: ids[2])))
        store.send(.path(.push(id: ids[0], state: Desk(name: "again"))))
        #expect(store.state.path.map(\.name) == ["a", "b"])
      }
    }
    try #require(reports.all.count == 3)
    #expect(
      reports.all[0].hasPrefix(
        """
        forEach at Path.swift:4: an action came for an element that is not on the stack
          action: .path(.element(id: #2, action: .add))
          - the element was popped before this action came
          - an effect of the element still ran
        """))
    #expect(
      reports.all[1].hasPrefix(
        "forEach at Path.swift:4: an element was to be popped that is not on the stack\n"))
    #expect(
      reports.all[2].hasPrefix(
        "forEach at Path.swift:4: an element was to be pushed whose id is on the stack already"
      ))
    #expect(reports.all[2].hasSuffix("- take the id of a new element from the stack's 'nextID'"))
  }
}
