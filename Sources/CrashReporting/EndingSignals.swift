public import Glibc
internal import Support
internal import Synchronization

/// Ends the process cleanly on a signal that asks it to end: what was registered is done first.
///
/// A handler may do next to nothing, so it only writes the signal's number into a pipe; a thread of
/// its own reads it, runs what was registered, the latest first, and ends the process with 128 and
/// the signal's number.
public enum EndingSignals {
  /// What to do before the process ends; it is run on a thread of its own, at most once.
  public typealias Action = @Sendable (_ signal: Int32) -> Void

  /// A registered action; let go of, or ``cancel()``led, it is not run any more.
  public final class Registration: Sendable {
    private let number: Int

    fileprivate init(_ number: Int) { self.number = number }

    deinit { cancel() }

    /// Forgets the action; on return it has been run or never will be.
    public func cancel() {
      EndingSignals.actions.withLock { actions in
        actions.removeAll { $0.number == number }
      }
    }
  }

  private static let actions = Mutex<[(number: Int, action: Action)]>([])
  private static let lastNumber = Atomic<Int>(0)
  /// The end of the pipe that the handler writes to; -1 before there is one.
  private static let pipeEnd = Atomic<Int32>(-1)

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
    pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    SignalMask.unblock(signals)
    guard startThread(reading: ends[0]) else { return }
    for signal in signals {
      var current = sigaction()
      guard sigaction(signal, nil, &current) == 0 else { continue }
      if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1 { continue }
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let reason = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(EndingSignals.pipeEnd.load(ordering: .relaxed), &byte, 1)
        errno = reason
      }
      action.sa_flags = SA_RESTART
      _ = sigaction(signal, &action, nil)
    }
  }

  private static func startThread(reading descriptor: Int32) -> Bool {
    var thread = pthread_t()
    let argument = UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1)
    return pthread_create(
      &thread, nil,
      { argument in
        EndingSignals.wait(on: Int32(Int(bitPattern: argument) - 1))
        return nil
      }, argument) == 0
  }

  private static func wait(on descriptor: Int32) {
    var byte: UInt8 = 0
    var count = 0
    repeat { count = read(descriptor, &byte, 1) } while count < 0 && errno == EINTR
    guard count == 1 else { return }
    // Who asks again does not want to wait for what is still being saved.
    for signal in [SIGTERM, SIGHUP, SIGINT] { _ = Glibc.signal(signal, SIG_DFL) }
    let signal = Int32(byte)
    let pending = actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for (_, action) in pending.reversed() { action(signal) }
    _exit(128 + signal)
  }
}
