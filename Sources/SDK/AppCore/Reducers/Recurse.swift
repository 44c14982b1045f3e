/// A closure-based reducer that contains itself, for recursive states.
///
/// A reducer with a ``Reducer/body`` doesn't need this: its body may contain the reducer itself.
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
@frozen
public struct Recurse<State, Action: Sendable>: AssembledReducer {
  @_fixed_layout
  @usableFromInline
  final class Whole {
    @exclusivity(unchecked) @usableFromInline var step: Assembly<State, Action>.Step?

    @usableFromInline init() {}
  }
  @usableFromInline let assembly: Assembly<State, Action>

  /// Creates a reducer; `build` is given the reducer itself, and is called once.
  @inlinable
  public init(
    @ReducerBuilder<State, Action> _ build: (Reduce<State, Action>) -> CombineReducers<
      State, Action
    >
  ) {
    let whole = Whole()
    let itself = Reduce<State, Action>(isOpen: true) { [unowned whole] state, action in
      whole.step?.run(&state, action) ?? .none
    }
    whole.step = Assembly.Step(run: build(itself).assemble().whole)
    assembly = Assembly(isOpen: true) { state, action in
      whole.step?.run(&state, action) ?? .none
    }
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    assembly.part(&state, action)
  }
}
