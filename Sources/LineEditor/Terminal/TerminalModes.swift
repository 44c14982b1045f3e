public import Glibc
public import Support
internal import Synchronization

/// Sets the modes of the terminal for editing lines, and restores its former modes.
///
/// ``restore()`` and `exit` restore the modes. Signal handlers call
/// ``restoreInHandler(forGood:)``, and ``retakeInHandler()`` when the process continues.
/// There is only one terminal at a time, because signal handlers have access only to globals.
package enum TerminalModes {
  /// How the terminal treats input.
  package enum Mode: Sendable {
    /// Every byte, even of Ctrl-C and Ctrl-Z, is delivered as it is typed and is not echoed.
    case keys
    /// The same on a screen of its own, with the mouse.
    case screen
    /// The same as `keys`, without writing escape sequences to the terminal.
    case silence
  }

  /// Takes over the terminal of a descriptor.
  ///
  /// - Returns: `false` if it is not a terminal, or if the process is about to end.
  @discardableResult
  package static func enter(_ mode: Mode, input: Int32, output: Int32) -> Bool {
    locked {
      isClosed.load(ordering: .sequentiallyConsistent)
        ? false : take(mode, input: input, output: output)
    }
  }

  /// Whether the terminal can't be taken over any more.
  private static let isClosed = Atomic<Bool>(false)

  private static func take(_ mode: Mode, input: Int32, output: Int32) -> Bool {
    let saved = SavedTerminal.shared
    var modes = termios()
    if saved.isActive {
      modes = saved.modes.pointee
    } else {
      guard tcgetattr(input, &modes) == 0 else { return false }
      saved.modes.pointee = modes
      saved.keep(input: input, output: output)
    }
    saved.marksPastes = mode != .silence
    saved.isFullScreen = mode == .screen
    _ = restoresOnExit
    modes.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG | IEXTEN)
    // Ctrl-S does not stop the output, and bytes keep their eighth bit.
    modes.c_iflag &= ~tcflag_t(IXON | ISTRIP | PARMRK)
    if mode != .silence { modes.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR) }
    modes.c_oflag |= tcflag_t(OPOST | ONLCR)
    // VMIN and VTIME: a read waits for one byte.
    modes.c_cc.6 = 1
    modes.c_cc.5 = 0
    saved.ownModes.pointee = modes
    saved.retake()
    return true
  }

  private static let restoresOnExit: Void = {
    atexit { _ = TerminalModes.restoreInHandler(forGood: true) }
  }()

  package static func restore() { _ = locked { SavedTerminal.shared.restore() } }

  /// Restores the terminal's modes in a signal handler, and returns whether it had been taken over.
  ///
  /// Call ``restore()`` once before a handler is installed: it initializes the globals. If it is
  /// restored for good, because the process ends, it can't be taken over again.
  package static func restoreInHandler(forGood: Bool) -> Bool {
    if forGood { isClosed.store(true, ordering: .sequentiallyConsistent) }
    let wasTaken = withLockSoon { SavedTerminal.shared.restore() }
    return wasTaken ?? SavedTerminal.shared.restore()
  }

  /// Takes the terminal over again after ``restoreInHandler(forGood:)``, in a signal handler.
  package static func retakeInHandler() {
    _ = withLockSoon {
      if !isClosed.load(ordering: .sequentiallyConsistent) { SavedTerminal.shared.retake() }
      return true
    }
  }

  /// The thread that holds the lock, or 0.
  ///
  /// Not a `Mutex`, which traps if a signal handler locks it while its own thread holds it.
  private static let holder = Atomic<UInt>(0)

  /// Takes the lock and returns `nil`, or returns the thread that holds it.
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

  /// Runs `body` under the lock; `nil` if the interrupted thread itself holds it, or if another
  /// thread does not release it within 2 s.
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

  /// Restores the terminal's modes for good: other threads can't take it over any more.
  package static func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    _ = locked { SavedTerminal.shared.restore() }
  }
}

