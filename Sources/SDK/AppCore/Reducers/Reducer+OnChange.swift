extension Reducer {
  /// Runs further reducers when a part of the state has changed in answer to an action.
  ///
  /// ```swift
  /// struct Settings: Reducer {
  ///   struct State { var volume = 5, changes = 0 }
  ///   enum Action: ComponentAction { case volumeSet(Int) }
  ///
  ///   var body: some ReducerOf<Self> {
  ///     Reduce<State, Action> { state, action in
  ///       if case .volumeSet(let volume) = action { state.volume = volume }
  ///       return .none
  ///     }
  ///     .onChange(of: { $0.volume }) { old, new in
  ///       Reduce { state, _ in
  ///         state.changes += 1
  ///         return .none
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: the part.
  ///   - change: makes the reducers for an old and a new value.
  /// - Returns: both reducers.
  public func onChange<Value: Equatable>(
    of value: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ change:
      @escaping (_ old: Value, _ new: Value) -> CombineReducers<State, Action>
  ) -> CombineReducers<State, Action> {
    let inner = assemble()
    let run = inner.part
    return inner.wrapped { state, action in
      let old = value(state)
      let effect = run(&state, action)
      let new = value(state)
      guard old != new else { return effect }
      return effect.merge(with: change(old, new).assemble().part(&state, action))
    }
  }

  /// Runs this reducer and its effects with some dependencies replaced.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case stamp }
  ///
  /// let reducer = Reduce<Instant?, Action> { stamp, _ in
  ///   @Dependency(\.date) var date
  ///   stamp = date.now
  ///   return .none
  /// }
  /// .dependency(\.date, .constant(Instant(secondsSinceEpoch: 0)))
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: the dependency.
  ///   - value: what stands in its place.
  /// - Returns: the reducer with the dependency replaced.
  public func dependency<Value: Sendable>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable, _ value: Value
  ) -> CombineReducers<State, Action> {
    transformDependencies { $0[keyPath: keyPath] = value }
  }

  /// Runs this reducer and its effects with its dependencies changed.
  public func transformDependencies(
    _ update: @escaping @Sendable (inout DependencyValues) -> Void
  ) -> CombineReducers<State, Action> {
    let inner = assemble()
    let run = inner.part
    return inner.wrapped { state, action in
      let effect = withDependencies(update) { run(&state, action) }
      return effect.operation.map { Effect(.updating($0, update)) } ?? .none
    }
  }
}

/// A reducer that contains itself, for a state that contains states of its own kind.
///
/// ```swift
/// struct Folder: Identifiable, Sendable {
///   let id: String
///   var isOpen = false
///   var folders: IdentifiedArray<Folder> = []
/// }
///
/// indirect enum FolderAction: ComponentAction {
///   case toggled
///   case folders(IdentifiedAction<String, FolderAction>)
/// }
///
/// let folders = Recurse<Folder, FolderAction> { itself in
///   Reduce<Folder, FolderAction> { folder, action in
///     if case .toggled = action { folder.isOpen.toggle() }
///     return .none
///   }
///   .forEach(\.folders, action: /FolderAction.folders) { itself }
/// }
/// ```
public struct Recurse<State, Action: Sendable>: Reducer {
  /// What the steps hold, so that they run themselves.
  @usableFromInline
  final class Knot {
    @exclusivity(unchecked) @usableFromInline var run: Assembly<State, Action>.Step?
    @usableFromInline init() {}
  }

  /// Undoes the knot when nobody holds the reducer any more: the steps and the knot hold each other.
  @usableFromInline
  final class Loop {
    @usableFromInline let knot = Knot()
    @usableFromInline init() {}
    deinit { knot.run = nil }
  }
  @usableFromInline let loop: Loop

  /// Creates a reducer; `build` is given the reducer itself, and is called once.
  @inlinable
  public init(
    @ReducerBuilder<State, Action> _ build: (Reduce<State, Action>) -> CombineReducers<
      State, Action
    >
  ) {
    loop = Loop()
    // Open: what it answers is known only once it is built, and is asked of the whole.
    let itself = Reduce<State, Action>(isOpen: true) { [knot = loop.knot] state, action in
      knot.run?(&state, action) ?? .none
    }
    loop.knot.run = build(itself).assemble().run
  }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    loop.knot.run?(&state, action) ?? .none
  }

  @inlinable
  public func assemble() -> Assembly<State, Action> {
    .opaque(Assembly.Step { [loop] in loop.knot.run?(&$0, $1) ?? .none })
  }
}
