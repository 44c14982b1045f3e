internal import AppCore

/// A value in a file, which is written shortly after a change, or at once by `save()`.
struct FileStorage: Feature {
  let file: String

  struct State: Codable, Sendable, Equatable {
    @Shared var totals: Totals
    var result: String?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case decrementTapped, incrementTapped, resetTapped, saveTapped }
    enum Internal: Sendable, Equatable { case saved, failed(String) }
    case view(View)
    case `internal`(Internal)
  }

  func initialState(_ arguments: NoArguments) -> State {
    State(totals: Shared(wrappedValue: Totals(), .file(file)))
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.result = nil
    switch action {
    case .view(.decrementTapped): state.$totals.withLock { $0.change(by: -1) }
    case .view(.incrementTapped): state.$totals.withLock { $0.change(by: 1) }
    case .view(.resetTapped): state.$totals.withLock { $0 = Totals() }
    case .view(.saveTapped):
      return .run { [totals = state.$totals] send in
        try await totals.save()
        await send(.internal(.saved))
      } catch: { error, send in
        await send(.internal(.failed("\(error)")))
      }
    case .internal(.saved): state.result = "Saved."
    case .internal(.failed(let reason)): state.result = "Not saved: \(reason)."
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("In a file") { screen in
      screen.text("\(state.totals.count), after \(state.totals.changes) changes")
      screen.button("Decrement", id: "decrement", action: .decrementTapped)
      screen.button("Increment", id: "increment", action: .incrementTapped)
      screen.button("Reset", id: "reset", action: .resetTapped)
      screen.button("Save now", id: "save", action: .saveTapped)
      if let result = state.result { screen.text(result, style: .secondary) }
    }
  }
}
