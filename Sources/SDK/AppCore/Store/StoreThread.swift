internal import Glibc
internal import Synchronization

/// A store's dedicated thread, with a stack large enough for deep states.
///
/// Destroying nested boxes or `indirect` actions is recursion that the compiler generates, so the
/// depth of a state is bounded by the stack of the thread that releases it. The stack's memory is
/// reserved, and used only as far as it is touched.
@_spi(Host)
public final class StoreThread: SerialExecutor {
  /// 1 GiB, or an eighth of the process's memory limit if that is less: other threads need some
  /// too.
  public static var defaultStackSize: Int {
    var limit = rlimit()
    guard getrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0 else { return 1 << 30 }
    return Int(min(limit.rlim_cur / 8, 1 << 30))
  }

  private let queue: JobQueue

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: at most 15 bytes of it are shown by the system's tools.
  ///   - stackSize: in bytes; halved until the system grants it.
  public init(name: String, stackSize: Int = StoreThread.defaultStackSize) {
    queue = JobQueue(name: name)
    queue.start(stackSize: stackSize)
  }

  deinit { queue.stop() }

  /// Counts each beginning and end of a job: odd while a job is running.
  public var progress: Int { queue.progress.load(ordering: .relaxed) }

  public func enqueue(_ job: consuming ExecutorJob) {
    queue.append(.job(UnownedJob(job), of: self))
  }

  /// Runs `work` on the thread, after the jobs that are enqueued.
  public func perform(_ work: @escaping @Sendable () -> Void) { queue.append(.work(work)) }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  public func checkIsolated() {
    precondition(queue.isCurrent, "this runs on another thread than its store's")
  }

  public func isIsolatingCurrentContext() -> Bool? { queue.isCurrent }
}

/// The queue of jobs for the thread.
///
/// The thread retains the queue, not the executor.
private final class JobQueue: @unchecked Sendable {
  // Unchecked: `jobs` and `isStopped` are guarded by `mutex`, `thread` is set before it is read.
  enum Entry {
    /// The executor is kept alive while its job waits and runs.
    case job(UnownedJob, of: StoreThread)
    case work(@Sendable () -> Void)
  }
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [Entry] = []
  private var isStopped = false
  private var thread = pthread_t()
  private let name: String
  let progress = Atomic<Int>(0)

  init(name: String) {
    self.name = name
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

  func start(stackSize: Int) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var size = stackSize
    // Held until the thread has seen `thread` set.
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      pthread_attr_setstacksize(&attributes, size)
      let context = Unmanaged.passRetained(self)
      let status = pthread_create(
        &thread, &attributes,
        { context in
          guard let context else { return nil }
          Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().run()
          return nil
        }, context.toOpaque())
      if status == 0 { break }
      context.release()
      size /= 2
      precondition(size > 1 << 16, "no thread for the store: \(String(cString: strerror(status)))")
    }
  }

  func append(_ entry: Entry) {
    pthread_mutex_lock(mutex)
    jobs.append(entry)
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  func stop() {
    pthread_mutex_lock(mutex)
    isStopped = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Sets the thread's name; it only helps people who inspect the process, so a failure is ignored.
  private func setName() {
    guard let file = fopen("/proc/thread-self/comm", "w") else { return }
    fputs(name, file)
    fclose(file)
  }

  private func run() {
    setName()
    while let batch = next() {
      for entry in batch {
        progress.wrappingAdd(1, ordering: .relaxed)
        switch entry {
        case .job(let job, let executor):
          job.runSynchronously(on: executor.asUnownedSerialExecutor())
        case .work(let work): work()
        }
        progress.wrappingAdd(1, ordering: .relaxed)
      }
    }
  }

  /// Waits for jobs and returns all that are queued; `nil` when the executor is gone.
  private func next() -> [Entry]? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty {
      if isStopped { return nil }
      pthread_cond_wait(condition, mutex)
    }
    defer { jobs = [] }
    return jobs
  }
}
