@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// The thread that reports crashes, and checks whether apps still respond.
package final class WatchThread: Sendable {
  package static let shared = WatchThread()

  private struct Content {
    var isStarted = false
    var apps: [UInt32: Watchdog] = [:]
    var questions: [Question] = []
  }
  private let content = Mutex(Content())

  /// Starts the thread; further calls do nothing and return `nil`.
  ///
  /// - Returns: the error number if the thread can't be created; otherwise `nil`.
  @discardableResult
  package func start() -> Int32? {
    let isFirst = content.withLock { content in
      defer { content.isStarted = true }
      return !content.isStarted
    }
    guard isFirst else { return nil }
    SnapshotHandoff.prepare()
    var thread = pthread_t()
    // Detached: it ends with the process.
    let status = pthread_create(
      &thread, nil,
      { _ in
        WatchThread.shared.run()
        return nil
      }, nil)
    guard status == 0 else { return status }
    pthread_detach(thread)
    return nil
  }

  /// Adds the watchdog of an app, and replaces the app's former one.
  package func add(_ watchdog: Watchdog) {
    content.withLock { $0.apps[watchdog.app] = watchdog }
    // Wakes the thread, which may be waiting for a longer interval than this watchdog's.
    sem_post(SnapshotHandoff.requested)
  }

  /// Removes the watchdog of an app.
  package func remove(app: UInt32) {
    content.withLock { $0.apps[app] = nil }
    if app == 1 { SharedCrashPage.current?.progress = 0 }
  }

  /// The watchdog of an app; `nil` if there is none.
  package func watchdog(ofApp app: UInt32) -> Watchdog? { content.withLock { $0.apps[app] } }

  /// Ends the process if the app is still busy with this piece of work; see ``Watchdog/end(_:)``.
  package func end(_ hang: Int, ofApp app: UInt32) {
    watchdog(ofApp: app)?.end(hang)
    sem_post(SnapshotHandoff.requested)
  }

  /// The code that keeps an app busy, in words; `nil` if it is unknown.
  ///
  /// Blocks the calling thread, which must not be the watch thread, for at most 0.5 s.
  package func culprit(ofApp app: UInt32) -> String? {
    let question = Question(app: app)
    content.withLock { $0.questions.append(question) }
    sem_post(SnapshotHandoff.requested)
    for _ in 0..<50 {
      if let answer = question.answer.withLock({ $0 }) { return answer }
      usleep(10_000)
    }
    return nil
  }

  /// A request to the watch thread for the code that keeps an app busy.
  private final class Question: Sendable {
    let app: UInt32
    /// The code in words, or `nil` if it is unknown; the outer optional is `nil` until the answer.
    let answer = Mutex<String??>(nil)

    init(app: UInt32) { self.app = app }
  }

  /// Reports the end of an app's hang before the app ends; see ``Watchdog/conclude()``.
  package func conclude(app: UInt32) { content.withLock { $0.apps[app] }?.conclude() }

  private func run() {
    SnapshotHandoff.watchThread.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    // Other threads handle the signals to the process. The signal with which a backtracer stops all
    // threads is not blocked.
    var others = sigset_t()
    sigemptyset(&others)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT, SIGURG] {
      sigaddset(&others, signal)
    }
    pthread_sigmask(SIG_BLOCK, &others, nil)
    var looks: UInt = 0
    while true {
      StartGuard.look()
      let apps = content.withLock { Array($0.apps.values) }
      if waitForSnapshot(milliseconds: apps.map(\.interval).min()) { reportEnd() }
      OwnDescriptors.endIfClosed()
      for app in apps { app.look() }
      answerQuestions()
      looks &+= 1
      SharedCrashPage.current?.looks = looks
    }
  }

  private func answerQuestions() {
    let questions = content.withLock { content in
      defer { content.questions = [] }
      return content.questions
    }
    for question in questions {
      let culprit = Watchdog.culprit(ofApp: question.app)
      question.answer.withLock { $0 = .some(culprit) }
    }
  }

  /// Waits until the thread is woken.
  ///
  /// - Parameter milliseconds: the longest wait; `nil` if there is no app to check.
  /// - Returns: `false` if the wait timed out.
  private func waitForSnapshot(milliseconds: Int?) -> Bool {
    guard let milliseconds else {
      // Without apps, only `StartGuard` needs regular checks.
      return SnapshotHandoff.wait(for: SnapshotHandoff.requested, seconds: 1)
    }
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_nsec += (milliseconds % 1000) * 1_000_000
    end.tv_sec += milliseconds / 1000 + end.tv_nsec / 1_000_000_000
    end.tv_nsec %= 1_000_000_000
    return sem_timedwait(SnapshotHandoff.requested, &end) == 0
  }

  /// Reports a crash, if that is why the thread was woken.
  private func reportEnd() {
    // A new watchdog, a question or a late answer to a probe wakes the thread too.
    guard SnapshotHandoff.isEnding else { return }
    if let page = SharedCrashPage.current, page.stage != .ending {
      // What was closed makes libraries crash in which no feature has a part.
      if let cause = OwnDescriptors.lost, SnapshotHandoff.slot.pointee.culprit == nil {
        (WatchedThreads.latest ?? ThreadSnapshot())
          .writeReport(on: page, cause: cause, blamesLast: true)
        sem_post(SnapshotHandoff.handled)
        return
      }
      SnapshotHandoff.slot.pointee.writeReport(on: page)
      sem_post(SnapshotHandoff.handled)
      return
    }
    PluginOutput.drain()
    SnapshotHandoff.slot.pointee.reportEnd(
      by: strsignal(SnapshotHandoff.slot.pointee.signal).map { String(cString: $0) }
        ?? "a signal"
    )
    sem_post(SnapshotHandoff.handled)
  }
}

extension ThreadSnapshot {
  /// Writes the process's last line to standard error: whose code has ended the process, and why.
  ///
  /// If no feature is running and `blamesLast` is `true`, it names the one that was called last.
  func reportEnd(by cause: String, blamesLast: Bool = false) {
    var report = report(cause: cause, blamesLast: blamesLast)
    // Lines are printed before listeners are called: a listener may take long or never return.
    guard let culprit = culprit ?? (blamesLast ? lastOwner : nil) else {
      Self.write("appcore: ended by \(cause); \(Self.unattributed)\n")
      return notifyListeners(report)
    }
    if let place {
      Self.write(
        "appcore: `llvm-symbolizer --obj=\(shellWord(place.path)) 0x\(String(place.offset, radix: 16))` "
          + "shows the line of the source\n")
    }
    // The action is printed separately: describing it runs the feature's code, which may crash.
    Self.write("appcore: ended by \(culprit): \(cause)")
    notifyListeners(report)
    if record.kind == .action, let address = record.action {
      Self.write(", at the action \(SafeText.line(AnyAction(at: address).text))")
      if addAction(to: &report) { notifyListeners(report) }
    }
    Self.write("\n")
  }

  /// The reason why no plugin is named.
  private static var unattributed: String {
    let descriptor = dup(STDERR_FILENO)
    if descriptor < 0, errno == EMFILE || errno == ENFILE {
      return "unattributed: the process has no descriptors left; 'ulimit -n' raises their number"
    }
    close(descriptor)
    return "unattributed: the thread ran no plugin's code that is known"
  }

  private static func write(_ text: String) {
    try? OutputWriter(descriptor: STDERR_FILENO, content: .text).write(text)
  }
}
