@_spi(Host) import AppCore
import Testing

@Home
@Suite("Reducer.dependency and transformDependencies", .timeLimit(.minutes(30)))
struct DependencyOperatorTests {
  enum Action: ComponentAction {
    case child(Note)
    case ask
  }

  /// Notes what it finds when it is reduced and in its effect, then sends `stop`.
  private func asking(_ log: Log) -> some Reducer<Int, Note> {
    Reduce<Int, Note> { _, action in
      @Dependency(\.level) var level
      log.add("\(action) reduced at \(level)")
      guard action == .go else { return .none }
      return .concatenate(
        .run { send in
          log.add("runs at \(level)")
          await send(.stop)
        }, .run { _ in log.add("then runs at \(level)") })
    }
  }

  @Test("The reducer and its effects see the value, each change once, and its parent does not")
  func change() async {
    let log = Log()
    let reducer = CombineReducers<Int, Action> {
      Scope(state: \Int.self, action: /Action.child) {
        asking(log).transformDependencies { $0.level += 1 }.dependency(\.level, 10)
      }
      Reduce<Int, Action> { _, action in
        @Dependency(\.level) var level
        log.add("parent reduced at \(level)")
        return .none
      }
    }
    let store = Store(initialState: 0, reducer: reducer)
    await store.send(.child(.go)).finish()
    #expect(
      log.lines == [
        "go reduced at 11", "parent reduced at 0", "runs at 11",
        "stop reduced at 11", "parent reduced at 0", "then runs at 11",
      ])
  }
}

private enum LevelKey: DependencyKey {
  static var liveValue: Int { 0 }
}

extension DependencyValues {
  fileprivate var level: Int {
    get { self[LevelKey.self] }
    set { self[LevelKey.self] = newValue }
  }
}
