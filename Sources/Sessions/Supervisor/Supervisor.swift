internal import Glibc
internal import Navigation
internal import PluginHost
internal import Support

/// What a worker is ended for.
package struct WorkerLimits: Sendable {
  /// After how long one is ended that does not answer, which it does by itself where it still can.
  package var hang: Duration?
  /// How many bytes of memory it may use.
  package var memory: Int?

  package init(hang: Duration? = nil, memory: Int? = nil) {
    self.hang = hang
    self.memory = memory
  }
}

/// The process that a person has started: it runs the app in a worker, and starts another one when
/// that has crashed.
///
/// Its life, in this order:
/// 1. ``start()`` is called before anything else is done. It keeps the terminal's settings, makes
///    the files for the image, and forks.
/// 2. The worker returns from it and becomes the app. The supervisor loads no plugin and starts no
///    thread; it waits.
/// 3. A signal that was sent to the supervisor alone is handed on; one that a terminal sends to the
///    whole job the worker has got itself. When the worker stops, the supervisor stops with it.
/// 4. A worker that does not answer any more, and does not end by itself, is killed: when it was asked
///    to end, and when there is a limit for how long it may hang.
/// 5. When the worker ends as it was asked to, the supervisor ends in the same way. When it was not
///    asked to, it forks again, and the next worker continues with the image.
package enum Supervisor {
  /// How many workers may end one after the other before their first screen.
  private static let startLimit = 5

  /// Becomes a supervisor; returns in each worker, and where there can be no workers.
  ///
  /// - Parameters:
  ///   - limits: what a worker is ended for.
  ///   - runsScript: whether lines are read and no terminal is used.
  ///   - willEnd: is called in the supervisor before it ends, however its last worker has ended.
  package static func start(
    limits: WorkerLimits = WorkerLimits(), runsScript: Bool = false, willEnd: () -> Void = {}
  ) {
    guard let page = WorkerPage(), let first = ImageFile(inMemory: "appcore-session-1"),
      let second = ImageFile(inMemory: "appcore-session-2"),
      let input = ImageFile(inMemory: "appcore-input"), let names = IdentityFile()
    else { return }
    let modes = runsScript ? nil : SavedModes()
    var watch = WorkerWatch(modes: modes, page: page, limits: limits)
    var ends: [WorkerEnd] = []
    var lost = 0
    while true {
      page.reset()
      names.clear()
      let start = ends.last?.time ?? MonotonicTime.now()
      let supervisor = getpid()
      guard let fork = Kernel.fork else { return }
      let worker = fork()
      guard worker != 0 else {
        watch.release()
        endWithParent(supervisor)
        page.become()
        Worker.current = Worker(
          ends: ends, start: start, files: (first, second), names: names,
          input: runsScript ? InputSpool(input) : nil)
        return
      }
      guard worker > 0 else {
        watch.release()
        return
      }
      let end = watch.wait(for: worker)
      if page.stage == .ending || end.isAsked {
        willEnd()
        watch.end(as: end)
      }
      watch.modes?.restore()
      // The image itself is for the next worker to read: here it would only take memory and time.
      let hasImage = !first.isEmpty || !second.isEmpty
      let crash = WorkerEnd(
        end, time: MonotonicTime.now(), page: page, identity: names.read())
      lost = page.stage == .running ? 0 : lost + 1
      // An app that has shown nothing can't continue, and neither can one that never comes back.
      if !hasImage || lost >= startLimit {
        tell(CrashText.line(of: crash))
        willEnd()
        watch.end(as: end)
      }
      ends.append(crash)
    }
  }

  private static func tell(_ line: String) {
    // Nobody is left to be told that this can't be written.
    try? OutputWriter(descriptor: STDERR_FILENO, content: .text).write("appcore: \(line)\n")
  }

  /// Has the worker ended, as if it was asked to, when its supervisor has gone.
  private static func endWithParent(_ supervisor: pid_t) {
    _ = Kernel.control(Kernel.setParentDeathSignal, UInt(SIGTERM), 0)
    // It may have gone before.
    if getppid() != supervisor { _exit(128 + SIGTERM) }
  }
}
