@_spi(Host) public import AppCore
internal import Glibc

/// Runs a feature or a component reducer inside a test, and requires the test to assert everything
/// that happens.
///
/// Its life:
/// 1. it is created with a state and a reducer, on the main actor; dependencies have their values
///    for tests, and the test may override them.
/// 2. ``send(_:assert:fileID:filePath:line:column:)-(Action.View,_,_,_,_,_)`` sends what a screen
///    would; its closure applies the expected changes to the state. Any difference fails the test.
/// 3. actions that effects send are kept until
///    ``receive(_:timeout:assert:fileID:filePath:line:column:)-(Action,_,_,_,_,_,_)`` asserts them,
///    delegate actions too.
/// 4. at its end no action may be left unasserted and no effect may still be running;
///    ``finish(timeout:fileID:filePath:line:column:)`` waits for effects.
///
/// ```swift
/// let store = TestStore(initialState: Counter.State()) { Counter() }
/// await store.send(.addTapped) { $0.count = 1 }
/// await store.receive(.delegate(.added(1)))
/// ```
@MainActor
public final class TestStore<State: Equatable, Action: Sendable> {
  /// The asserted state: a received action's changes are included once the action is asserted.
  public internal(set) var state: State
  /// How long ``receive(_:timeout:assert:fileID:filePath:line:column:)-(Action,_,_,_,_,_,_)`` and
  /// ``finish(timeout:fileID:filePath:line:column:)`` wait at most, in real time.
  public var timeout: Duration = .seconds(10)

  let store: Store<State, Action>
  let ledger: TestLedger<State, Action>
  let life: FeatureLife<State, Action>
  /// The asserted shared values.
  var shared = SharedSnapshot()
  /// Whether the next action that is reduced is the one that the test sends.
  var isSending = false
  /// The state after the action that the test sent was reduced, before its effects' actions.
  var sentState: (State, SharedSnapshot)?
  private let dismissal = Dismissal()
  private let site: TestSite
  /// The main actor's thread.
  private let thread = pthread_self()
  /// Retains what must be released on the main actor.
  private let release = DeferredRelease()

  /// Creates a store for a reducer; what is left at its end is reported where it is created.
  public convenience init(
    initialState: @autoclosure () -> State, reducer: () -> some Reducer<State, Action>,
    withDependencies prepare: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let (values, site) = (Self.values(prepare), TestSite(fileID, filePath, line, column))
    let (state, reducer) = Self.create(with: values, at: site) { (initialState(), reducer()) }
    self.init(state, reducer, life: .init(of: reducer), values, site)
  }

