internal import Glibc

/// A stack for signal handlers, for a thread whose own stack may overflow.
package enum SignalStack {
  private static let size = 128 << 10

  /// Its destructor frees the stack when a thread with one ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { memory in
      // SS_DISABLE
      var none = stack_t(ss_sp: nil, ss_flags: 2, ss_size: 0)
      _ = sigaltstack(&none, nil)
      if let memory { munmap(memory, SignalStack.size) }
    }
    return key
  }()

  /// Gives the calling thread such a stack, unless it has one.
  package static func give() {
    var current = stack_t()
    guard sigaltstack(nil, &current) == 0, current.ss_flags & 2 != 0 else { return }
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return }
    var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
    _ = sigaltstack(&stack, nil)
    pthread_setspecific(key, memory)
  }
}

/// The blocked signals of the calling thread.
package enum SignalMask {
  /// Unblocks signals, which the parent process or a thread pool may have blocked; otherwise the
  /// process could not be ended or stopped.
  package static func unblock(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
