import AppCore
import AppCoreTesting
import Testing

@Suite("TestStore with children")
@MainActor
struct NestedReceiveTests {
  private struct Row: Reducer {
    struct State: Equatable, Identifiable {
      let id: Int
      var isLoaded = false
    }
    enum Action: ComponentAction { case loadTapped, loaded(Bool) }
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .loadTapped:
        return .run { [id = state.id] send in
          await send(.loaded(true))
          // A row of the list is not presented.
          if id != 2 { await dismiss() }
        }
      case .loaded(let isLoaded):
        state.isLoaded = isLoaded
        return .none
      }
    }
  }

  private struct List: Reducer {
    struct State: Equatable {
      var rows: IdentifiedArrayOf<Row.State> = [Row.State(id: 1), Row.State(id: 2)]
      @Presented var editor: Row.State?
      var path: StackState<Row.State> = []
    }
    enum Action: ComponentAction {
      case rows(IdentifiedActionOf<Row>)
      case editor(PresentationAction<Row.Action>)
      case path(StackActionOf<Row>)
    }
    var body: some ReducerOf<Self> {
      EmptyReducer()
        .forEach(\.rows, action: /Action.rows) { Row() }
        .ifLet(\.$editor, action: /Action.editor) { Row() }
        .forEach(\.path, action: /Action.path) { Row() }
    }
  }

  @Test("A child's action is received by the path to the child and the case")
  func nested() async {
    var state = List.State()
    state.editor = Row.State(id: 9)
    let page = state.path.append(Row.State(id: 7))
    let store = TestStore(initialState: state) { List() }
    await store.send(.rows(.element(id: 2, action: .loadTapped)))
    await store.receive(/Action.rows, 2, /Row.Action.loaded) { $0.rows[id: 2]?.isLoaded = true }
    await store.send(.editor(.presented(.loadTapped)))
    await store.receive(/Action.editor, /Row.Action.loaded) { $0.editor?.isLoaded = true }
    await store.receive(.editor(.dismiss)) { $0.editor = nil }
    await store.send(.path(.element(id: page, action: .loadTapped)))
    await store.receive(/Action.path, page, /Row.Action.loaded) {
      $0.path[id: page]?.isLoaded = true
    }
    await store.receive(.path(.popFrom(id: page))) { $0.path = [] }
  }

  private typealias Action = List.Action

  @Test("A child that dismisses itself is tested alone")
  func dismissal() async {
    let store = TestStore(initialState: Row.State(id: 1)) { Row() }
    #expect(!store.isDismissed)
    await store.send(.loadTapped)
    await store.receive(.loaded(true)) { $0.isLoaded = true }
    await store.finish()
    #expect(store.isDismissed)
  }

  @Test("A test can set what dismisses")
  func ownDismissal() async {
    await confirmation { dismissed in
      let store = TestStore(initialState: Row.State(id: 1)) {
        Row()
      } withDependencies: {
        $0.dismiss = DismissEffect { dismissed() }
      }
      await store.send(.loadTapped)
      await store.receive(.loaded(true)) { $0.isLoaded = true }
      await store.finish()
      #expect(store.isDismissed)
    }
  }

  @Test("Values are compared part by part, and dumped without secrets")
  func differences() {
    let (old, new) = (Row.State(id: 1), Row.State(id: 1, isLoaded: true))
    expectNoDifference(old, old)
    #expect(diff(old, old) == nil)
    #expect(
      diff(old, new) == """
          State(
            id: 1,
        -   isLoaded: false
        +   isLoaded: true
          )
        """)
    #expect(String(customDumping: Secret("x")) == "<secret>")
    #expect(customDump(Row.State(id: 7)) == Row.State(id: 7))
    withKnownIssue {
      expectNoDifference(new, old, "after loading")
    } matching: { issue in
      issue.comments.map(\.rawValue) == [
        """
        The values differ: after loading

              State(
                id: 1,
            -   isLoaded: false
            +   isLoaded: true
              )

        (expected: -, actual: +)
        """
      ]
    }
  }
}
