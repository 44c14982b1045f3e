/// Reports progress at a bounded rate, and checks for cancellation.
struct ProgressReporter: Sendable {
  private let report: @Sendable (LoadProgress) -> Void

  init(_ report: @escaping @Sendable (LoadProgress) -> Void = { _ in }) { self.report = report }

  /// Begins a stage of `total` bytes.
  func meter(_ stage: LoadProgress.Stage, total: Int) -> Meter {
    Meter(reporter: self, stage: stage, total: total)
  }

  /// Measures the progress of one stage.
  struct Meter {
    /// The maximum number of bytes between two checks for cancellation.
    private static let cancellationStep = 4 << 20

    private let reporter: ProgressReporter
    private let stage: LoadProgress.Stage
    private let total: Int
    private let step: Int
    private var nextReport: Int
    private var nextLook = cancellationStep

    fileprivate init(reporter: ProgressReporter, stage: LoadProgress.Stage, total: Int) {
      self.reporter = reporter
      self.stage = stage
      self.total = total
      let most = LoadProgress.reportsPerStage
      step = max((total + most - 1) / most, 1)
      nextReport = min(step, total)
    }

    /// Updates the number of bytes that are done, and reports it if a report is due.
    ///
    /// - Returns: `false` if the task was found to be cancelled.
    mutating func advance(to done: Int) -> Bool {
      if done >= nextLook {
        nextLook = done + Self.cancellationStep
        if Task.isCancelled { return false }
      }
      // A file that grows while it is read exceeds its total, which is reported only once.
      guard done >= nextReport, nextReport <= total else { return true }
      let told = min(done, total)
      nextReport = told == total ? .max : min(told + step, total)
      reporter.report(LoadProgress(stage: stage, bytesDone: told, bytesTotal: total))
      return !Task.isCancelled
    }
  }
}
