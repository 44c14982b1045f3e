internal import Glibc

/// Waits for a worker, and keeps it and its supervisor one job in the eyes of a shell.
struct WorkerWatch {
  let modes: SavedModes?
  /// The signals that are waited for instead of being handled.
  private var signals = sigset_t()
  private var before = sigset_t()
  /// The signals that somebody has sent to the supervisor and that were handed on.
  private var handedOn: Set<Int32> = []

  init(modes: SavedModes?) {
    self.modes = modes
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
  }

  /// Waits until the worker has ended.
  mutating func wait(for worker: pid_t) -> End {
    handedOn = []
    while true {
      var info = siginfo_t()
      let signal = sigwaitinfo(&signals, &info)
      guard signal > 0 else { continue }
      if signal == SIGCHLD {
        if let end = look(at: worker) { return end }
      } else if info.si_code <= 0, info._sifields._kill.si_pid != worker,
        info._sifields._kill.si_pid != getpid()
      {
        // What the terminal sends, it sends to the worker too.
        handedOn.insert(signal)
        kill(worker, signal)
      }
    }
  }

  /// Looks what has become of the worker.
  private mutating func look(at worker: pid_t) -> End? {
    var status: Int32 = 0
    // WNOHANG, WUNTRACED
    while waitpid(worker, &status, 1 | 2) == worker {
      if status & 0xff == 0x7f {
        stop(by: status >> 8 & 0xff, worker)
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

  /// Stops as the worker has been stopped; when this process goes on, the worker does.
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
