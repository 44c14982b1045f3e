public import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// Ends the process cleanly on a signal that asks it to end: what was registered is done first.
///
/// ``ProcessSignals`` writes the signal's number into a pipe; a thread of its own reads it. Another one runs what was registered, the latest first, and ends the process
/// with 128 and the signal's number; meanwhile the first one listens for somebody who asks again.
public enum EndingSignals {
  /// Why the process ends without its main thread having come to its end.
  public enum Reason: Sendable {
    /// A signal asks for it; the actions run on a thread of their own.
    case signal(Int32)
    /// Code that is not ours has called `exit`, on the thread on which the actions run; whether that
    /// is one on which an app runs.
    case exit(onAppThread: Bool)
    /// An app's thread never comes back.
    case blocked
  }

  /// What to do before the process ends; it is run at most once.
  ///
  /// - Returns: the exit status, where it is to be another than the reason's.
  public typealias Action = @Sendable (_ reason: Reason) -> Int32?

  /// A registered action; let go of, or ``cancel()``led, it is not run any more.
  public final class Registration: Sendable {
    private let number: Int

    fileprivate init(_ number: Int) { self.number = number }

    deinit { cancel() }

    /// Forgets the action, unless a signal has come already.
    public func cancel() {
      EndingSignals.actions.withLock { actions in
        actions.removeAll { $0.number == number }
      }
    }
  }

  /// For how long a signal that is sent again is the same request: a shell that ends sends what it
  /// got on to its jobs, which a terminal that hangs up has told already.
  private static let repetition = Duration.seconds(1)

  private static let actions = Mutex<[(number: Int, action: Action)]>([])
  private static let lastNumber = Atomic<Int>(0)
  /// The signal that ends the process; 0 before there is one.
  private static let endingSignal = Atomic<Int32>(0)

  /// Registers what is to be done before a signal ends the process.
  public static func onEnd(_ action: @escaping Action) -> Registration {
    let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    actions.withLock { $0.append((number, action)) }
    return Registration(number)
  }

  /// Takes over the signals; call it once, at the start.
  ///
  /// A signal that is ignored when the process starts stays ignored, as `nohup` asks for.
  ///
  /// - Parameter signals: by default those of `kill`, a terminal that hangs up, and Ctrl-C.
  public static func install(_ signals: [Int32] = [SIGTERM, SIGHUP, SIGINT]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler never waits.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    SignalMask.unblock(signals)
    let reading = ends[0]
    guard startThread({ wait(on: reading) }) else { return }
    ProcessSignals.report(signals, to: ends[1])
  }

  /// Leaves the end of the process to the signal that has asked for it; returns where none has.
  public static func giveWay() {
    while endingSignal.load(ordering: .sequentiallyConsistent) != 0 { pause() }
  }

  private static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(ThreadBody(body))
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    if status != 0 { context.release() }
    return status == 0
  }

  private static func wait(on descriptor: Int32) {
    guard let first = nextSignal(descriptor) else { return }
    endingSignal.store(first, ordering: .sequentiallyConsistent)
    // Whatever happens now, the app is not to continue.
    WorkerPage.current?.stage = .ending
    let start = ContinuousClock.now
    guard startThread({ end(by: first) }) else { return end(by: first) }
    while let next = nextSignal(descriptor) {
      let isRepeated = next != SIGINT && ContinuousClock.now - start < repetition
      // Who asks again does not want to wait for what is still being saved.
      if !isRepeated { endAtOnce(128 + next) }
    }
  }

  private static func nextSignal(_ descriptor: Int32) -> Int32? {
    var byte: UInt8 = 0
    var count = 0
    repeat { count = read(descriptor, &byte, 1) } while count < 0 && errno == EINTR
    return count == 1 ? Int32(byte) : nil
  }

  private static func end(by signal: Int32) {
    endAtOnce(runActions(for: .signal(signal)) ?? 128 + signal)
  }

  private static func runActions(for reason: Reason) -> Int32? {
    let pending = actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
    var status: Int32?
    for (_, action) in pending.reversed() { status = action(reason) ?? status }
    return status
  }

  /// Does what is to be done before the end, and ends the process.
  ///
  /// - Parameters:
  ///   - reason: why it ends.
  ///   - last: what is done last, with the status that the actions ask for; returns the status.
  public static func end(for reason: Reason, _ last: (Int32?) -> Int32) -> Never {
    endAtOnce(last(runActions(for: reason)))
  }

  /// Ends the process without its exit handlers, which may be a plugin's.
  private static func endAtOnce(_ status: Int32) -> Never {
    WorkerPage.current?.stage = .ending
    willEnd.withLock { $0 }?()
    _exit(status)
  }

  private static let willEnd = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what gives the terminal back its modes; it is called last, on any thread.
  public static func setTerminalRestorer(_ restore: @escaping @Sendable () -> Void) {
    willEnd.withLock { $0 = restore }
  }
}

/// What a new thread runs.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
