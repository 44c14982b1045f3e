/// A reducer as a store runs it: its bodies built, its parts in one flat list.
public struct Assembly<State, Action: Sendable> {
  /// One reducer of the list.
  @usableFromInline
  package struct Part {
    @usableFromInline let step: Step
    /// The case of the actions that it answers to; `nil` where it sees all of them.
    @usableFromInline let filter: (any CaseFilter)?

    @usableFromInline
    init(step: Step, filter: (any CaseFilter)? = nil) {
      self.step = step
      self.filter = filter
    }
  }
  @usableFromInline package let parts: [Part]
  /// Which actions of children its operators answer; `nil` where that can't be known.
  @usableFromInline package let claims: [(Action) -> Bool]?

  @usableFromInline
  init(parts: [Part], claims: [(Action) -> Bool]? = []) {
    self.parts = parts
    self.claims = claims
  }

  @inlinable
  package init(_ run: @escaping Step.Run) { self.init(parts: [Part(step: Step(run))]) }

  /// A reducer that may run operators which can't be seen.
  @inlinable
  static func opaque(_ step: Step) -> Assembly {
    Assembly(parts: [Part(step: step)], claims: nil)
  }

  /// Several reducers after each other.
  init(joining assemblies: [Assembly]) {
    var claims: [(Action) -> Bool]? = []
    for assembly in assemblies {
      claims = assembly.claims.flatMap { new in claims.map { $0 + new } }
    }
    self.init(parts: assemblies.flatMap(\.parts), claims: claims)
  }

  /// An operator around this reducer, which answers the children's actions that `claim` is for.
  @inlinable
  func wrapped<Child>(
    claiming claim: CasePath<Action, Child>, _ run: @escaping Step.Run
  ) -> CombineReducers<State, Action> {
    wrapped(claiming: claim, Step(run))
  }

  @inlinable
  func wrapped<Child>(
    claiming claim: CasePath<Action, Child>, _ step: Step
  ) -> CombineReducers<State, Action> {
    let claims = claims.map { $0 + [{ claim.extract($0) != nil }] }
    return CombineReducers(assembly: Assembly(parts: [Part(step: step)], claims: claims))
  }

  /// An operator around this reducer that has no child.
  @inlinable
  func wrapped(_ run: @escaping Step.Run) -> CombineReducers<State, Action> {
    CombineReducers(assembly: Assembly(parts: [Part(step: Step(run))], claims: claims))
  }

  /// All parts as one function: a part of a larger reducer.
  ///
  /// - Complexity: an action of a case that some parts have to themselves costs nothing for the
  ///   others of these, however many there are.
  @inlinable package var part: Step { step(unclaimed: nil) }

  /// All parts as one function: a whole reducer, in which every child has its operator.
  ///
  /// An action of a child that has none is reported.
  /// - Complexity: as that of ``part``.
  @inlinable package var run: Step { step(unclaimed: claims.flatMap(UnclaimedActions.init)) }

  @inlinable
  func step(unclaimed: UnclaimedActions<Action>?) -> Step {
    let all = Self.sequence(parts.map(\.step)[...])
    let hasCases = parts.count > 1 && parts.contains { $0.filter != nil }
    guard hasCases || unclaimed != nil, let metadata = EnumMetadata(Action.self) else { return all }
    let table = DispatchTable(parts, all: all, metadata: metadata, unclaimed: unclaimed)
    return Step(raw: { table.run($0, $1, $2) })
  }

  /// The steps one after another, their effects merged.
  ///
  /// One function that calls two, which call two each: a walk along an array of them would look the
  /// array's type up every time.
  @inlinable
  static func sequence(_ steps: ArraySlice<Step>) -> Step {
    guard let only = steps.first else { return Step { _, _ in .none } }
    if steps.count == 1 { return only }
    let middle = steps.startIndex + steps.count / 2
    let first = sequence(steps[..<middle])
    let second = sequence(steps[middle...])
    return Step(raw: { state, action, effect in
      first.raw(state, action, effect)
      let both = effect.assumingMemoryBound(to: Effect<Action>.self)
      // Nothing is left to do after this call, so that no frame stays for it: a processor foretells
      // where some sixteen calls return to, and children are nested deeper.
      guard !both.pointee.isNone else { return second.raw(state, action, effect) }
      let next = second(at: state, action)
      if !next.isNone { both.pointee = both.pointee.merge(with: next) }
    })
  }
}
