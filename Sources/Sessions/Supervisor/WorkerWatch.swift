internal import Glibc
internal import Navigation
internal import Support

/// Waits for a worker, and keeps it and its supervisor one job in the eyes of a shell.
struct WorkerWatch {
  let modes: SavedModes?
  private let page: WorkerPage
  private let limits: WorkerLimits
  /// The signals that are waited for instead of being handled.
  private var signals = sigset_t()
  private var before = sigset_t()
  /// Whether a terminal that hangs up changes nothing, as `nohup` asks for.
  private let ignoresHangUps: Bool
  /// The signals that somebody has sent to the supervisor and that were handed on.
  private var handedOn: Set<Int32> = []
  /// When the worker is killed unless it has begun to end, and the signal that asked it to.
  private var deadline: (time: Int, signal: Int32)?
  private var hangs: HangWatch?
  private var memory: MemoryWatch?

  /// How long a worker may take to begin to end, in nanoseconds.
  private static let patience = 1_500_000_000
  /// How often it is looked whether a worker answers.
  private static let interval = timespec(tv_sec: 0, tv_nsec: 100_000_000)
  /// The same where it is looked how much memory it uses.
  private static let memoryInterval = timespec(tv_sec: 0, tv_nsec: 20_000_000)

  init(modes: SavedModes?, page: WorkerPage, limits: WorkerLimits) {
    self.modes = modes
    self.page = page
    self.limits = limits
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    ignoresHangUps = unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self) == 1
    sigfillset(&signals)
    // One that ignores its children's end would never hear of it.
    signal(SIGCHLD, SIG_DFL)
    // A fault of the supervisor's own ends it all the same.
    _ = sigprocmask(SIG_BLOCK, &signals, &before)
  }

  /// Lets signals in again, in a worker.
  mutating func release() { _ = sigprocmask(SIG_SETMASK, &before, nil) }

  /// How a worker has ended.
  struct End {
    /// The signal that ended it; `nil` where it ended itself.
    let signal: Int32?
    let status: Int32?
    /// Whether somebody has asked for it.
    let isAsked: Bool
    /// For how long it had not answered, in nanoseconds, where it was killed for that.
    var hang: Int?
    /// How many bytes it might use, where it was killed for using more.
    var memoryLimit: Int?
  }

  /// Waits until the worker has ended.
  mutating func wait(for worker: pid_t) -> End {
    (handedOn, deadline) = ([], nil)
    hangs = limits.hang.map { HangWatch(limit: $0) }
    memory = limits.memory.map { MemoryWatch(limit: $0, of: worker) }
    while true {
      var info = siginfo_t()
      var interval = memory == nil ? Self.interval : Self.memoryInterval
      let isLimited = hangs != nil || deadline != nil || memory != nil
      let signal =
        isLimited
        ? sigtimedwait(&signals, &info, &interval) : sigwaitinfo(&signals, &info)
      if signal == SIGCHLD {
        if let end = look(at: worker) { return end }
      } else if signal > 0 {
        take(signal, info, for: worker)
      }
      if let end = endHang(of: worker) { return end }
      // One that ends is left to save what it has.
      if let memory, page.stage != .ending, memory.isExceeded {
        destroy(worker)
        return End(signal: SIGKILL, status: nil, isAsked: false, memoryLimit: memory.limit)
      }
    }
  }

  /// What the terminal sends, it sends to the worker too; what others send is handed on.
  private mutating func take(_ signal: Int32, _ info: siginfo_t, for worker: pid_t) {
    if info.si_code <= 0 {
      let sender = info._sifields._kill.si_pid
      guard sender != worker, sender != getpid() else { return }
      handedOn.insert(signal)
      kill(worker, signal)
    }
    let isRequest = signal == SIGTERM || signal == SIGHUP && !ignoresHangUps
    if isRequest, deadline == nil {
      deadline = (MonotonicTime.now() + Self.patience, signal)
    }
  }

  /// Kills a worker that does not answer, when it is time to.
  private mutating func endHang(of worker: pid_t) -> End? {
    let now = MonotonicTime.now()
    if let (time, signal) = deadline, now >= time {
      deadline = nil
      if page.stage != .ending {
        destroy(worker)
        return End(signal: nil, status: 128 + signal, isAsked: true)
      }
    }
    guard page.stage != .ending, let hang = hangs?.hang(of: page, now: now) else { return nil }
    destroy(worker)
    return End(signal: SIGKILL, status: nil, isAsked: false, hang: hang)
  }

  private func destroy(_ worker: pid_t) {
    kill(worker, SIGKILL)
    var status: Int32 = 0
    while waitpid(worker, &status, 0) < 0, errno == EINTR {}
    modes?.restore()
  }

  /// Looks what has become of the worker.
  private mutating func look(at worker: pid_t) -> End? {
    var status: Int32 = 0
    // WNOHANG, WUNTRACED
    while waitpid(worker, &status, 1 | 2) == worker {
      if status & 0xff == 0x7f {
        stop(by: status >> 8 & 0xff, worker)
        // It could not answer meanwhile.
        hangs = limits.hang.map { HangWatch(limit: $0) }
        if let (_, signal) = deadline {
          deadline = (MonotonicTime.now() + Self.patience, signal)
        }
        continue
      }
      let signal = status & 0x7f
      guard signal != 0 else {
        return End(signal: nil, status: status >> 8 & 0xff, isAsked: false)
      }
      return End(
        signal: signal, status: nil,
        isAsked: handedOn.contains(signal) || Self.requests.contains(signal))
    }
    return nil
  }

  /// Signals by which a process is asked to end: of its own accord, too, as Ctrl-\ does.
  private static let requests: Set<Int32> = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE]

  /// Stops as the worker has been stopped; when this process continues, the worker does.
  private func stop(by signal: Int32, _ worker: pid_t) {
    raise(signal)
    kill(worker, SIGCONT)
  }

  /// Ends the supervisor as the worker has ended.
  func end(as end: End) -> Never {
    if let signal = end.signal {
      modes?.restore()
      // One memory image of a crash is enough, and it is the worker's.
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      _ = setrlimit(__rlimit_resource_t(4), &limit)
      raise(signal)
      _exit(128 + signal)
    }
    _exit(end.status ?? 0)
  }

  /// Has a signal do to this process what it does by itself.
  private func raise(_ signal: Int32) {
    var action = sigaction()
    sigemptyset(&action.sa_mask)
    _ = sigaction(signal, &action, nil)
    _ = kill(getpid(), signal)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, signal)
    // It comes now.
    _ = sigprocmask(SIG_UNBLOCK, &one, nil)
    _ = sigprocmask(SIG_BLOCK, &one, nil)
  }
}

