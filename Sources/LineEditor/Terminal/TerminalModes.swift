internal import Glibc
internal import Synchronization

/// The modes of the terminal while lines are edited, and the way back to those it had.
///
/// The terminal gets its modes back by ``restore()``, and by `exit`. Whoever has handlers of signals
/// calls ``restoreInHandler(forGood:)`` there, and ``retakeInHandler()`` when it continues.
/// There is one terminal at a time, for handlers can know nothing but globals.
package enum TerminalModes {
  /// What the terminal does with what is typed.
  package enum Mode: Sendable {
    /// Every byte comes as it is typed and is not shown; Ctrl-C and Ctrl-Z are bytes too.
    case keys
    /// The same, on a terminal that gets no escape codes.
    case silence
  }

  /// Takes over the terminal behind a descriptor.
  ///
  /// - Returns: whether it is a terminal.
  @discardableResult
  package static func enter(_ mode: Mode, input: Int32, output: Int32) -> Bool {
    locked {
      isClosed.load(ordering: .sequentiallyConsistent)
        ? false : take(mode, input: input, output: output)
    }
  }

  /// Whether nobody may take the terminal any more.
  private static let isClosed = Atomic<Bool>(false)

  private static func take(_ mode: Mode, input: Int32, output: Int32) -> Bool {
    let saved = SavedTerminal.shared
    var modes = termios()
    if saved.isActive {
      modes = saved.modes.pointee
    } else {
      guard tcgetattr(input, &modes) == 0 else { return false }
      saved.modes.pointee = modes
      saved.input = input
      saved.output = output
    }
    saved.marksPastes = mode == .keys
    _ = restoresOnExit
    saved.isActive = true
    modes.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    // Ctrl-S does not hold the terminal, and bytes keep their eighth bit.
    modes.c_iflag &= ~tcflag_t(IXON | ISTRIP | PARMRK)
    if mode == .keys { modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR) }
    modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    // VMIN and VTIME: a read waits for one byte.
    modes.c_cc.6 = 1
    modes.c_cc.5 = 0
    saved.ownModes.pointee = modes
    set(&modes, on: input)
    if mode == .keys { write("\u{1b}[?2004h", to: output) }
    return true
  }

  private static let restoresOnExit: Void = {
    atexit { _ = TerminalModes.restoreInHandler(forGood: true) }
  }()

  /// Gives the terminal back its modes.
  package static func restore() { _ = locked { SavedTerminal.shared.restore() } }

  /// Gives the terminal back its modes, in the handler of a signal; ``restore()`` has been called before.
  ///
  /// - Parameter forGood: whether the process ends, so that nobody may take the terminal any more.
  /// - Returns: whether the terminal was taken.
  package static func restoreInHandler(forGood: Bool) -> Bool {
    if forGood { isClosed.store(true, ordering: .sequentiallyConsistent) }
    let wasTaken = withLockSoon { SavedTerminal.shared.restore() }
    return wasTaken ?? SavedTerminal.shared.restore()
  }

  /// Takes the terminal again after ``restoreInHandler(forGood:)``, in the handler.
  package static func retakeInHandler() {
    _ = withLockSoon {
      if !isClosed.load(ordering: .sequentiallyConsistent) { SavedTerminal.shared.retake() }
      return true
    }
  }

  /// The thread that holds the lock, or 0.
  ///
  /// No `Mutex`: that ends the process where a handler asks for what its own thread holds.
  private static let holder = Atomic<UInt>(0)

  /// Takes the lock, or returns who holds it.
  private static func tryLock() -> UInt? {
    let (isTaken, other) = holder.compareExchange(
      expected: 0, desired: UInt(pthread_self()), ordering: .sequentiallyConsistent)
    return isTaken ? nil : other
  }

  private static func unlock() { holder.store(0, ordering: .sequentiallyConsistent) }

  private static func locked(_ body: () -> Bool) -> Bool {
    while tryLock() != nil { usleep(500) }
    defer { unlock() }
    return body()
  }

  /// Does something under the lock; `nil` if the thread that was interrupted holds it, or it is
  /// held for longer than anybody needs it.
  private static func withLockSoon(_ body: () -> Bool) -> Bool? {
    for _ in 0..<2000 {
      guard let other = tryLock() else {
        defer { unlock() }
        return body()
      }
      if other == UInt(pthread_self()) { return nil }
      usleep(1000)
    }
    return nil
  }

  /// Gives the terminal back its modes for good: the process ends, whatever other threads are about to
  /// do.
  package static func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    _ = locked { SavedTerminal.shared.restore() }
  }

  /// Whether the terminal has been taken over.
  package static var isActive: Bool { SavedTerminal.shared.isActive }

  private static func set(_ modes: inout termios, on descriptor: Int32) {
    // TCSADRAIN: what was typed ahead stays.
    while tcsetattr(descriptor, TCSADRAIN, &modes) != 0, errno == EINTR {}
  }

  private static func write(_ text: StaticString, to descriptor: Int32) {
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}

/// The modes that the terminal had, where a signal's handler can reach them.
///
/// Plain memory that is written before handlers are installed, and calls that POSIX allows there:
/// `tcsetattr` and `write`.
final class SavedTerminal: @unchecked Sendable {
  static let shared = SavedTerminal()

  let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Those that it has while lines are edited.
  let ownModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  var input: Int32 = -1
  var output: Int32 = -1
  var marksPastes = false
  /// One word, so that a handler sees it written or not.
  var isActive = false

  private init() {
    modes.initialize(to: termios())
    ownModes.initialize(to: termios())
  }

  /// Takes the terminal again after ``restore()``.
  func retake() {
    // First: who gives it back meanwhile has to know.
    isActive = true
    _ = tcsetattr(input, TCSADRAIN, ownModes)
    if marksPastes {
      let text: StaticString = "\u{1b}[?2004h"
      _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
    }
  }

  func restore() -> Bool {
    guard isActive else { return false }
    // TCSANOW: nothing waits for a terminal that has stopped.
    _ = tcsetattr(input, TCSANOW, modes)
    // Only now: another signal may interrupt this one's handler.
    isActive = false
    if marksPastes {
      // Pastes unmarked, the cursor visible, plain letters.
      let text: StaticString = "\u{1b}[?2004l\u{1b}[?25h\u{1b}[0m"
      _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
    }
    return true
  }
}
