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
  @usableFromInline let whole: Assembly<State, Action>.Step

  /// Creates a reducer; `build` is given the reducer itself, and is called once.
  @inlinable
  public init(
    @ReducerBuilder<State, Action> _ build: (Reduce<State, Action>) -> CombineReducers<
      State, Action
    >
  ) {
    let knot = Knot()
    // Open: what it answers is known only once it is built, and is asked of the whole.
    let itself = Reduce<State, Action>(isOpen: true, Assembly.Step(raw: RawStep(knot)))
    knot.tie(build(itself).assemble().run.raw)
    whole = Assembly.Step(raw: RawStep(Loop(knot)))
  }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    whole(&state, action)
  }

  @inlinable
  public func assemble() -> Assembly<State, Action> { .opaque(whole) }
}

/// What the steps of a reducer hold that contains itself, so that they run the whole.
@usableFromInline
final class Knot: Descent {
  private var whole: RawStep?

  @usableFromInline init() { super.init(noting: Void.self, leavesAlways: false) }

  /// Makes it run `whole`.
  @usableFromInline func tie(_ whole: RawStep) { self.whole = whole }

  fileprivate func undo() { whole = nil }

  override func enter(_ run: inout DescentRun) {
    guard let whole else {
      run.next = nil
      return
    }
    run.goOn(.passUnretained(whole))
  }
}

/// The whole of a reducer that contains itself.
///
/// It undoes the knot when nobody holds the reducer any more: the steps and the knot hold each other.
@usableFromInline
final class Loop: Descent {
  private let knot: Knot

  @usableFromInline
  init(_ knot: Knot) {
    self.knot = knot
    super.init(noting: Void.self, leavesAlways: false)
  }

  deinit { knot.undo() }

  override func enter(_ run: inout DescentRun) { knot.enter(&run) }
}
