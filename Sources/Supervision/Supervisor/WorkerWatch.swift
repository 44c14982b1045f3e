internal import Glibc
internal import Navigation
internal import PluginHost
internal import Sessions
internal import Support

/// Waits for a worker to end, enforces its limits, and forwards signals.
///
/// When the worker stops, the supervisor stops too, so that a shell sees them as one job.
struct WorkerWatch {
  let modes: TerminalSettings?
  private let page: SharedCrashPage
  private let limits: WorkerLimits
  /// The app's socket, whose clients are served meanwhile, and a descriptor that signals make readable.
  private let socket: SocketServer?
  private var pending: Int32 = -1
  /// The blocked signals, which are waited for.
  private var signals = sigset_t()
  private var before = sigset_t()
  /// Whether `SIGHUP` is ignored, as under `nohup`.
  private let ignoresHangUps: Bool
  /// Whether this process leads its session, so that it alone is told when the terminal hangs up.
  private let leadsSession = getsid(0) == getpid()
  /// The first signal that has asked the app to end; `nil` if none has.
  private(set) var request: Int32?
  /// When to kill a worker that has not begun to end, and the signal that asked it to end.
  private var deadline: (time: Int, signal: Int32)?
  private var hangs: HangWatch?
  /// The stops of a worker that nobody else continues: their number, and when the first one was.
  private var stops: (count: Int, since: Int) = (0, 0)
  /// How long a worker may take to begin to end after a request, in nanoseconds.
  private static let timeout = 1_500_000_000
  /// The interval of checks for hangs and deadlines.
  private static let interval = timespec(tv_sec: 0, tv_nsec: 100_000_000)
  /// The interval of checks if there is a limit for memory.
  private static let memoryInterval = timespec(tv_sec: 0, tv_nsec: 20_000_000)
  /// How often a worker that nobody else continues may stop within a second.
  private static let stopLimit = 10

  init(modes: TerminalSettings?, page: SharedCrashPage, limits: WorkerLimits, socket: SocketServer?)
  {
    self.modes = modes
    self.page = page
    self.limits = limits
    self.socket = socket
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    ignoresHangUps = ProcessSignals.effect(of: hangUp) == .ignoring
    sigfillset(&signals)
    // If SIGCHLD were ignored, as it may be by inheritance, it would not be delivered.
    signal(SIGCHLD, SIG_DFL)
    // A fault of the supervisor itself still ends it, although its signal is blocked.
    _ = sigprocmask(SIG_BLOCK, &signals, &before)
    if socket != nil { pending = GNUFunctions.openSignals(&signals) }
  }

  /// Restores the signal mask; called in a worker.
  mutating func release() {
    if pending >= 0 { close(pending) }
    _ = sigprocmask(SIG_SETMASK, &before, nil)
  }

  struct End {
    /// The signal that ended it; `nil` if it exited.
    let signal: Int32?
    /// Its exit status; `nil` if a signal ended it.
    let status: Int32?
    /// Whether a signal has requested the end.
    let isAsked: Bool
    /// How long it had been blocked, in nanoseconds; `nil` unless it was killed for that.
    var hang: Int?
    /// Why it was killed, if the signal does not say that.
    var cause: String?
  }

  mutating func wait(for worker: pid_t) -> End {
    (deadline, stops) = (nil, (0, 0))
    hangs = limits.hang.map { HangWatch(limit: $0) }
    while true {
      tellServiceManager()
      var info = siginfo_t()
      var interval = timeUntilCheck
      if let socket, pending >= 0 {
        let limit = interval.map { $0.tv_sec * 1_000_000_000 + $0.tv_nsec }
        socket.serve(until: pending, within: limit)
        interval = timespec()
      }
      let signal: Int32
      if var interval {
        signal = sigtimedwait(&signals, &info, &interval)
      } else {
        signal = sigwaitinfo(&signals, &info)
      }
      if signal == SIGCHLD {
        takeRequests(for: worker)
        if let end = look(at: worker) { return end }
      } else if signal > 0 {
        take(signal, info, for: worker)
      }
      if let end = endHang(of: worker) { return end }
      // A worker that is already ending may finish saving.
      if let limit = limits.memory, page.stage != .ending,
        Self.residentMemory(of: worker) > limit
      {
        return destroy(worker, cause: "it used more than \(Self.words(bytes: limit)) of memory")
      }
    }
  }

