/// Changes a state in response to an action, and returns the effects to run.
///
/// A reducer either implements ``reduce(into:action:)`` or has a ``body`` made of other reducers. A
/// store assembles the body once; it is not built again for each action.
///
/// ```swift
/// struct Counter: Reducer {
///   struct State { var count = 0 }
///   enum Action: ComponentAction { case addTapped }
///
///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
///     switch action {
///     case .addTapped:
///       state.count += 1
///       return .none
///     }
///   }
/// }
/// ```
public protocol Reducer<State, Action> {
  /// The state that the reducer changes.
  associatedtype State
  /// The actions that it handles.
  associatedtype Action: Sendable
  /// The type of ``body``; `Never` if the reducer implements ``reduce(into:action:)`` itself.
  associatedtype Body

  /// Changes `state` in response to `action`, and returns the effects to run.
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that this one is composed of, run in order on every action.
  ///
  /// This reducer may be the child of one of them, as in
  /// `.ifLet(\.$next, action: /Action.next) { Self() }`, directly or indirectly: a child's reducer
  /// is built for its first action.
  @ReducerBuilder<State, Action> var body: Body { get }
}

/// A reducer with the state and action of `R`, as in `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// A reducer that implements `reduce(into:action:)` has no body.
  public var body: Never {
    fatalError("\(Self.self) implements reduce(into:action:); its body is never asked for")
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Assembles the body and runs it; a store assembles it only once.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.assemble().whole(&state, action)
  }
}
