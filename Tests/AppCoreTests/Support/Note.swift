@_spi(Host) import AppCore

/// The actions of the reducers that tests make of closures.
enum Note: ComponentAction, Hashable {
  case go
  case stop
  case took(Int)
}

/// A store whose state is the list of its actions, with what an action brings about.
@Home
func notingStore(
  _ clock: ManualClock? = nil, _ effect: @escaping (Note) -> Effect<Note>
) -> Store<[Note], Note> {
  let store = Store(
    initialState: [],
    reducer: Reduce<[Note], Note> { state, action in
      state.append(action)
      return effect(action)
    })
  if let clock {
    var values = DependencyValues()
    values.clock = clock.appClock
    store.setDependencies(values)
  }
  return store
}