/// Finds out from outside whether a worker answers: one whose memory is damaged can't tell.
///
/// A worker ends by itself when its app has not answered for as long as the limit says, and names who
/// it was. What is found here is what does not manage even that.
struct HangWatch {
  /// How much later than the worker itself, in nanoseconds.
  private static let grace = 1_000_000_000

  private let limit: Int
  private var progress: (value: Int, since: Int)?
  private var looks: (value: UInt, since: Int)?

  init(limit: Duration) {
    let (seconds, attoseconds) = limit.components
    self.limit = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000) + Self.grace
  }

  /// For how long a worker has not answered.
  ///
  /// - Parameters:
  ///   - page: where the worker's watch thread notes what it has seen.
  ///   - now: the time, in nanoseconds.
  /// - Returns: how long, in nanoseconds; `nil` where it still may answer.
  mutating func hang(of page: WorkerPage, now: Int) -> Int? {
    if progress?.value != page.progress { progress = (page.progress, now) }
    if looks?.value != page.looks { looks = (page.looks, now) }
    guard let progress, let looks else { return nil }
    // The app's thread is at one piece of work, or the thread that watches it does not look any more.
    if progress.value % 2 != 0, now - progress.since >= limit { return now - progress.since }
    if looks.value != 0, now - looks.since >= limit + Self.grace { return now - looks.since }
    return nil
  }
}