/// The former modes of the terminal, accessible to signal handlers.
///
/// Plain memory that is written before handlers are installed, and calls that POSIX allows there:
/// `tcsetattr` and `write`.
final class SavedTerminal: @unchecked Sendable {
  static let shared = SavedTerminal()
  let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// The modes while lines are edited.
  let ownModes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Duplicates of the terminal's descriptors, which other code does not know, so that the modes
  /// are restored even if it closes the originals.
  private(set) var input: Int32 = -1
  private(set) var output: Int32 = -1
  var marksPastes = false
  /// Whether the alternate screen is shown, and the mouse is reported.
  var isFullScreen = false
  /// A single byte, so that a signal handler never sees it half written.
  var isActive = false

  private init() {
    modes.initialize(to: termios())
    ownModes.initialize(to: termios())
  }

  /// Sets the descriptors of the terminal.
  func keep(input: Int32, output: Int32) {
    let former = [self.input, self.output]
    self.input = fcntl(input, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    self.output = fcntl(output, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    for descriptor in former where descriptor >= 0 { close(descriptor) }
  }

  /// Takes the terminal over, also again after ``restore()``.
  func retake() {
    // Set first: a signal handler that runs meanwhile has to restore the terminal.
    isActive = true
    // TCSADRAIN: keeps input that was typed ahead.
    while tcsetattr(input, TCSADRAIN, ownModes) != 0, errno == EINTR {}
    if marksPastes {
      let text: StaticString =
        isFullScreen
        ? "\u{1b}[?1049h\u{1b}[?2004h\u{1b}[?1000h\u{1b}[?1006h\u{1b}[?25l" : "\u{1b}[?2004h"
      _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
    }
  }

  func restore() -> Bool {
    guard isActive else { return false }
    // TCSANOW: does not wait for output, which may be stopped.
    _ = tcsetattr(input, TCSANOW, modes)
    // Cleared after that: another signal that interrupts this handler has to restore it too.
    isActive = false
    if marksPastes {
      // Bracketed paste off, the cursor visible, plain style; the mouse off, the usual screen. First
      // of all the end of a picture that may be half written: its update, its scroll region.
      let text: StaticString =
        isFullScreen
        ? """
        \u{1b}[?2026l\u{1b}[r\u{1b}[?1006l\u{1b}[?1000l\u{1b}[?2004l\u{1b}[?25h\u{1b}[0m\
        \u{1b}[?1049l
        """
        : "\u{1b}[?2004l\u{1b}[?25h\u{1b}[0m"
      _ = write(output, text.utf8Start, text.utf8CodeUnitCount)
    }
    return true
  }
}

/// Asks on a terminal for a secret, without showing it.
public enum SecretPrompt {
  /// Asks the question; the input is not echoed, and the terminal's modes are restored afterwards.
  ///
  /// Backspace and Ctrl-U work. Ctrl-C and Ctrl-D end the question, not the process, which would
  /// leave the terminal without echo.
  ///
  /// - Returns: the bytes that were typed; `nil` if the user gave up, or the input ended.
  /// - Throws: ``InputOutputError``.
  public static func ask(
    _ question: String, input: Int32 = STDIN_FILENO, output: Int32 = STDERR_FILENO
  ) throws(InputOutputError) -> [UInt8]? {
    let writer = OutputWriter(descriptor: output, content: .text)
    // Also restores the echo if a signal ends the process.
    TerminalModes.enter(.silence, input: input, output: output)
    defer { TerminalModes.restore() }
    try writer.write(SafeText.line(question) + ": ")
    let answer = try read(input)
    try writer.write("\n")
    return answer
  }

  private static func read(_ input: Int32) throws(InputOutputError) -> [UInt8]? {
    var typed: [UInt8] = []
    // One byte at a time, since the bytes after the answer belong to the next reader.
    while let byte = try Descriptor.read(input, atMost: 1).first {
      switch byte {
      case 0x0a, 0x0d: return typed
      case 0x03: return nil
      case 0x04: if typed.isEmpty { return nil }
      // The last scalar, with all its bytes.
      case 0x08, 0x7f: while let byte = typed.popLast(), byte & 0xc0 == 0x80 {}
      case 0x15: typed = []
      default: if typed.count < 1 << 20 { typed.append(byte) }
      }
    }
    return typed.isEmpty ? nil : typed
  }
}
