import AppCore

/// The feature that the snippets use.
struct Editor: Feature {
  struct State: Codable, Sendable { var text = "" }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case saveTapped }
    enum Internal: Sendable { case loaded(String) }
    enum Delegate: Codable, Sendable { case saved }
    enum Input: Codable, Sendable { case reload }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
    case input(Input)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reload() -> Effect<Action> { .run { await $0(.internal(.loaded("text"))) } }

  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }

  func screen(_ state: State) -> Screen<Action> { Screen("Editor") { _ in } }
}

/// The actor that owns a store.
actor Home {
  let store: Store<Editor.State, Editor.Action>

  init() {
    store = Store(initialState: Editor.State(), reducer: Editor(), isolation: self)
  }
}