  /// Creates a store for a feature as the graph would, from arguments; see also
  /// ``didStart(assert:fileID:filePath:line:column:)``.
  public convenience init<F: Feature>(
    arguments: F.Arguments, feature: () -> F,
    withDependencies prepare: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws where F.State == State, F.Action == Action {
    let (values, site) = (Self.values(prepare), TestSite(fileID, filePath, line, column))
    let (state, feature) = try Self.create(with: values, at: site) {
      let feature = feature()
      return (try feature.initialState(arguments), feature)
    }
    self.init(state, feature, life: .init(feature), values, site)
  }

  private init(
    _ initialState: State, _ reducer: some Reducer<State, Action>,
    life: FeatureLife<State, Action>, _ dependencies: DependencyValues, _ site: TestSite
  ) {
    state = initialState
    // Which reducers a body has may depend on dependencies, too.
    store = Self.create(with: dependencies, at: site) {
      Store(initialState: initialState, reducer: reducer, isolation: MainActor.shared)
    }
    ledger = TestLedger(site)
    self.life = life
    self.site = site
    dismissal.endEffects = { [weak store] in store?.endEffects() }
    self.dependencies = dependencies
    RuntimeIssue.handling(with: { TestReporter.fail($0, at: site) }) {
      dependencies.sharedStorage.adoptValues(in: initialState)
    }
    shared = dependencies.sharedStorage.snapshot()
    store.setDependencies(dismissing(dependencies))
    store.runEffects(on: EffectExecutor())
    release.content = (store, store.onActions { [weak self] in self?.didReduce($0) })
    store.onEffectChanges { [weak store, ledger] in
      ledger.note(running: store?.actionsWithEffects ?? [])
    }
    // As in an app.
    store.cutCascades(at: 100_000, waiting: 250_000) { [ledger] in
      ledger.fail(.endless(describe($0)))
    }
    TestReporter.whenTestCaseEnds { [weak self] in
      guard let self else { return }
      ledger.close(at: self.site, unasserted: sharedChanges(since: shared))
    }
  }

  deinit {
    ledger.close(
      at: site,
      unasserted: StateDifference.unassertedLines(
        from: shared, to: dependencies.sharedStorage.snapshot()))
    guard pthread_equal(pthread_self(), thread) == 0 else { return }
    // This is not the main actor, on which an effect may be using the store right now.
    Task { @MainActor [release] in release.content = nil }
  }

  private final class DeferredRelease: @unchecked Sendable {
    // Unchecked: it is written only on the main actor, and released when it is no longer written.
    var content: Any?
  }

  /// Creates a part of the store with the test's dependencies; misuses that are reported in it fail
  /// the test.
  private static func create<Part>(
    with values: DependencyValues, at site: TestSite, _ body: () throws -> Part
  ) rethrows -> Part {
    try RuntimeIssue.handling(with: { TestReporter.fail($0, at: site) }) {
      try withDependencies({ $0 = values }, operation: body)
    }
  }

  private static func values(_ prepare: (inout DependencyValues) -> Void) -> DependencyValues {
    let values = DependencyValues.current(changedBy: {
      $0.context = .test
      if DependencyValues.ownSharedStorage == nil { $0.sharedStorage = SharedStorage() }
      prepare(&$0)
    })
    values.sharedStorage.beginTracking()
    return values
  }

  /// The dependencies of the reducer and of the effects that it returns from now on.
  public var dependencies: DependencyValues {
    didSet { store.setDependencies(dismissing(dependencies)) }
  }

  /// Whether an effect has called `dismiss`, in response to which a parent would remove the child.
  ///
  /// As in an app, all effects are cancelled then, and a further action is a failure. If the test
  /// sets `\.dismiss`, what it sets is called as well.
  public var isDismissed: Bool { dismissal.hasHappened }

  /// The dependencies with a dismissal that ends the effects, unless the test says that nothing is
  /// presented.
  private func dismissing(_ values: DependencyValues) -> DependencyValues {
    let own = values.ownDismiss
    guard own?.isPresented ?? true else { return values }
    var values = values
    values.dismiss = DismissEffect { [dismissal] in
      await own?()
      await dismissal.happen()
    }
    return values
  }

  /// How much has to be asserted; by default everything.
  public var exhaustivity: Exhaustivity {
    get { ledger.exhaustivity }
    set { ledger.exhaustivity = newValue }
  }

  /// The length of the longest chain of `.send` effects that is allowed; `nil` for no limit.
  ///
  /// An action that a feature sends to itself is a method call in disguise, and costs more.
  public var sendChainLimit: Int? {
    get { ledger.sendChainLimit }
    set { ledger.sendChainLimit = newValue }
  }

  private func didReduce(_ action: ReducedAction<Action>) {
    ledger.check(action)
    if isSending {
      isSending = false
      sentState = (store.state, sharedNow)
    } else {
      ledger.add(action.action, store.state, sharedNow)
    }
  }

  /// Waits until every effect has ended, sleeps on a clock, or waits for something else.
  func settle() async {
    let account = store.activityAccount
    _ = await account.settled(within: timeout)
  }

  /// Runs `body`; misuses that are reported in it fail the test.
  func reporting<Result>(_ body: () -> Result) -> Result {
    let position = ledger.position
    return RuntimeIssue.handling(
      with: { TestReporter.fail($0, at: position.site) }, operation: body)
  }
}

/// Ends the effects of a store when one of them calls `dismiss`.
@MainActor
private final class Dismissal {
  private(set) var hasHappened = false
  var endEffects: (() -> Void)?

  func happen() {
    hasHappened = true
    endEffects?()
  }
}

/// A test's store with the state and action of `R`, as in `let store: TestStoreOf<Counter>`.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action> where R.State: Equatable

/// How much a ``TestStore`` requires a test to assert.
public enum Exhaustivity: Hashable, Sendable {
  /// Everything: each change of the state, each action of an effect, the end of each effect.
  case on
  /// Only what the test asserts. With `showSkippedAssertions` the rest is shown, as a warning in
  /// Swift Testing and on standard error in XCTest.
  case off(showSkippedAssertions: Bool)

  /// Only what the test asserts; the rest is not reported.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)

  var showsSkipped: Bool { self == .off(showSkippedAssertions: true) }
}
