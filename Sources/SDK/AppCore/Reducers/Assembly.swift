/// A reducer as a store runs it: its bodies evaluated, its parts in one flat list.
///
/// What runs for each action is inlinable, so that it is specialized where the reducer is written:
/// with the types known, a level of nested reducers takes about 50 ns instead of over a microsecond.
@frozen
@usableFromInline
struct Assembly<State, Action: Sendable> {
  @usableFromInline typealias Run = (inout State, Action) -> Effect<Action>

  /// Wraps a function that is stored in an array or an optional: there a bare function would get a
  /// reabstraction thunk, which adds a call at every level.
  @frozen
  @usableFromInline
  struct Step {
    @usableFromInline let run: Run

    @usableFromInline
    init(run: @escaping Run) { self.run = run }
  }

  /// One reducer of a body.
  @frozen
  @usableFromInline
  struct Part {
    @usableFromInline let run: Run
    /// The case of the actions that it handles; `nil` if it handles all of them.
    @usableFromInline let filter: (any CaseFilter)?

    @usableFromInline
    init(run: @escaping Run, filter: (any CaseFilter)? = nil) {
      self.run = run
      self.filter = filter
    }
  }

  @usableFromInline let parts: [Part]
  /// Predicates for the child actions that its operators handle.
  @usableFromInline let claims: [(Action) -> Bool]

  @usableFromInline
  init(parts: [Part], claims: [(Action) -> Bool] = []) {
    self.parts = parts
    self.claims = claims
  }

  /// A reducer of one function; `filter` is the case of the actions that it handles, `nil` for all.
  @usableFromInline
  init(filter: (any CaseFilter)? = nil, _ run: @escaping Run) {
    self.init(parts: [Part(run: run, filter: filter)])
  }

  /// Several reducers, run in order.
  init(joining assemblies: [Assembly]) {
    parts = assemblies.flatMap(\.parts)
    claims = assemblies.flatMap(\.claims)
  }

  /// An operator that wraps this reducer, and handles the child actions for which `claim` holds.
  func wrapped(
    claiming claim: ((Action) -> Bool)? = nil, _ run: @escaping Run
  ) -> CombineReducers<State, Action> {
    let own = claim.map { [$0] } ?? []
    return CombineReducers(assembly: Assembly(parts: [Part(run: run)], claims: claims + own))
  }

  /// All parts as one function: a part of a larger reducer.
  ///
  /// - Complexity: O(*p*), where *p* is the number of parts that handle the action's case; the
  ///   first action of a case also costs time for the other parts.
  @inlinable var part: Run { run(unclaimed: nil) }

  /// All parts as one function: a whole reducer, in which every child has its operator.
  ///
  /// An action of a child that has none is reported.
  /// - Complexity: as that of ``part``.
  @inlinable var whole: Run { run(unclaimed: UnclaimedActions(claims)) }

  @inlinable
  func run(unclaimed: UnclaimedActions<Action>?) -> Run {
    let hasCases = parts.count > 1 && parts.contains { $0.filter != nil }
    guard hasCases || unclaimed != nil, let metadata = EnumMetadata(Action.self) else {
      return Self.sequence(parts[...])
    }
    let table = DispatchTable(parts, metadata, unclaimed, joining: Self.sequence)
    return { state, action in table.reduce(&state, action) }
  }

  /// Reducers one after another, their effects merged.
  @inlinable
  static func sequence(_ parts: ArraySlice<Part>) -> Run {
    guard let first = parts.first else { return { _, _ in .none } }
    if parts.count == 1 { return first.run }
    // Combined in halves, so that the depth of calls is logarithmic in the number of parts.
    let middle = parts.startIndex + parts.count / 2
    let (before, after) = (sequence(parts[..<middle]), sequence(parts[middle...]))
    return { state, action in
      let effect = before(&state, action)
      return effect.merged(with: after(&state, action))
    }
  }
}

extension Effect {
  /// Both effects concurrently; usually there is only one.
  @inlinable
  func merged(with other: Effect) -> Effect {
    if other.isNone { return self }
    return isNone ? other : merge(with: other)
  }
}

/// Dispatches an action, by its case, to the parts of a reducer that handle it.
///
/// Plugins rely on this: `entries` has an element for each tag, and an element that is not `nil`
/// reduces every action with that tag.
@_fixed_layout
@usableFromInline
final class DispatchTable<State, Action: Sendable> {
  @usableFromInline typealias Part = Assembly<State, Action>.Part
  @usableFromInline typealias Run = Assembly<State, Action>.Run
  @usableFromInline typealias Step = Assembly<State, Action>.Step
  private let parts: [Part]
  private let all: Step
  private let join: (ArraySlice<Part>) -> Run
  @usableFromInline let tags: EnumWitnesses
  private let unclaimed: UnclaimedActions<Action>?
  /// A function for each tag; `nil` until the first action of its case.
  @exclusivity(unchecked) @usableFromInline private(set) var entries: [Step?]

  @usableFromInline
  init(
    _ parts: [Part], _ metadata: EnumMetadata,
    _ unclaimed: UnclaimedActions<Action>?, joining join: @escaping (ArraySlice<Part>) -> Run
  ) {
    self.parts = parts
    self.unclaimed = unclaimed
    self.join = join
    all = Step(run: join(parts[...]))
    tags = metadata.witnesses
    entries = Array(repeating: nil, count: metadata.cases.count)
  }

  @inlinable
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    let tag = tags.tag(of: action)
    let entry = entries[tag] ?? find(action, tag)
    return entry.run(&state, action)
  }

  // A path whose case shares its payload type with other cases learns its tag when it extracts, so
  // the first action of such a case runs through all parts. An unclaimed child action always does.
  @usableFromInline
  func find(_ action: Action, _ tag: Int) -> Step {
    if let unclaimed, unclaimed.reports(action, tag: tag) { return all }
    var own: [Part] = []
    for part in parts {
      guard let filter = part.filter else {
        own.append(part)
        continue
      }
      guard let accepts = filter.accepts(tag) else { return all }
      if accepts { own.append(part) }
    }
    let entry = Step(run: join(own[...]))
    entries[tag] = entry
    return entry
  }
}
