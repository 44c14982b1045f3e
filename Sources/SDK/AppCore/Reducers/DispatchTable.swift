/// Knows which parts an action is for, by its case.
///
/// It compiles into the reducer's module, where the types are known.
@usableFromInline
final class DispatchTable<State, Action: Sendable> {
  @usableFromInline
  final class Entry {
    @usableFromInline let step: Assembly<State, Action>.Step
    @usableFromInline init(_ step: Assembly<State, Action>.Step) { self.step = step }
  }
  @usableFromInline let parts: [Assembly<State, Action>.Part]
  @usableFromInline let all: Assembly<State, Action>.Step
  @usableFromInline let tags: EnumTagReader
  @usableFromInline let unclaimed: UnclaimedActions<Action>?
  /// An entry for each tag, filled when an action of the case comes first.
  ///
  /// Not in an array, which would be retained for every action. An entry that is there stays.
  @usableFromInline let entries: UnsafeMutablePointer<Unmanaged<Entry>?>
  private let count: Int

  @usableFromInline
  init(
    _ parts: [Assembly<State, Action>.Part], all: Assembly<State, Action>.Step,
    metadata: EnumMetadata, unclaimed: UnclaimedActions<Action>?
  ) {
    self.parts = parts
    self.all = all
    self.unclaimed = unclaimed
    tags = metadata.tags
    count = metadata.cases.count
    entries = .allocate(capacity: count)
    entries.initialize(repeating: nil, count: count)
  }

  deinit {
    for tag in 0..<count { entries[tag]?.release() }
    entries.deallocate()
  }

  @inlinable
  func run(
    _ state: UnsafeMutableRawPointer, _ action: UnsafeRawPointer,
    _ effect: UnsafeMutableRawPointer
  ) {
    let tag = tags.tag(at: action)
    guard let entry = entries[tag] else {
      effect.initializeMemory(
        as: Effect<Action>.self,
        to: runAll(
          &state.assumingMemoryBound(to: State.self).pointee,
          action.assumingMemoryBound(to: Action.self).pointee, tag))
      return
    }
    entry._withUnsafeGuaranteedRef { $0.step.raw(state, action, effect) }
  }

  // A path whose case shares its payload's type with others learns which one it is by being asked:
  // so the first action of a case goes past every part. One that nobody claims always does.
  @inlinable @inline(never)
  func runAll(_ state: inout State, _ action: Action, _ tag: Int) -> Effect<Action> {
    let isUnclaimed = unclaimed?.reports(action, tag: tag) ?? false
    let effect = all(&state, action)
    let answers = parts.map { $0.filter?.accepts(tag) ?? .yes }
    if !isUnclaimed, !answers.contains(.unknown) {
      let own = zip(parts, answers).filter { $0.1 == .yes }.map(\.0.step)
      entries[tag]?.release()
      entries[tag] = .passRetained(Entry(Assembly.sequence(own[...])))
    }
    return effect
  }
}
