import AppCore

struct Note: Reducer {
  struct State: Equatable, Identifiable { var id = 0 }
  enum Action: ComponentAction { case tapped }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

struct Notes: Reducer {
  struct State {
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
}
