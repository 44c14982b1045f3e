extension PluginProblem {
  /// A cause on its way to the place that knows the path.
  struct CauseError: Error {
    let cause: Cause

    init(_ cause: Cause) { self.cause = cause }
  }
}
