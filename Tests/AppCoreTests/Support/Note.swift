import AppCore

/// The actions of the reducers that tests make of closures.
enum Note: ComponentAction, Hashable {
  case go
  case stop
  case took(Int)
}

/// A store whose state is the list of its actions.
///
/// - Parameters:
///   - home: the actor to live on.
///   - effect: what an action brings about.
/// - Returns: the store.
func notingStore(
  on home: isolated Home, _ effect: @escaping (Note) -> Effect<Note>
) -> Store<[Note], Note> {
  Store(
    initialState: [],
    reducer: Reduce<[Note], Note> { state, action in
      state.append(action)
      return effect(action)
    },
    isolation: home)
}
