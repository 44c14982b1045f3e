import AppCore
import AppCoreHostTesting
import AppCoreTesting

/// Tests that must fail, one for each way in which a test of a store can, and for what a harness can't
/// do.
///
/// The line that a failure is reported at ends with a comment that names the case.
enum FailingCase: String, CaseIterable, Sendable {
  case wrongState, unassertedChange, noChange, wrongAssertion
  case actionBeforeSend, actionBeforeFinish, actionAtEnd
  case nothingReceived, nothingReceivedInTime, otherReceived, otherCase, longAction, incomparable
  case effectAtFinish, effectAtEnd, taskUnfinished
  case chain, internalSent, sentAfterDismissal, nothingToSkip, misuse, thrown
  case lineRefused, lineAccepted, emissionUnknown, payloadMisfit, stateAbsent

  @MainActor
  func run() async {
    let store = TestStore(initialState: Search.State()) { Search() }  // actionAtEnd, effectAtEnd
    store.timeout = .milliseconds(20)
    store.dependencies.clock = TestClock().appClock
    switch self {
    case .wrongState, .unassertedChange, .noChange, .wrongAssertion: await states(store)
    case .actionBeforeSend, .actionBeforeFinish, .actionAtEnd: await leftovers(store)
    case .nothingReceived, .nothingReceivedInTime, .otherReceived, .otherCase, .longAction,
      .incomparable:
      await receiving(store)
    case .effectAtFinish, .effectAtEnd, .taskUnfinished: await effects(store)
    case .chain, .internalSent, .sentAfterDismissal, .nothingToSkip, .misuse, .thrown:
      await misuses(store)
    case .lineRefused, .lineAccepted, .emissionUnknown, .payloadMisfit, .stateAbsent:
      await harness()
    }
  }

  @MainActor
  private func states(_ store: TestStoreOf<Search>) async {
    switch self {
    case .wrongState:
      await store.send(.textChanged("tea")) { $0.text = "coffee" }  // wrongState
    case .unassertedChange:
      await store.send(.textChanged("tea"))  // unassertedChange
    case .noChange:
      await store.send(.textChanged("")) { $0.text = "" }  // noChange
    default:
      store.assert { $0.ticks = 7 }  // wrongAssertion
    }
  }

  @MainActor
  private func leftovers(_ store: TestStoreOf<Search>) async {
    await store.send(.closeTapped)
    switch self {
    case .actionBeforeSend:
      await store.send(.textChanged("tea")) { $0.text = "tea" }  // actionBeforeSend
      await store.skipReceivedActions()
    case .actionBeforeFinish:
      await store.finish()  // actionBeforeFinish
    default: break
    }
  }

  @MainActor
  private func receiving(_ store: TestStoreOf<Search>) async {
    switch self {
    case .nothingReceived:
      await store.receive(.delegate(.closed))  // nothingReceived
    case .nothingReceivedInTime:
      let task = await store.send(.searchTapped) { $0.isLoading = true }
      await store.receive(.internal(.loaded(["x"])))  // nothingReceivedInTime
      await task.cancel()
    case .otherReceived:
      await store.send(.closeTapped)
      await store.receive(.delegate(.picked(name: "x")))  // otherReceived
    case .otherCase:
      await store.send(.closeTapped)
      await store.receive(/Search.Action.Internal.loaded)  // otherCase
    case .longAction:
      await store.send(.textChanged(String(repeating: "tea ", count: 40))) { _ in }  // longAction
    default:
      let task = await store.send(.watchTapped)
      await store.receive(.internal(.watched(Search.Handle {})))  // incomparable
      await task.cancel()
    }
  }

  @MainActor
  private func effects(_ store: TestStoreOf<Search>) async {
    let task = await store.send(.searchTapped) { $0.isLoading = true }
    switch self {
    case .effectAtFinish:
      await store.finish()  // effectAtFinish
    case .taskUnfinished:
      await task.finish()  // taskUnfinished
      await task.cancel()
    default: break
    }
  }

  @MainActor
  private func misuses(_ store: TestStoreOf<Search>) async {
    switch self {
    case .chain:
      await store.send(.chainTapped(4))  // chain
      await store.skipReceivedActions()
    case .internalSent:
      await store.send(/Search.Action.internal, .ticked)  // internalSent
    case .sentAfterDismissal:
      let child = TestStore(initialState: 0) { Closing() }
      await child.send(.closeTapped)
      await child.send(.closeTapped)  // sentAfterDismissal
    case .nothingToSkip:
      await store.skipReceivedActions()  // nothingToSkip
    case .misuse:
      let parent = TestStore(initialState: Editors.State()) { Editors() }
      await parent.send(/Editors.Action.search, .presented(.view(.searchTapped)))  // misuse
    default:
      await store.send(.textChanged("tea")) { _ in throw SearchError.notFound }  // thrown
    }
  }

  /// Dismisses itself.
  private struct Closing: Reducer {
    enum Action: ComponentAction { case closeTapped }
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout Int, action: Action) -> Effect<Action> {
      .run { _ in await dismiss() }
    }
  }

  /// What a harness throws has failed the test already.
  private func harness() async {
    let manifest = """
      appcore: 1
      plugins: [Door]
      start: door
      nodes: { door: { feature: Door.Bell }, hall: { feature: Door.Hall } }
      routes: [ { from: door, action: rang, push: hall }, { from: door, action: spoke, do: ignore } ]

      """
    let mocks = [
      MockFeature("Door.Bell", delegates: ["rang", MockCase("spoke", ["words": .string])]),
      MockFeature("Door.Hall"),
    ]
    guard let app = try? await AppHarness(text: manifest, mocks: mocks) else { return }
    switch self {
    case .lineRefused:
      _ = try? await app.type("@rang", "@knock")  // lineRefused
    case .lineAccepted:
      _ = try? await app.refusal(of: "@rang")  // lineAccepted
    case .emissionUnknown:
      try? await app.emit("door", "rnag")  // emissionUnknown
    case .payloadMisfit:
      try? await app.emit("door", "spoke", ["words": 7])  // payloadMisfit
    default:
      _ = try? await app.state(of: "hall")  // stateAbsent
    }
  }

  /// The line at which the failure is to be reported.
  func line(in source: String) -> Int? {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.firstIndex { line in
      line.split(separator: "  // ").last.map {
        $0.split(separator: ", ").contains { $0 == rawValue } && line.contains("  // ")
      } ?? false
    }.map { $0 + 1 }
  }
}
