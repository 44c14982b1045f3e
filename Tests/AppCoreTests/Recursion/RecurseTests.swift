import AppCore
import Testing

@Suite("Recurse", .timeLimit(.minutes(1)))
struct RecurseTests {
  struct Folder: Identifiable, Equatable, Sendable {
    var id: String
    var count = 0
    var folders: IdentifiedArray<Folder> = []
  }

  indirect enum Action: ComponentAction {
    case begin
    case add
    case remove(String)
    case folders(IdentifiedAction<String, Action>)
  }

  private func reducer(_ log: Log) -> Recurse<Folder, Action> {
    Recurse { itself in
      Reduce<Folder, Action> { state, action in
        switch action {
        case .begin: return endless(state.id, log).cancellable(id: "work", cancelInFlight: true)
        case .add: state.count += 1
        case .remove(let id): state.folders.remove(id: id)
        case .folders: break
        }
        return .none
      }
      .forEach(\.folders, action: /Action.folders) { itself }
    }
  }

  private let tree = Folder(
    id: "a", folders: [Folder(id: "b", folders: [Folder(id: "c")]), Folder(id: "d")])

  private func at(_ path: [String], _ action: Action) -> Action {
    path.reversed().reduce(action) { .folders(.element(id: $1, action: $0)) }
  }

  @Test("It is let go of with its last owner, though it contains itself")
  func release() async {
    let held = await Home.run { home in
      let log = Log()
      let store = Store(initialState: tree, reducer: reducer(log), isolation: home)
      store.send(at(["b", "c"], .add))
      #expect(store.state.folders[id: "b"]?.folders[id: "c"]?.count == 1)
      return Held(log: log)
    }
    #expect(held.log == nil)
  }

  /// What is there only while somebody else holds it.
  private final class Held: @unchecked Sendable {
    // Unchecked: never written.
    weak var log: Log?
    init(log: Log) { self.log = log }
  }

  @Test("An action reaches the state however deep it is")
  func depth() async {
    await Home.run { home in
      let store = Store(initialState: tree, reducer: reducer(Log()), isolation: home)
      store.send(at(["b", "c"], .add))
      #expect(store.state.folders[id: "b"]?.folders[id: "c"]?.count == 1)
      #expect(store.state.count == 0)
    }
  }

  @Test("Effects inside a removed element end with it; one id at every depth is another effect")
  func removal() async {
    await Home.run { home in
      let log = Log()
      let store = Store(initialState: tree, reducer: reducer(log), isolation: home)
      let top = store.send(.begin)
      let inner = [["b"], ["b", "c"]].map { store.send(at($0, .begin)) }
      let sibling = store.send(at(["d"], .begin))
      #expect(log.lines == ["a begins", "b begins", "c begins", "d begins"])
      store.send(.remove("b"))
      for task in inner { await task.finish() }
      #expect(Set(log.lines.dropFirst(4)) == ["b ends", "c ends"])
      for task in [top, sibling] {
        task.cancel()
        await task.finish()
      }
    }
  }
}