  /// The interval of checks; `nil` if there is nothing to check.
  private var timeUntilCheck: timespec? {
    if limits.memory != nil { return Self.memoryInterval }
    if hangs != nil || deadline != nil || ServiceManager.awaitsReadiness { return Self.interval }
    return ServiceManager.interval.map {
      timespec(tv_sec: $0 / 1000, tv_nsec: $0 % 1000 * 1_000_000)
    }
  }

  private func tellServiceManager() {
    if page.hasShownScreen { ServiceManager.tellReady() }
    if page.stage == .ending || deadline != nil { ServiceManager.tellStopping() }
    ServiceManager.tellAlive(progress: page.progress)
  }

  /// Forwards a signal that the worker has not received itself.
  ///
  /// That is one from another process. Those of a terminal go to the whole process group, except
  /// that a terminal that hangs up tells only the leader of its session.
  private mutating func take(_ signal: Int32, _ info: siginfo_t, for worker: pid_t) {
    if info.si_code <= 0 {
      let sender = info._sifields._kill.si_pid
      guard sender != worker, sender != getpid() else { return }
      kill(worker, signal)
    } else if signal == SIGHUP, leadsSession {
      kill(worker, signal)
    }
    let isRequest = signal == SIGTERM || signal == SIGHUP && !ignoresHangUps
    guard isRequest else { return }
    request = request ?? signal
    if deadline == nil { deadline = (MonotonicTime.now() + Self.timeout, signal) }
  }

  /// Takes pending requests to end, before the worker's own end is handled.
  private mutating func takeRequests(for worker: pid_t) {
    var requests = sigset_t()
    sigemptyset(&requests)
    for signal in [SIGHUP, SIGTERM] { sigaddset(&requests, signal) }
    var info = siginfo_t()
    var none = timespec()
    while case let signal = sigtimedwait(&requests, &info, &none), signal > 0 {
      take(signal, info, for: worker)
    }
  }

  /// Kills a worker that has not begun to end by its deadline, or that has hung for too long.
  private mutating func endHang(of worker: pid_t) -> End? {
    let now = MonotonicTime.now()
    if let (time, signal) = deadline, now >= time {
      deadline = nil
      // One that is leaving is saving already, and limits how long that takes.
      if page.stage != .ending, page.stage != .leaving {
        destroy(worker)
        return End(signal: nil, status: 128 + signal, isAsked: true)
      }
    }
    guard page.stage != .ending, let hang = hangs?.hang(of: page, now: now) else { return nil }
    return destroy(worker, hang: hang)
  }

  /// Kills the worker, waits for its end, and restores the terminal's settings.
  @discardableResult
  private func destroy(
    _ worker: pid_t, isAsked: Bool = false, hang: Int? = nil, cause: String? = nil
  ) -> End {
    kill(worker, SIGKILL)
    _ = ProcessEnd(waitingFor: worker)
    modes?.restore(after: page)
    return End(signal: SIGKILL, status: nil, isAsked: isAsked, hang: hang, cause: cause)
  }

  /// Handles the worker's changes of state; returns its end if it has ended.
  private mutating func look(at worker: pid_t) -> End? {
    var status: Int32 = 0
    // WNOHANG, WUNTRACED
    while waitpid(worker, &status, 1 | 2) == worker {
      if status & 0xff == 0x7f {
        if Self.isOrphaned {
          if let end = proceed(worker) { return end }
          continue
        }
        stop(with: worker)
        // A stopped worker can't make progress, so the measurement starts again.
        hangs = limits.hang.map { HangWatch(limit: $0) }
        if let (_, signal) = deadline {
          deadline = (MonotonicTime.now() + Self.timeout, signal)
        }
        continue
      }
      let signal = status & 0x7f
      guard signal != 0 else {
        return End(signal: nil, status: status >> 8 & 0xff, isAsked: false)
      }
      return End(signal: signal, status: nil, isAsked: Self.requests.contains(signal))
    }
    return nil
  }

  /// Signals that request an end; an end by one of them is no crash, such as by Ctrl-\.
  private static let requests: Set<Int32> = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

  /// Continues a worker that has stopped where no shell would, or kills it if a feature has done so.
  ///
  /// - Returns: the end of the worker; `nil` if it continues.
  private mutating func proceed(_ worker: pid_t) -> End? {
    let now = MonotonicTime.now()
    if now - stops.since > 1_000_000_000 { stops = (0, now) }
    stops.count += 1
    guard page.call.kind != .none || stops.count > Self.stopLimit else {
      page.stops += 1
      kill(worker, SIGCONT)
      return nil
    }
    return destroy(
      worker, isAsked: page.stage == .ending, hang: 0, cause: "it stopped the process")
  }

