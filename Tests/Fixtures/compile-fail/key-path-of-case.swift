import AppCore
import AppCoreTesting

struct Note: Reducer {
  struct State: Equatable, Identifiable { var id = 0 }
  enum Action: ComponentAction { case tapped }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

struct Notes: Reducer {
  struct State: Equatable {
    var note = Note.State()
    var optional: Note.State?
    var notes: IdentifiedArrayOf<Note.State> = []
  }
  enum Action: ComponentAction {
    case note(Note.Action)
    case notes(IdentifiedActionOf<Note>)
  }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }

  func scoped() -> some Reducer<State, Action> {
    // expect: a case is written '/Action.child', not '\.child'
    Scope(state: \State.note, action: \.note) { Note() }
  }

  func optional() -> some Reducer<State, Action> {
    // expect: a case is written '/Action.child', not '\.child'
    Notes().ifLet(\.optional, action: \.note) { Note() }
  }

  func each() -> some Reducer<State, Action> {
    // expect: a case is written '/Action.child', not '\.child'
    Notes().forEach(\.notes, action: \.notes) { Note() }
  }

  func alert() -> some Reducer<State, Action> {
    // expect: a case is written '/Action.child', not '\.child'
    Notes().ifLet(\.optional, action: \.note)
  }

  func cased() -> some Reducer<Mode, Action> {
    // expect: a case is written '/State.child', not '\.child'
    EmptyReducer<Mode, Action>().ifCaseLet(\.note, action: \.note) { Note() }
  }

  func scoped(_ store: Store<State, Action>) {
    // expect: a case is written '/Action.child', not '\.child'
    _ = store.scope(state: \.note, action: \.note)
  }
}

enum Mode { case note(Note.State) }

@MainActor func test(_ store: TestStore<Notes.State, Notes.Action>) async {
  // expect: send the action itself, 'send(.tapped)', and a child's 'send(/Action.child, .tapped)'
  await store.send(\.note.tapped)
  // expect: a case is written '/Action.loaded', not '\.loaded', and a child's
  await store.receive(\.note.tapped)
  // expect: a case is written '/Action.loaded', not '\.loaded', and a child's
  await store.receive(\.note.tapped) { $0.optional = nil }
  // expect: a case is written '/Action.loaded', not '\.loaded', and a child's
  await store.receive(\.notes, 5)
}
