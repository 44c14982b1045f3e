internal import Glibc
internal import Support
internal import Synchronization

/// Ends the process cleanly on a signal that requests its end: registered actions run first.
///
/// ``ProcessSignals`` writes the signal's number to a pipe, which a dedicated thread reads. Another
/// thread runs the actions, in reverse order of registration, and ends the process with status 128
/// plus the signal's number, unless an action returns another status. Meanwhile the first thread
/// waits for a second request, which ends the process at once.
public enum EndingSignals {
  /// Why the process ends before its main thread does.
  public enum Reason: Sendable {
    /// A signal requests it; the actions run on a thread of their own.
    case signal(Int32)
    /// The app has quit while the main thread waits for input, as a signal would find it.
    case quit
    /// Other code than the program's has called `exit`, and the actions run on the calling thread.
    ///
    /// `onAppThread` is whether that is an app's thread.
    case exit(onAppThread: Bool)
    /// An app's thread does not respond; the actions run on the watch thread.
    case blocked
  }

  /// An action that runs before the process ends, at most once.
  ///
  /// - Returns: the exit status; `nil` to leave the status as it is.
  public typealias Action = @Sendable (_ reason: Reason) -> Int32?

  /// The registration of an action, which lasts until this is released or cancelled.
  public final class Registration: Sendable {
    deinit { cancel() }

    /// Removes the action, unless the actions are already running.
    public func cancel() {
      EndingSignals.actions.withLock { actions in
        actions.removeAll { $0.registration == ObjectIdentifier(self) }
      }
    }
  }

  /// How long further signals, except SIGINT, count as the same request.
  ///
  /// When a terminal hangs up, the shell sends SIGHUP to jobs that the kernel already signalled.
  private static let repetition = Duration.seconds(1)
  private static let actions = Mutex<[(registration: ObjectIdentifier, action: Action)]>([])
  private static let isEnding = Atomic<Bool>(false)
  /// The descriptor that receives the numbers of signals; -1 until it exists.
  private static let requests = Atomic<Int32>(-1)

  /// Registers an action that runs before the process ends, while the registration exists.
  public static func onEnd(_ action: @escaping Action) -> Registration {
    let registration = Registration()
    actions.withLock { $0.append((ObjectIdentifier(registration), action)) }
    return registration
  }

  /// Installs handlers for the signals that `kill`, a closed terminal and Ctrl-C send; call it once, at
  /// the start.
  ///
  /// A signal that is ignored when the process starts stays ignored, as `nohup` requires.
  public static func install() {
    let signals = [SIGTERM, SIGHUP, SIGINT]
    guard let (reading, writing) = Descriptor.pipe() else { return }
    // A signal handler must not block.
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    SignalMask.unblock(signals)
    guard DetachedThread.start({ wait(on: reading) }) == nil else { return }
    requests.store(writing, ordering: .sequentiallyConsistent)
    ProcessSignals.report(signals, to: writing)
    OwnDescriptors.watch([reading, writing], "signal pipe")
  }

  /// Ends the process as a signal would, but with status 0; returns at once.
  public static func quit() {
    var byte: UInt8 = 0
    let descriptor = requests.load(ordering: .sequentiallyConsistent)
    _ = Descriptor.uninterrupted { write(descriptor, &byte, 1) }
  }

  /// Never returns if the end of the process was requested; otherwise returns at once.
  public static func giveWay() {
    while isEnding.load(ordering: .sequentiallyConsistent) { pause() }
  }

  private static func wait(on descriptor: Int32) {
    guard let first = nextSignal(descriptor) else { return }
    isEnding.store(true, ordering: .sequentiallyConsistent)
    // The supervisor must not restart the app from now on, even if the process crashes.
    SharedCrashPage.current?.stage = .ending
    let start = ContinuousClock.now
    guard DetachedThread.start({ end(by: first) }) == nil else { return end(by: first) }
    while let next = nextSignal(descriptor) {
      let isRepeated = next != SIGINT && ContinuousClock.now - start < repetition
      // A second request ends the process without waiting for data that is still being saved.
      if !isRepeated, next != 0 { endAtOnce(128 + next) }
    }
  }

  private static func nextSignal(_ descriptor: Int32) -> Int32? {
    var byte: UInt8 = 0
    return Descriptor.uninterrupted { read(descriptor, &byte, 1) } == 1 ? Int32(byte) : nil
  }

  private static func end(by signal: Int32) {
    let (reason, status) = signal == 0 ? (Reason.quit, 0) : (.signal(signal), 128 + signal)
    endAtOnce(runActions(for: reason) ?? status)
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

  /// Runs the registered actions, and ends the process.
  ///
  /// `last` runs after the actions; it receives the exit status that they returned, if any, and
  /// returns that of the process.
  public static func end(for reason: Reason, _ last: (Int32?) -> Int32) -> Never {
    endAtOnce(last(runActions(for: reason)))
  }

  /// Ends the process without running exit handlers, which plugins may have installed.
  private static func endAtOnce(_ status: Int32) -> Never {
    SharedCrashPage.current?.stage = .ending
    willEnd.withLock { $0 }?()
    _exit(status)
  }

  private static let willEnd = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets the function that restores the terminal's modes; it runs last, on any thread.
  public static func setTerminalRestorer(_ restore: @escaping @Sendable () -> Void) {
    willEnd.withLock { $0 = restore }
  }
}
