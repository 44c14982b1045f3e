/// A recording that was opened: all of its steps that can be read, in memory as they are in the file.
package struct Recording: Sendable {
  package let path: String
  package let header: RecordingHeader
  private let history: StepHistory
  /// The crashes that are recorded, each with the number of the last step before it.
  package let crashes: [(after: Int, crash: RecordedCrash)]
  /// How the recording ends; `nil` where it simply stops.
  package let end: RecordingEnd?
  /// What the app was made of later on, each with the first step of which that is true.
  package let builds: [(first: Int, header: RecordingHeader)]
  /// The first line that was edited after it was written.
  package let alteration: RecordingProblem?
  /// Why the rest of the file is not read; `nil` where all of it is.
  package let problem: RecordingProblem?

  /// Opens a recording, as far as it can be read.
  ///
  /// - Parameter path: the file.
  /// - Throws: why none of it can be read.
  package init(path: String) throws(RecordingProblem) {
    let reader = try RecordingReader(path: path)
    var history = StepHistory(limit: nil)
    var builds: [(Int, RecordingHeader)] = []
    while let step = reader.next(keepsFormer: history.needsKeyframe) {
      if let build = step.build { builds.append((step.number, build)) }
      history.append(
        step.number, StepHistory.Line(step),
        keyframe: reader.former.map {
          StepHistory.Line(RecordingLine.keyframe(step: step.number - 1, $0).text)
        })
    }
    self.path = path
    header = reader.header
    self.history = history
    crashes = reader.crashes
    end = reader.end
    problem = reader.problem
    alteration = reader.alteration
    self.builds = builds
  }

  /// What the app was made of at a step.
  package func build(at step: Int) -> RecordingHeader {
    builds.last { $0.first <= step }?.header ?? header
  }

  /// The numbers of its steps; empty where there is none.
  package var numbers: Range<Int> { history.numbers }

  /// The step with a number; `nil` where there is none.
  package func step(_ number: Int) -> RecordedStep? { history.step(number) }

  /// Whether what is before a step does not follow from the step before it alone.
  package func beginsGroup(_ number: Int) -> Bool { history.beginsGroup(number) }

  /// The app after a step, or before the first; `nil` where there is no such step.
  package func moment(after number: Int) -> AppMoment? { history.moment(after: number) }
}
