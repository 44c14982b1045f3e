/// Knows which parts an action is for, by its case.
final class DispatchTable<State, Action: Sendable> {
  private typealias Step = Assembly<State, Action>.Step

  private final class Entry {
    let step: Step
    init(_ step: @escaping Step) { self.step = step }
  }
  private let parts: [Assembly<State, Action>.Part]
  private let all: Step
  private let tags: EnumTagReader
  private let unclaimed: UnclaimedActions<Action>?
  /// An entry for each tag, filled when an action of the case comes first.
  ///
  /// Of no generic type: the array's would be looked up for every action.
  @exclusivity(unchecked) private var entries: [AnyObject?]

  init(
    _ parts: [Assembly<State, Action>.Part], all: @escaping Assembly<State, Action>.Step,
    metadata: EnumMetadata, unclaimed: UnclaimedActions<Action>?
  ) {
    self.parts = parts
    self.all = all
    self.unclaimed = unclaimed
    tags = metadata.tags
    entries = Array(repeating: nil, count: metadata.cases.count)
  }

  func run(_ state: inout State, _ action: Action) -> Effect<Action> {
    let tag = tags.tag(of: action)
    guard let entry = entries[tag] else { return runAll(&state, action, tag) }
    return unsafeDowncast(entry, to: Entry.self).step(&state, action)
  }

  // A path whose case shares its payload's type with others learns which one it is by being asked:
  // so the first action of a case goes past every part. One that nobody claims always does.
  @inline(never)
  private func runAll(_ state: inout State, _ action: Action, _ tag: Int) -> Effect<Action> {
    let isUnclaimed = unclaimed?.reports(action, tag: tag) ?? false
    let effect = all(&state, action)
    let answers = parts.map { $0.filter?.accepts(tag) ?? .yes }
    if !isUnclaimed, !answers.contains(.unknown) {
      let own = zip(parts, answers).filter { $0.1 == .yes }.map(\.0.step)
      entries[tag] = Entry(Assembly.sequence(own[...]))
    }
    return effect
  }
}
