import AppCore

// expect: 'Presents' has been renamed to 'Presented'
struct PresentsState { @Presents var child: Int? }

func texts() {
  // expect: texts are strings: write a String
  _ = TextState("Title")
}

func clocks() {
  // expect: write 'AppClock.immediate', as in '$0.clock = .immediate'
  _ = ImmediateClock()
  // expect: 'continuousClock' has been renamed to 'clock'
  @Dependency(\.continuousClock) var clock
  // expect: 'suspendingClock' has been renamed to 'clock'
  @Dependency(\.suspendingClock) var other
}

func rest(store: Store<Int, Never>) {
  // expect: a clock that a test does not set is reported: leave it out
  _ = UnimplementedClock()
  // expect: 'mainQueue' has been renamed to 'clock'
  @Dependency(\.mainQueue) var queue
  // expect: the host sets dependencies: 'App(_:dependencies:)'
  prepareDependencies { _ in }
  // expect: 'withState' has been renamed to 'state'
  _ = store.withState { $0 }
  // expect: use 'observe(_:)' or 'values(of:)'
  _ = store.publisher
  var path: StackState<Int> = []
  // expect: 'popLast()' has been renamed to 'removeLast()'
  _ = path.popLast()
}

// expect: 'AnyCasePath' has been renamed to 'CasePath'
func path(_ path: AnyCasePath<Int?, Int>) {}
// expect: 'TestDependencyKey' has been renamed to 'DependencyKey'
struct Key: TestDependencyKey { static let liveValue = 1 }
// expect: use Result, or the effect's 'catch'
func result(_ result: TaskResult<Int>) {}

struct Row: Reducer, Identifiable {
  enum Action: ComponentAction { case tapped }
  let id = 0
  func reduce(into state: inout Int, action: Action) -> Effect<Action> {
    // expect: iterate over an AsyncSequence in '.run'
    .publisher { 1 }
  }
}
func printed() {
  // expect: '_printChanges()' has been renamed to 'printChanges()'
  _ = Row()._printChanges()
  // expect: 'transformDependency' has been renamed to 'transformDependencies(_:)'
  _ = Row().transformDependency(\.date) { _ in }
  // expect: 'init(uniquing:)' has been renamed to 'init(_:)'
  _ = IdentifiedArray(uniquing: [Row()])
}

func shared() {
  // expect: 'appStorage' has been renamed to 'setting(_:)'
  @Shared(.appStorage("size")) var size = 12
  // expect: 'fileStorage' has been renamed to 'file(_:)'
  @Shared(.fileStorage("/rows.json")) var rows = [1]
}

func reports() {
  // expect: 'reportIssue' has been replaced by 'RuntimeIssue.report(_:)'
  reportIssue("the stock is negative")
}
