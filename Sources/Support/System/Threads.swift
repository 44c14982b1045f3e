internal import Glibc

/// Threads for what must not wait for Swift's thread pool.
package enum DetachedThread {
  /// The body of a new thread, as an object that a C pointer can refer to.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread, which ends with its body, or with the process.
  ///
  /// - Returns: the error number if the system grants no thread; otherwise `nil`.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32? {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body))
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      return status
    }
    pthread_detach(thread)
    return nil
  }
}

/// A value protected by a lock, for code that must not suspend while `dlopen` runs.
///
/// Not `Mutex`: its module is one more library to load at every start.
package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

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
