import AppCore
import AppCoreTesting
import Testing

@Suite("isPresented")
@MainActor
struct PresentedTests {
  private struct Child: Reducer {
    struct State: Equatable { var isPresented: Bool? }
    enum Action: ComponentAction { case asked, answered(Bool) }
    @Dependency(\.isPresented) var isPresented

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .asked: return .run { send in await send(.answered(isPresented)) }
      case .answered(let answer):
        state.isPresented = answer
        return .none
      }
    }
  }

  private struct Parent: Reducer {
    struct State: Equatable {
      var always = Child.State()
      @Presented var sheet: Child.State? = Child.State()
    }
    enum Action: ComponentAction {
      case always(Child.Action)
      case sheet(PresentationAction<Child.Action>)
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.always, action: /Action.always) { Child() }
      EmptyReducer().ifLet(\.$sheet, action: /Action.sheet) { Child() }
    }
  }

  @Test("The effects of a presented child know that it is one, and those of a fixed child do not")
  func child() async {
    let store = Store(initialState: Parent.State(), isolation: MainActor.shared) { Parent() }
    await store.send(.sheet(.presented(.asked))).finish()
    await store.send(.always(.asked)).finish()
    #expect(store.state.sheet?.isPresented == true)
    #expect(store.state.always.isPresented == false)
  }
}
