// Names of The Composable Architecture and its libraries that are others here. They can't be used;
// the compiler says what to write instead.

@available(*, unavailable, renamed: "Presented")
public typealias Presents = Presented

@available(*, unavailable, message: "texts are strings: write a String")
public struct TextState: Sendable {
  public init(_ text: String) {}
}

@available(*, unavailable, message: "write 'AppClock.immediate', as in '$0.clock = .immediate'")
public struct ImmediateClock: Sendable {
  public init() {}
}

@available(*, unavailable, message: "a clock that a test does not set is reported: leave it out")
public struct UnimplementedClock: Sendable {
  public init() {}
}

@available(*, unavailable, renamed: "CasePath")
public typealias AnyCasePath = CasePath

@available(*, unavailable, renamed: "DependencyKey")
public typealias TestDependencyKey = DependencyKey

@available(*, unavailable, message: "use Result, or the effect's 'catch'")
public struct TaskResult<Success: Sendable>: Sendable {
  public init(catching body: () async throws -> Success) async {}
}

@available(*, unavailable, renamed: "RuntimeIssue.report(_:)")
public func reportIssue(_ message: @autoclosure () -> String = "") {}

@available(*, unavailable, message: "the host sets dependencies: 'App(_:dependencies:)'")
public func prepareDependencies(_ update: (inout DependencyValues) -> Void) {}

extension DependencyValues {
  @available(*, unavailable, renamed: "clock")
  public var continuousClock: AppClock {
    get { clock }
    set { clock = newValue }
  }

  @available(*, unavailable, renamed: "clock")
  public var suspendingClock: AppClock {
    get { clock }
    set { clock = newValue }
  }

  @available(*, unavailable, renamed: "clock")
  public var mainQueue: AppClock {
    get { clock }
    set { clock = newValue }
  }
}

extension SharedKey {
  @available(*, unavailable, renamed: "setting(_:)")
  public static func appStorage(_ key: String) -> Self { inMemory(key) }

  @available(*, unavailable, renamed: "file(_:)")
  public static func fileStorage(_ path: String) -> Self { inMemory(path) }
}

extension Store {
  @available(*, unavailable, renamed: "state")
  public func withState<Value>(_ body: (State) -> Value) -> Value { body(state) }

  @available(*, unavailable, message: "use 'observe(_:)' or 'values(of:)'")
  public var publisher: Never { fatalError("unavailable") }
}

extension StackState {
  @available(*, unavailable, renamed: "removeLast()")
  public mutating func popLast() -> Element? { removeLast() }
}

extension IdentifiedArray {
  @available(*, unavailable, renamed: "init(_:)")
  public init(uniquing elements: some Sequence<Element>) { self.init(elements) }
}

extension Effect {
  @available(*, unavailable, message: "iterate over an AsyncSequence in '.run'")
  public static func publisher<Publisher>(_ make: () -> Publisher) -> Self { .none }
}

extension Reducer {
  @available(*, unavailable, renamed: "printChanges()")
  public func _printChanges() -> Self { self }

  @available(*, unavailable, renamed: "transformDependencies(_:)")
  public func transformDependency<Value>(
    _ path: WritableKeyPath<DependencyValues, Value>, _ transform: (inout Value) -> Void
  ) -> Self { self }
}

/// Finds the cases that key paths such as `\.child` name, so that the compiler can say what to write
/// instead.
@dynamicMemberLookup
@frozen
public struct CaseKeyPaths {
  public subscript(dynamicMember name: String) -> CaseKeyPaths { self }
}

extension Scope {
  @available(*, unavailable, message: "a case is written '/Action.child', not '\\.child'")
  public init<ChildState, Child: Reducer>(
    state: WritableKeyPath<State, ChildState>, action: KeyPath<CaseKeyPaths, CaseKeyPaths>,
    child: () -> Child
  ) { fatalError("unavailable") }
}

extension Reducer {
  @available(*, unavailable, message: "a case is written '/Action.child', not '\\.child'")
  public func ifLet<Child, R: Reducer>(
    _ state: WritableKeyPath<State, Child>, action: KeyPath<CaseKeyPaths, CaseKeyPaths>,
    child: () -> R
  ) -> CombineReducers<State, Action> { fatalError("unavailable") }

  @available(*, unavailable, message: "a case is written '/Action.child', not '\\.child'")
  public func ifLet<Child>(
    _ state: WritableKeyPath<State, Child>, action: KeyPath<CaseKeyPaths, CaseKeyPaths>
  ) -> CombineReducers<State, Action> { fatalError("unavailable") }

  @available(*, unavailable, message: "a case is written '/State.child', not '\\.child'")
  public func ifCaseLet<R: Reducer>(
    _ state: KeyPath<CaseKeyPaths, CaseKeyPaths>, action: KeyPath<CaseKeyPaths, CaseKeyPaths>,
    child: () -> R
  ) -> CombineReducers<State, Action> { fatalError("unavailable") }

  @available(*, unavailable, message: "a case is written '/Action.child', not '\\.child'")
  public func forEach<Children, R: Reducer>(
    _ state: WritableKeyPath<State, Children>, action: KeyPath<CaseKeyPaths, CaseKeyPaths>,
    child: () -> R
  ) -> CombineReducers<State, Action> { fatalError("unavailable") }
}

extension Store {
  @available(*, unavailable, message: "a case is written '/Action.child', not '\\.child'")
  public func scope<Child>(
    state: KeyPath<State, Child>, action: KeyPath<CaseKeyPaths, CaseKeyPaths>
  ) -> Store<Child, Never> { fatalError("unavailable") }
}
