/// A recording in memory, with all of its steps that can be read.
package struct Recording: Sendable {
  package let path: String
  package let header: RecordingHeader
  private let history: StepHistory
  /// The recorded crashes, each with the number of the last step before it.
  package let crashes: [(after: Int, crash: RecordedCrash)]
  /// Whether it was read to its end, and does not say how the app ended.
  package let hasNoEnd: Bool
  /// The later builds of the app, each with the number of its first step.
  package let builds: [(first: Int, header: RecordingHeader)]
  /// The first line that was edited after it was written.
  package let alteration: RecordingProblem?
  /// Why the rest of the file can't be read; `nil` if all of it was.
  package let problem: RecordingProblem?

  /// Reads a recording up to the first line that can't be read.
  ///
  /// - Throws: why not even the header can be read.
  package init(path: String) throws(RecordingProblem) {
    let reader = try RecordingReader(path: path)
    var history = StepHistory(limit: nil)
    var builds: [(Int, RecordingHeader)] = []
    while let step = reader.next(keepsFormer: history.needsKeyframe) {
      if let build = step.build { builds.append((step.number, build)) }
      history.append(
        step.number, StepHistory.Line(.step(step)),
        keyframe: reader.former.map { StepHistory.Line(.keyframe(step: step.number - 1, $0)) })
    }
    self.path = path
    header = reader.header
    self.history = history
    crashes = reader.crashes
    hasNoEnd = !reader.hasEnd && reader.problem == nil
    problem = reader.problem
    alteration = reader.alteration
    self.builds = builds
  }

  package func build(at step: Int) -> RecordingHeader {
    builds.last { $0.first <= step }?.header ?? header
  }

  package var numbers: Range<Int> { history.numbers }

  package func step(_ number: Int) -> RecordedStep? { history.step(number) }

  /// Whether a keyframe precedes a step, which may differ from the app after the previous step.
  package func beginsGroup(_ number: Int) -> Bool { history.beginsGroup(number) }

  /// The app after a step, or before the first one; `nil` if there is no such step.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes since the last keyframe.
  package func moment(after number: Int) -> AppMoment? { history.moment(after: number) }
}
