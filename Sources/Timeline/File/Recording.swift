/// A recording that was opened: all of its steps that can be read, in memory as they are in the file.
package struct Recording: Sendable {
  package let path: String
  package let header: RecordingHeader
  private let history: StepHistory
  /// The crashes that are recorded, each with the number of the last step before it.
  package let crashes: [(after: Int, crash: RecordedCrash)]
  /// How the recording ends; `nil` where it simply stops.
  package let end: RecordingEnd?
  /// Why the rest of the file is not read; `nil` where all of it is.
  package let problem: RecordingProblem?

  /// Opens a recording, as far as it can be read.
  ///
  /// - Parameter path: the file.
  /// - Throws: why none of it can be read.
  package init(path: String) throws(RecordingProblem) {
    let reader = try RecordingReader(path: path)
    var history = StepHistory(limit: nil)
    while let step = reader.next(keepsFormer: history.needsKeyframe) {
      history.append(
        step.number, StepHistory.Line(RecordingLine.step(step).text),
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
