/// Knows which parts of a reducer an action is for, by its case.
final class DispatchTable: Descent {
  private let parts: [ReducerPart]
  private let all: Course
  private let merge: RawMerge
  private let tags: EnumTagReader
  /// Reports an action of a child that nobody runs, and says whether it was one.
  private let reportsUnclaimed: ((UnsafeRawPointer, Int) -> Bool)?
  /// An entry for each tag, filled when an action of the case comes first.
  ///
  /// Not in an array, which would be retained for every action. An entry that is there stays.
  private let entries: UnsafeMutablePointer<Unmanaged<Course>?>
  private let count: Int

  init(
    _ parts: [ReducerPart], all: Course, _ merge: RawMerge, _ metadata: EnumMetadata,
    reportsUnclaimed: ((UnsafeRawPointer, Int) -> Bool)?
  ) {
    self.parts = parts
    self.all = all
    self.merge = merge
    self.reportsUnclaimed = reportsUnclaimed
    tags = metadata.tags
    count = metadata.cases.count
    entries = .allocate(capacity: count)
    entries.initialize(repeating: nil, count: count)
    super.init(noting: Void.self, leavesAlways: false)
  }

  deinit {
    for tag in 0..<count { entries[tag]?.release() }
    entries.deallocate()
  }

  /// All parts as one function.
  var step: RawStep {
    RawStep(
      { [self] state, action, effect in
        if let entry = entries[tags.tag(at: action)] {
          // Without children there is no way to go down.
          let isDone = entry._withUnsafeGuaranteedRef { course in
            guard course.target == nil, let before = course.before else { return false }
            before._withUnsafeGuaranteedRef { $0.run(state, action, effect) }
            return true
          }
          if isDone { return }
        }
        DescentRun.run(self, state, action, effect)
      }, self)
  }

  override func enter(_ run: inout DescentRun) {
    let tag = tags.tag(at: run.action)
    run.tag = tag
    let entry = entries[tag] ?? findEntry(run.action, tag)
    entry._withUnsafeGuaranteedRef { $0.enter(&run) }
  }

  // A path whose case shares its payload's type with others learns which one it is by being asked:
  // so the first action of such a case goes past every part. One that nobody claims always does.
  @inline(never)
  private func findEntry(_ action: UnsafeRawPointer, _ tag: Int) -> Unmanaged<Course> {
    if let reportsUnclaimed, reportsUnclaimed(action, tag) { return .passUnretained(all) }
    let answers = parts.map { $0.filter?.accepts(tag) ?? .yes }
    if answers.contains(.unknown) { return .passUnretained(all) }
    let own = zip(parts, answers).filter { $0.1 == .yes }.map(\.0.step)
    let entry = Unmanaged.passRetained(Course(own, merge))
    entries[tag] = entry
    return entry
  }
}

/// One reducer of a body.
@usableFromInline
package struct ReducerPart {
  @usableFromInline let step: RawStep
  /// The case of the actions that it answers to; `nil` where it sees all of them.
  @usableFromInline let filter: (any CaseFilter)?

  @usableFromInline
  init(step: RawStep, filter: (any CaseFilter)? = nil) {
    self.step = step
    self.filter = filter
  }
}
