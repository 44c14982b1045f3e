/// A reducer as a store runs it: its bodies built, its parts in one flat list.
public struct Assembly<State, Action: Sendable> {
  @usableFromInline package let parts: [ReducerPart]
  /// Which actions of children its operators answer; `nil` where that can't be known.
  @usableFromInline package let claims: [(Action) -> Bool]?

  @usableFromInline
  init(parts: [ReducerPart], claims: [(Action) -> Bool]? = []) {
    self.parts = parts
    self.claims = claims
  }

  @inlinable
  package init(_ run: @escaping Step.Run) { self.init(parts: [ReducerPart(step: Step(run).raw)]) }

  /// A reducer that may run operators which can't be seen.
  @inlinable
  static func opaque(_ step: Step) -> Assembly {
    Assembly(parts: [ReducerPart(step: step.raw)], claims: nil)
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
    return CombineReducers(assembly: Assembly(parts: [ReducerPart(step: step.raw)], claims: claims))
  }

  /// An operator around this reducer that has no child.
  @inlinable
  func wrapped(_ run: @escaping Step.Run) -> CombineReducers<State, Action> {
    CombineReducers(assembly: Assembly(parts: [ReducerPart(step: Step(run).raw)], claims: claims))
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

  @usableFromInline
  func step(unclaimed: UnclaimedActions<Action>?) -> Step {
    let merge = RawMerge(Action.self)
    let all = Course(parts.map(\.step), merge)
    let hasCases = parts.count > 1 && parts.contains { $0.filter != nil }
    guard hasCases || unclaimed != nil, let metadata = EnumMetadata(Action.self) else {
      return Step(raw: all.step)
    }
    let reports = unclaimed.map { unclaimed in
      { (action: UnsafeRawPointer, tag: Int) in
        unclaimed.reports(action.assumingMemoryBound(to: Action.self).pointee, tag: tag)
      }
    }
    let table = DispatchTable(parts, all: all, merge, metadata, reportsUnclaimed: reports)
    return Step(raw: table.step)
  }
}
