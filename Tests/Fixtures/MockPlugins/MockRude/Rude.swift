internal import AppCore
internal import Glibc

/// Keeps its host busy or crashes it, in many ways.
struct Rude: Feature {
  struct State: Codable, Sendable, Hashable {
    var count = 0
    var trapsInScreen = false
    var password = Secret("hunter2")
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case addTapped
      case blockTapped(milliseconds: Int)
      case blockEffectTapped
      case selfTapped
      case multiplyTapped
      case loopTapped
      case stubbornTapped
      case effectsTapped
      case trapTapped(Secret<String>)
      case segfaultTapped
      case trapScreenTapped
      case trapEffectTapped
      case trapElsewhereTapped
      case wallTapped(String)
    }
    enum Internal: Sendable, Hashable {
      case again
      case twice
      case looped
    }
    enum Delegate: Codable, Sendable, Hashable {
      case wallWanted(kind: String)
    }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.addTapped):
      state.count += 1
      return .none
    case .view(.wallTapped(let kind)): return .send(.delegate(.wallWanted(kind: kind)))
    case .view(.blockTapped(let milliseconds)):
      block(milliseconds)
      return .none
    case .view(let action): return misbehave(&state, action)
    case .internal(.again): return .send(.internal(.again))
    case .internal(.twice):
      return .merge(.send(.internal(.twice)), .send(.internal(.twice)))
    case .internal(.looped):
      state.count += 1
      return .none
    case .delegate: return .none
    }
  }

  private func misbehave(_ state: inout State, _ action: Action.View) -> Effect<Action> {
    switch action {
    case .blockEffectTapped: return .run { _ in block(3000) }
    case .selfTapped: return .send(.internal(.again))
    case .multiplyTapped: return .send(.internal(.twice))
    case .loopTapped:
      // Loops without ever sleeping.
      return .run { send in
        while !Task.isCancelled { await send(.internal(.looped)) }
      }
    case .effectsTapped:
      return .merge(
        (0..<20_000).map { _ in .run { _ in try await Task.sleep(for: .seconds(3600)) } })
    case .stubbornTapped:
      // The detached task is not cancelled together with this one.
      return .run { _ in
        await Task.detached { try? await Task.sleep(for: .seconds(3600)) }.value
      }
    case .trapTapped:
      let none: [Int] = []
      state.count = none[state.count]
    case .segfaultTapped:
      UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = state.count
    case .trapScreenTapped: state.trapsInScreen = true
    case .trapEffectTapped: return .run { _ in preconditionFailure("in an effect") }
    case .trapElsewhereTapped:
      return .run { _ in
        await elsewhere()
      }
    case .addTapped, .blockTapped, .wallTapped: break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    precondition(!state.trapsInScreen, "in a screen")
    return Screen("Rude") { screen in
      screen.text("Count \(state.count)")
      screen.button("Add", id: "add", action: .addTapped)
      screen.button("Block", id: "block", action: .blockTapped(milliseconds: 3000))
      screen.button("Block in an effect", id: "block-effect", action: .blockEffectTapped)
      screen.button("Send to myself", id: "self", action: .selfTapped)
      screen.button("Multiply", id: "multiply", action: .multiplyTapped)
      screen.button("Loop", id: "loop", action: .loopTapped)
      screen.button("Go on forever", id: "stubborn", action: .stubbornTapped)
      screen.button("Effects", id: "effects", action: .effectsTapped)
      screen.button("Trap", id: "trap", action: .trapTapped(state.password))
      screen.button("Segfault", id: "segfault", action: .segfaultTapped)
      screen.button("Trap in the screen", id: "trap-screen", action: .trapScreenTapped)
      screen.button("Trap in an effect", id: "trap-effect", action: .trapEffectTapped)
      screen.button("Trap elsewhere", id: "trap-elsewhere", action: .trapElsewhereTapped)
      for kind in ["text", "lines", "elements"] {
        screen.button("Wall of \(kind)", id: kind, action: .wallTapped(kind))
      }
    }
  }
}

/// Blocks the thread, even if signals interrupt it.
private func block(_ milliseconds: Int) {
  var end = timespec()
  clock_gettime(CLOCK_MONOTONIC, &end)
  let total = end.tv_nsec + milliseconds % 1000 * 1_000_000
  end.tv_sec += milliseconds / 1000 + total / 1_000_000_000
  end.tv_nsec = total % 1_000_000_000
  while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
}

/// Traps on a thread other than the store's.
@concurrent
private func elsewhere() async { preconditionFailure("elsewhere") }
