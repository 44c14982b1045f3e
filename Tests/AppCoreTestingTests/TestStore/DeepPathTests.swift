import AppCore
import AppCoreTesting
import Testing

@MainActor
@Suite("TestStore with children in children")
struct DeepPathTests {
  /// What is at the end of the paths.
  private struct Editor: Reducer {
    struct State: Codable, Equatable, Sendable { var text = "" }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case saveTapped, typed(String) }
      enum Internal: Sendable { case checked(Bool), ticked }
      enum Delegate: Codable, Equatable, Sendable { case saved(String), closed }
      case view(View)
      case `internal`(Internal)
      case delegate(Delegate)
    }

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.saveTapped):
        return .run { [text = state.text] send in
          await send(.internal(.checked(true)))
          await send(.internal(.ticked))
          await send(.delegate(.saved(text)))
          await send(.delegate(.closed))
        }
      case .view(.typed(let text)): state.text = text
      case .internal, .delegate: break
      }
      return .none
    }
  }

  private struct Page: Reducer {
    struct Destination: Destinations {
      let add = Case(Editor())
      let edit = Case(Editor())
    }
    struct State: Equatable {
      @Presented var destination: Destination.State? = Destination.State.edit(Editor.State())
      @Presented var editor: Editor.State? = Editor.State()
      var embedded = Editor.State()
    }
    enum Action: ComponentAction {
      case destination(PresentationAction<Destination.Action>)
      case editor(PresentationAction<Editor.Action>)
      case embedded(Editor.Action)
    }
    var body: some ReducerOf<Self> {
      Scope(state: \.embedded, action: /Action.embedded) { Editor() }
        .ifLet(\.$destination, action: /Action.destination) { Destination() }
        .ifLet(\.$editor, action: /Action.editor) { Editor() }
    }
  }

  private struct Tour: Reducer {
    struct State: Equatable { var path: StackState<Page.State> = [Page.State()] }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case startTapped }
      enum Internal: Sendable { case ticked, loaded(Int) }
      case view(View)
      case `internal`(Internal)
      case path(StackActionOf<Page>)
    }
    var body: some ReducerOf<Self> {
      Reduce { _, action in
        guard case .view(.startTapped) = action else { return .none }
        return .run { send in
          await send(.internal(.ticked))
          await send(.internal(.loaded(1)))
        }
      }
      .forEach(\.path, action: /Action.path) { Page() }
    }
  }

  @Test("A path leads through a stack and a presented child to the case of an action")
  func presented() async {
    let store = TestStore(initialState: Tour.State()) { Tour() }
    let id = store.state.path.ids[0]
    let editor = (/Tour.Action.path)[id: id].appending(/Page.Action.editor)
    await store.send(editor, .presented(.view(.typed("tea")))) {
      $0.path[id: id]?.editor?.text = "tea"
    }
    await store.send(editor.appending(/Editor.Action.view), .saveTapped)
    await store.receive(editor, /Editor.Action.Internal.checked)
    await store.receive(editor.appending(/Editor.Action.Internal.ticked))
    await store.receive(editor.appending(/Editor.Action.delegate), .saved("tea"))
    await store.receive(/Tour.Action.path, id, /Page.Action.editor)
  }

  private struct Items: Reducer {
    struct Item: Reducer {
      struct State: Equatable, Identifiable {
        let id: Int
        var editor = Editor.State()
      }
      enum Action: ComponentAction { case editor(Editor.Action) }
      var body: some ReducerOf<Self> {
        Scope(state: \.editor, action: /Action.editor) { Editor() }
      }
    }
    struct State: Equatable {
      var items: IdentifiedArrayOf<Item.State> = [Item.State(id: 1), Item.State(id: 2)]
    }
    enum Action: FeatureAction { case items(IdentifiedActionOf<Item>) }
    var body: some ReducerOf<Self> {
      EmptyReducer().forEach(\.items, action: /Action.items) { Item() }
    }
  }

  @Test("It leads to an element of a collection, and to no other")
  func element() async {
    let store = TestStore(initialState: Items.State()) { Items() }
    let editor = (/Items.Action.items)[id: 2].appending(/Items.Item.Action.editor)
    await store.send(editor, .view(.typed("tea"))) { $0.items[id: 2]?.editor.text = "tea" }
    await store.send(editor.appending(/Editor.Action.view), .saveTapped)
    await store.receive(editor, /Editor.Action.Internal.checked)
    await store.receive(editor.appending(/Editor.Action.Internal.ticked))
    await store.receive(editor.appending(/Editor.Action.delegate), .saved("tea"))
    let first = (/Items.Action.items)[id: 1].appending(/Items.Item.Action.editor)
    await withKnownIssue {
      await store.receive(first, /Editor.Action.Delegate.closed)
    } matching: { issue in
      issue.comments[0].rawValue.hasPrefix("Another action was received than expected: ")
    }
  }

  @Test("It leads to one of several destinations")
  func destinations() async {
    let store = TestStore(initialState: Tour.State()) { Tour() }
    let page = (/Tour.Action.path)[id: store.state.path.ids[0]]
    let edit = page.appending(/Page.Action.destination).appending(\.edit)
    await store.send(edit, .presented(.view(.saveTapped)))
    await store.receive(edit, /Editor.Action.Internal.checked)
    await store.receive(edit, /Editor.Action.Internal.ticked)
    await store.receive(edit.appending(/Editor.Action.Delegate.saved))
    await store.receive(edit.appending(/Editor.Action.Delegate.closed))
  }

  @Test("An embedded child's internal and delegate actions are received by their cases")
  func embedded() async {
    let store = TestStore(initialState: Page.State()) { Page() }
    await store.send(.embedded(.view(.saveTapped)))
    await store.receive(/Page.Action.embedded, /Editor.Action.Internal.checked)
    await store.receive(/Page.Action.embedded, /Editor.Action.Internal.ticked)
    await store.receive(/Page.Action.embedded, /Editor.Action.Delegate.saved)
    await store.receive(/Page.Action.embedded, /Editor.Action.Delegate.closed)
  }

  @Test("A case without a value is a path, and only that case")
  func withoutValue() async {
    let store = TestStore(initialState: Tour.State()) { Tour() }
    await store.send(.startTapped)
    await store.receive(/Tour.Action.Internal.ticked)
    await withKnownIssue {
      await store.receive(/Tour.Action.Internal.ticked)
    } matching: { issue in
      issue.comments[0].rawValue.hasPrefix(
        "Another action was received than expected: .internal(.ticked)\n")
    }
  }
}
