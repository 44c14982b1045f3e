/// A reducer as a store runs it: its bodies built, its parts in one flat list.
public struct Assembly<State, Action: Sendable> {
  @usableFromInline package typealias Step = (inout State, Action) -> Effect<Action>

  /// One reducer of the list.
  @usableFromInline
  package struct Part {
    @usableFromInline let step: Step
    /// The case of the actions that it answers to; `nil` where it sees all of them.
    @usableFromInline let filter: (any CaseFilter)?

    @usableFromInline
    init(step: @escaping Step, filter: (any CaseFilter)? = nil) {
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
  package init(_ step: @escaping Step) { self.init(parts: [Part(step: step)]) }

  /// A reducer that may run operators which can't be seen.
  static func opaque(_ step: @escaping Step) -> Assembly {
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

  /// An operator around this reducer.
  ///
  /// - Parameters:
  ///   - claim: the children's actions that it answers.
  ///   - step: what it does.
  /// - Returns: the operator and this reducer.
  func wrapped<Child>(
    claiming claim: CasePath<Action, Child>, _ step: @escaping Step
  ) -> CombineReducers<State, Action> {
    let claims = claims.map { $0 + [{ claim.extract($0) != nil }] }
    return CombineReducers(assembly: Assembly(parts: [Part(step: step)], claims: claims))
  }

  /// An operator around this reducer that has no child.
  func wrapped(_ step: @escaping Step) -> CombineReducers<State, Action> {
    CombineReducers(assembly: Assembly(parts: [Part(step: step)], claims: claims))
  }

  /// All parts as one function: a part of a larger reducer.
  ///
  /// - Complexity: an action of a case that some parts have to themselves costs nothing for the
  ///   others of these, however many there are.
  package var part: Step { step(unclaimed: nil) }

  /// All parts as one function: a whole reducer, in which every child has its operator.
  ///
  /// An action of a child that has none is reported.
  /// - Complexity: as that of ``part``.
  @usableFromInline
  package var run: Step { step(unclaimed: claims.flatMap(UnclaimedActions.init)) }

  private func step(unclaimed: UnclaimedActions<Action>?) -> Step {
    let all = Self.sequence(parts.map(\.step)[...])
    let hasCases = parts.count > 1 && parts.contains { $0.filter != nil }
    guard hasCases || unclaimed != nil, let metadata = EnumMetadata(Action.self) else { return all }
    let table = DispatchTable(parts, all: all, metadata: metadata, unclaimed: unclaimed)
    return { table.run(&$0, $1) }
  }

  /// The steps one after another, their effects merged.
  ///
  /// One function that calls two, which call two each: a walk along an array of them would look the
  /// array's type up every time.
  static func sequence(_ steps: ArraySlice<Step>) -> Step {
    guard let only = steps.first else { return { _, _ in .none } }
    if steps.count == 1 { return only }
    let middle = steps.startIndex + steps.count / 2
    let first = sequence(steps[..<middle])
    let second = sequence(steps[middle...])
    return { state, action in
      let effect = first(&state, action)
      let next = second(&state, action)
      if effect.isNone { return next }
      return next.isNone ? effect : effect.merge(with: next)
    }
  }
}
