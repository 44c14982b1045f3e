/// A reducer of a closure that contains itself, for a state that contains states of its own kind.
///
/// A reducer with a ``Reducer/body`` needs none: it may have itself in it.
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
  @usableFromInline let loop: Loop<State, Action>

  /// Creates a reducer; `build` is given the reducer itself, and is called once.
  @inlinable
  public init(
    @ReducerBuilder<State, Action> _ build: (Reduce<State, Action>) -> CombineReducers<
      State, Action
    >
  ) {
    let knot = Knot<State, Action>()
    // Open: what it answers is known only once it is built, and is asked of the whole.
    knot.run = build(Reduce(isOpen: true, knot.step)).assemble().run
    loop = Loop(knot)
  }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    loop.step(&state, action)
  }

  @inlinable
  public func assemble() -> Assembly<State, Action> { .opaque(loop.step) }
}

/// What the steps of a reducer hold that contains itself, so that they run the whole.
@usableFromInline
final class Knot<State, Action: Sendable> {
  @exclusivity(unchecked) @usableFromInline var run: Assembly<State, Action>.Step?

  @usableFromInline init() {}

  @inlinable
  var step: Assembly<State, Action>.Step {
    Assembly.Step(raw: { [self] state, action, effect in
      guard let run else {
        effect.initializeMemory(as: Effect<Action>.self, to: .none)
        return
      }
      run.raw(state, action, effect)
    })
  }
}

/// Undoes the knot when nobody holds the reducer any more: the steps and the knot hold each other.
@usableFromInline
final class Loop<State, Action: Sendable> {
  @usableFromInline let knot: Knot<State, Action>

  @usableFromInline init(_ knot: Knot<State, Action>) { self.knot = knot }

  deinit { knot.run = nil }

  /// The reducer, which holds the knot together.
  @inlinable
  var step: Assembly<State, Action>.Step {
    Assembly.Step(raw: { [self] state, action, effect in
      guard let run = knot.run else {
        effect.initializeMemory(as: Effect<Action>.self, to: .none)
        return
      }
      run.raw(state, action, effect)
    })
  }
}