  /// Stops this process because the worker has stopped, and continues the worker afterwards.
  ///
  /// Not by the worker's signal, which would have to be unblocked: if another one came when this
  /// process continues, it would stop again, and the worker would not.
  private func stop(with worker: pid_t) {
    kill(getpid(), SIGSTOP)
    // A shell continues the whole job; a second SIGCONT would make the worker draw its screen twice.
    var change = siginfo_t()
    // WNOHANG, WCONTINUED
    guard waitid(P_PID, id_t(worker), &change, 1 | 8) != 0 || change.si_signo == 0 else { return }
    kill(worker, SIGCONT)
  }

  /// Ends this process in the way in which the worker has ended.
  func end(as end: End) -> Never {
    ServiceManager.tellStopping()
    if let signal = end.signal {
      modes?.restore(after: page)
      // No core dump of the supervisor: the worker has written one.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      _ = setrlimit(__rlimit_resource_t(4), &limit)
      ProcessSignals.end(by: signal)
      // The signal is delivered here.
      SignalMask.unblock([signal])
      _exit(128 + signal)
    }
    // The worker has restored the settings, unless its code has closed the terminal.
    if let modes, !modes.areInEffect { modes.restore(after: page) }
    _exit(end.status ?? 0)
  }
}

/// Detects from outside that a worker hangs.
///
/// A worker whose app has been blocked for as long as the limit ends itself, and names the culprit.
/// This is for workers that can't, for example because their memory is damaged.
struct HangWatch {
  /// How much later than the worker itself a hang is detected, in nanoseconds.
  private static let grace = 1_000_000_000
  private let limit: Int
  private var progress: (value: Int, since: Int)?
  private var looks: (value: UInt, since: Int)?

  init(limit: Duration) {
    self.limit = limit.nanoseconds + Self.grace
  }

  /// How long a worker has hung, in nanoseconds; `nil` if it is within the limit.
  ///
  /// Must be called regularly: the worker's watch thread counts its checks and the progress of the
  /// app's thread in the page.
  mutating func hang(of page: SharedCrashPage, now: Int) -> Int? {
    if progress?.value != page.progress { progress = (page.progress, now) }
    if looks?.value != page.looks { looks = (page.looks, now) }
    guard let progress, let looks else { return nil }
    // Either the app's thread is on one piece of work, or the watch thread itself does not run.
    if progress.value % 2 != 0, now - progress.since >= limit { return now - progress.since }
    if looks.value != 0, now - looks.since >= limit + Self.grace { return now - looks.since }
    return nil
  }
}

// What the system tells of this process's group and of the worker.
extension WorkerWatch {
  /// The worker's resident memory in bytes; 0 if it can't be read.
  ///
  /// A limit of the address space would not work, because the app's thread reserves 1 GiB of it for
  /// its stack.
  static func residentMemory(of worker: pid_t) -> Int {
    // The first field is the total size in pages, the second the resident size.
    let fields = (try? WholeFile.read("/proc/\(worker)/statm"))?.split(separator: 0x20) ?? []
    guard fields.count > 1 else { return 0 }
    return fields[1].reduce(0) { $0 &* 10 &+ Int($1) &- 48 } &* sysconf(Int32(_SC_PAGESIZE))
  }

  /// A number of bytes in its largest integral unit, such as `300 MiB`.
  private static func words(bytes: Int) -> String {
    for (name, bits) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes % (1 << bits) == 0 {
      return "\(bytes >> bits) \(name)"
    }
    return "\(bytes) bytes"
  }

  /// Whether nobody would continue this process's group if it stopped: it has no parent in its session.
  ///
  /// That is POSIX's orphaned process group, in which the kernel ignores SIGTSTP for that reason.
  private static var isOrphaned: Bool {
    let group = getpgrp()
    var parent = getppid()
    // The group's first process may be an ancestor, such as a script that runs the app.
    while parent > 0, getpgid(parent) == group {
      guard let next = Self.parent(of: parent) else { return true }
      parent = next
    }
    // 0 is outside of the container.
    return parent == 0 || getsid(parent) != getsid(0)
  }

  private static func parent(of process: pid_t) -> pid_t? {
    guard let stat = try? WholeFile.read("/proc/\(process)/stat") else { return nil }
    // Behind the name, which may contain anything: the state, then the parent.
    let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    return fields?.dropFirst().first.flatMap { pid_t($0) }
  }
}
