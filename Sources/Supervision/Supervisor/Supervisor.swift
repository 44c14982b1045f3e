internal import Glibc
internal import PluginHost
internal import Sessions
internal import Support

/// The limits above which a worker is ended and restarted.
package struct WorkerLimits: Sendable {
  /// How long the app's thread may be blocked; `nil` for no limit.
  ///
  /// The worker ends itself then. If it can't, the supervisor kills it a second later.
  package var hang: Duration?
  /// How many bytes of memory it may use; `nil` for no limit.
  package var memory: Int?

  package init(hang: Duration? = nil, memory: Int? = nil) {
    self.hang = hang
    self.memory = memory
  }
}

/// The parent process, which runs the app in a worker and starts another worker after a crash.
///
/// Its life, in this order:
/// 1. ``start(limits:runsScript:willEnd:)`` is called before anything else. It saves the terminal's
///    settings, creates the files for the image, and forks.
/// 2. The worker returns from it and becomes the app. The supervisor loads no plugin and starts no
///    thread; it waits.
/// 3. Signals that were sent to the supervisor alone are forwarded to the worker; those that a
///    terminal sends to the whole job the worker has received itself. When the worker stops, the
///    supervisor stops with it, unless no shell would continue them.
/// 4. A blocked worker that does not end by itself is killed: after a request to end, or above the
///    limit for hangs. One that uses too much memory is killed, too.
/// 5. If the worker ends as requested, the supervisor ends in the same way. Otherwise it forks
///    again, and the next worker continues with the image. If the system grants no process, the
///    supervisor itself becomes the app, which nobody restores then.
package enum Supervisor {
  /// How many workers in a row may end before their first screen.
  private static let startLimit = 5

  /// Makes this process a supervisor; returns only in its workers, or if there can be none.
  ///
  /// If it `runsScript`, the app reads lines from its input, without a terminal. `willEnd` is called
  /// in the supervisor before it ends, however its last worker has ended.
  package static func start(
    limits: WorkerLimits = WorkerLimits(), runsScript: Bool = false, socket: SocketServer? = nil,
    willEnd: () -> Void = {}
  ) {
    guard let page = SharedCrashPage(), let first = ImageFile(inMemory: "appcore-session-1"),
      let second = ImageFile(inMemory: "appcore-session-2"),
      let input = ImageFile(inMemory: "appcore-input"), let names = IdentityFile(),
      let fork = GNUFunctions.fork
    else {
      socket?.end()
      return
    }
    let modes = runsScript ? nil : TerminalSettings()
    var watch = WorkerWatch(modes: modes, page: page, limits: limits, socket: socket)
    var ends: [WorkerCrash] = []
    var start = MonotonicTime.now()
    var lost = 0
    func becomeApp(_ socket: SocketLink? = nil) {
      Worker.current = Worker(
        ends: ends, start: start, files: (first, second), names: names,
        input: runsScript ? InputSpool(input) : nil, socket: socket)
    }
    while true {
      page.reset()
      names.clear()
      start = ends.last?.time ?? MonotonicTime.now()
      let supervisor = getpid()
      let workerEnd = socket?.connectWorker()
      let worker = fork()
      guard worker != 0 else {
        watch.release()
        socket?.release()
        endWithParent(supervisor)
        page.makeCurrent()
        becomeApp(workerEnd.flatMap { SocketLink($0) })
        return
      }
      guard worker > 0 else {
        let reason = SystemError(errno)
        ErrorLog.write(
          "appcore: no process can be started: \(reason); the app runs without a supervisor, and a "
            + "crash will end it\n", .error)
        watch.release()
        if let workerEnd { close(workerEnd) }
        socket?.end()
        if let crash = ends.last {
          file(CrashFile(after: ends, crash, hasEnded: false), page)
          becomeApp()
        }
        return
      }
      socket?.begin(worker, closing: workerEnd)
      // While the worker begins or restores the app.
      if let crash = ends.last {
        file(CrashFile(after: ends, crash, hasEnded: false), page)
      } else {
        Worker.prepareNext()
      }
      let end = watch.wait(for: worker)
      if page.stage == .ending || end.isAsked {
        socket?.end()
        willEnd()
        watch.end(as: end)
      }
      watch.modes?.restore(after: page)
      // Only the next worker reads the image; reading it here would cost memory and time.
      let hasImage = first.size > 0 || second.size > 0
      let crash = WorkerCrash(
        end, time: MonotonicTime.now(), page: page, identity: names.read(),
        retriedPlugins: names.readRetried())
      lost = page.hasShownScreen ? 0 : lost + 1
      // The worker may have crashed before the request reached it.
      let requested = watch.request.map {
        WorkerWatch.End(signal: nil, status: 128 + $0, isAsked: true)
      }
      // Without an image there is nothing to restore, and the limit ends a loop of failing
      // restarts.
      if !hasImage || lost >= startLimit || requested != nil {
        ErrorLog.write("appcore: \(crash.summary)\n", .error)
        file(CrashFile(after: ends + [crash], crash, hasEnded: true), page)
        socket?.end()
        willEnd()
        watch.end(as: requested ?? end)
      }
      socket?.didCrash(crash.summary)
      ends = RestartPolicy.remembered(ends + [crash])
    }
  }

  /// Writes a report about a worker; the next one says once if that fails.
  private static func file(_ report: @autoclosure () -> CrashFile, _ page: SharedCrashPage) {
    do throws(SystemError) { _ = try CrashFolder.current?.add(report()) } catch {
      if !hasWarned { page.filingError = error.code }
      hasWarned = true
    }
  }

  /// Whether a worker was asked to say that reports can't be written.
  private nonisolated(unsafe) static var hasWarned = false

  /// Makes the kernel send `SIGTERM` to this worker when its supervisor ends.
  private static func endWithParent(_ supervisor: pid_t) {
    _ = GNUFunctions.control(GNUFunctions.setParentDeathSignal, UInt(SIGTERM), 0)
    // The supervisor may have ended before the call.
    if getppid() != supervisor { _exit(128 + SIGTERM) }
  }
}
