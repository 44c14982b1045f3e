internal import Glibc
internal import Support

/// One run of scans: one process for all plugins, and a new one whenever a plugin has ended it.
///
/// Requests are sent ahead; the process handles them one after the other. If it ends, hangs or
/// prints too much, the current plugin is the cause if it was the first of that process. Otherwise
/// an earlier one may have left something behind, such as a thread, and the current plugin is
/// scanned again as the first of a new process. So no plugin is blamed for what another one does.
final class ScanSession {
  /// The outcome of a plugin's scan.
  enum Outcome {
    /// Its encoded description of itself.
    case answer([UInt8])
    /// The dynamic loader can't load it.
    case notLoaded(LoaderRefusal)
    /// It can't be scanned, perhaps only this time.
    case failed(Rejection)
    /// The plugin itself is the cause, and would fail again.
    case quarantined(Rejection)
  }

  private let process: ScanProcess
  private let form: String
  private var child: ScanChild?
  private var plugins: [PreparedPlugin] = []
  private(set) var outcomes: [Outcome?] = []
  /// The first plugin without an outcome, which the child is scanning or will scan next.
  private var current = 0
  /// The plugin that the child scanned first.
  private var first = 0
  private var hasHello = false
  private var step = ScanStep.load
  private var deadline: Int64 = .max
  /// How often the current plugin took too long.
  private var timeouts = 0

  init(_ process: ScanProcess, form: String) {
    self.process = process
    self.form = form
  }

  /// Requests the scan of a plugin; its outcome is known after ``finish()``.
  ///
  /// - Returns: its index in ``outcomes``.
  func submit(_ plugin: PreparedPlugin) -> Int {
    plugins.append(plugin)
    outcomes.append(nil)
    let index = plugins.count - 1
    if let child {
      child.send(ScanRequest(number: UInt64(index), plugin: plugin))
    } else {
      start()
    }
    return index
  }

  /// Waits until every plugin has its outcome.
  func finish() {
    while current < plugins.count {
      guard let child else {
        start()
        continue
      }
      child.wait(milliseconds: max(0, min(deadline - Self.now(), 50)))
      // In this order: when its last frame is read, all that it printed before can be read.
      let hasEnded = child.hasEnded
      child.readFrames()
      do throws(ScanFrame.Malformed) {
        while self.child === child, let frame = try child.nextFrame() { take(frame, of: child) }
      } catch {
        stop(child) { _, _ in .failed(.scanOutput(error.reason)) }
        continue
      }
      guard current < plugins.count, self.child === child else { continue }
      child.readOutput()
      if child.isFlooded {
        stop(child) { [limit = process.limits.output, step] _, tail in
          .quarantined(.scanFlood(limit: limit, step, errorTail: tail))
        }
      } else if hasEnded {
        stop(child, ended)
      } else if Self.now() >= deadline {
        if hasHello { timeOut(child) } else { stop(child, ended) }
      }
    }
    child = nil
  }

  private func start() {
    do throws(Rejection) {
      let child = try ScanChild(process)
      self.child = child
      first = current
      hasHello = false
      step = .load
      deadline = Self.now() + Self.milliseconds(process.limits.start)
      for index in current..<plugins.count {
        child.send(ScanRequest(number: UInt64(index), plugin: plugins[index]))
      }
    } catch {
      fail(error)
    }
  }

  /// No plugin can be scanned: all without an outcome fail.
  private func fail(_ cause: Rejection) {
    while current < plugins.count { settle(.failed(cause)) }
  }

  private func take(_ frame: ScanFrame, of child: ScanChild) {
    switch frame {
    case .hello(let form):
      guard form == self.form else {
        self.child = nil
        let reason = "it speaks the form '\(form)' instead of '\(self.form)'"
        return fail(
          .scannerUnfit(executable: process.executable, reason: reason, errorTail: ""))
      }
      hasHello = true
      deadline = Self.now() + Self.milliseconds(process.limits.time)
    case .step(let index, let step) where index == current:
      self.step = step
      if step == .load { deadline = Self.now() + Self.milliseconds(process.limits.time) }
    case .answer(let index, let bytes) where index == current:
      if let limit = process.limits.data, let use = child.excessiveMemory {
        return stop(child) { [step] _, tail in
          .quarantined(.scanMemory(use, limit: limit, step, errorTail: tail))
        }
      }
      finish(.answer(bytes), of: child)
    case .notLoaded(let index, let refusal) where index == current:
      finish(.notLoaded(refusal), of: child)
    case .refused(let index, let why) where index == current:
      finish(.quarantined(.registration(why)), of: child)
    default: break
    }
  }

  private func finish(_ outcome: Outcome, of child: ScanChild) {
    settle(outcome)
    step = .load
    // Some of its output may still arrive, and then counts as the next plugin's. If that one fails
    // it is scanned again, in a process of its own.
    child.forgetOutput()
    deadline = Self.now() + Self.milliseconds(process.limits.time)
  }

  /// Ends a process that can't continue; the current plugin was the cause if it was the first.
  private func stop(
    _ child: ScanChild, _ outcome: (ProcessEnd, _ errorTail: String) -> Outcome
  ) {
    let status = child.end()
    let outcome = outcome(status, child.errorTail)
    self.child = nil
    // It has not even sent its format, so no plugin was the cause.
    if !hasHello, case .failed(let cause) = outcome, cause.rule == .scanNotStarted {
      return fail(cause)
    }
    if current == first { settle(outcome) }
  }

  private func settle(_ outcome: Outcome) {
    outcomes[current] = outcome
    current += 1
    timeouts = 0
  }

  /// Quarantines a plugin that took too long twice, the second time as the first of a process: the
  /// first time the machine may have been busy.
  private func timeOut(_ child: ScanChild) {
    timeouts += 1
    guard current == first, timeouts > 1 else {
      self.child = nil
      return
    }
    stop(child) { [time = process.limits.time, step] _, tail in
      .quarantined(.scanTimeout(time, step, errorTail: tail))
    }
  }

  private func ended(_ status: ProcessEnd, _ errorTail: String) -> Outcome {
    guard hasHello else {
      let reason =
        switch status {
        case .status(let status): "it ended with status \(status) before it began"
        case .signal(let signal): "signal \(signal) ended it before it began"
        case .lost: "its end was not reported"
        }
      return .failed(
        .scannerUnfit(executable: process.executable, reason: reason, errorTail: errorTail))
    }
    switch status {
    case .status(let status):
      return .quarantined(.scanStatus(status, step, errorTail: errorTail))
    case .signal(let signal):
      // Other signals may come from outside: the system sends SIGKILL when memory is scarce.
      let isFault = Self.faults.contains(signal)
      let cause = Rejection.scanSignal(signal, step, errorTail: errorTail, isFault: isFault)
      return isFault ? .quarantined(cause) : .failed(cause)
    case .lost(let error):
      return .failed(.scanNotStarted(executable: process.executable, error: error))
    }
  }

  /// The signals that code causes in its own process.
  private static let faults: Set<Int32> = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
  ]

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func milliseconds(_ time: Duration) -> Int64 {
    let (seconds, rest) = time.components
    return max(0, min(seconds, 86_400)) * 1000 + rest / 1_000_000_000_000_000
  }
}
