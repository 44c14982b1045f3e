internal import Glibc
internal import Support
internal import Synchronization

/// What a terminal's owner waits for: bytes, notices, and calls from other threads.
///
/// Who has a notice, and other threads, write into a pipe that is waited for together with the
/// terminal.
package final class TerminalEvents: Sendable {
  /// What came.
  package enum Event: Hashable, Sendable {
    /// Bytes that were typed.
    case bytes([UInt8])
    /// Nobody can type any more.
    case end
    /// The terminal has another size.
    case resized
    /// The process continues after it was stopped.
    case continued
    /// Ctrl-C, where the terminal makes a signal of it.
    case interrupted
    /// Another thread called ``wake()``.
    case woken
    /// Nothing, for as long as was asked for.
    case timedOut
  }

  /// What comes from the system, as a byte on ``noticeDescriptor``.
  package enum Notice: UInt8, Sendable {
    /// The terminal has another size.
    case resized = 1
    /// The process continues after it was stopped.
    case continued
    /// Ctrl-C, where the terminal makes a signal of it.
    case interrupted

    var event: Event {
      switch self {
      case .resized: .resized
      case .continued: .continued
      case .interrupted: .interrupted
      }
    }
  }

  /// What is done about bytes that were typed.
  package enum Reading: Sendable {
    /// They are read.
    case all
    /// Their arrival is an event without any.
    case readiness
    /// They wait.
    case nothing
  }

  private let input: Int32
  private let pipeEnd: Int32
  /// Takes notices, each as its byte; writing to it never waits.
  ///
  /// It is open as long as this object lives.
  package let noticeDescriptor: Int32
  private let isWoken = Atomic<Bool>(false)

  /// Creates a source of events.
  package init(input: Int32) {
    self.input = input
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    (pipeEnd, noticeDescriptor) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(pipeEnd)
    close(noticeDescriptor)
  }

  /// Lets the one who waits continue; from any thread.
  package func wake() {
    guard !isWoken.exchange(true, ordering: .sequentiallyConsistent) else { return }
    var byte: UInt8 = 0
    _ = write(noticeDescriptor, &byte, 1)
  }

  /// Waits for what comes next.
  ///
  /// - Parameters:
  ///   - milliseconds: how long; `nil` forever.
  ///   - reading: what is done about bytes.
  /// - Returns: the first of what has come.
  package func next(within milliseconds: Int?, _ reading: Reading = .all) -> Event {
    while true {
      var entries = [
        pollfd(fd: pipeEnd, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: reading == .nothing ? -1 : input, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&entries, 2, Int32(milliseconds ?? -1))
      if count < 0 {
        if errno == EINTR { continue }
        return .end
      }
      if count == 0 { return .timedOut }
      // What was typed goes first: an update can wait.
      if entries[1].revents != 0, let event = readInput(reading) { return event }
      if entries[0].revents != 0, let event = readPipe() { return event }
    }
  }

  private func readInput(_ reading: Reading) -> Event? {
    guard reading == .all else { return .bytes([]) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(input, &buffer, buffer.count)
    if count > 0 { return .bytes(Array(buffer[..<count])) }
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    return .end
  }

  private func readPipe() -> Event? {
    var byte: UInt8 = 0
    guard read(pipeEnd, &byte, 1) == 1 else { return nil }
    if let notice = Notice(rawValue: byte) { return notice.event }
    isWoken.store(false, ordering: .sequentiallyConsistent)
    return .woken
  }
}

extension TerminalSize {
  /// The size of the terminal behind a descriptor.
  package static func of(_ descriptor: Int32) -> TerminalSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else {
      return TerminalSize(columns: 0, rows: 0)
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
