internal import Glibc
internal import Support
internal import Synchronization

/// The events of a terminal: bytes, notices of the system, and calls from other threads.
///
/// Notices and calls are written to a pipe, which is polled together with the terminal.
package final class TerminalEvents: Sendable {
  package enum Event: Hashable, Sendable {
    case bytes([UInt8])
    /// The input has ended, or it or the pipe of notices was closed.
    case end
    case notice(Notice)
    /// Another thread called ``wake()``.
    case woken
    /// The time has passed without an event.
    case timedOut
  }

  /// A notice of the system, which is a byte on ``noticeDescriptor``.
  package enum Notice: UInt8, Sendable {
    /// The size of the terminal has changed.
    case resized = 1
    /// The process continues after it was stopped.
    case continued
    /// Ctrl-C, if the terminal sends a signal for it.
    case interrupted
  }

  /// What to do with bytes that were typed.
  package enum Reading: Sendable {
    case all
    /// Report their arrival as an event without bytes, and leave them unread.
    case readiness
    /// Ignore them for now.
    case nothing
  }

  private let input: Int32
  package let pipeEnd: Int32
  /// The descriptor to which notices are written, each as its byte; writing never blocks.
  ///
  /// It is open as long as this object is alive.
  package let noticeDescriptor: Int32
  private let isWoken = Atomic<Bool>(false)

  package init(input: Int32) {
    self.input = input
    (pipeEnd, noticeDescriptor) = Descriptor.pipe() ?? (-1, -1)
    for end in [pipeEnd, noticeDescriptor] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(pipeEnd)
    close(noticeDescriptor)
  }

  /// Makes ``next(within:_:)`` return; callable from any thread.
  package func wake() {
    guard !isWoken.exchange(true, ordering: .sequentiallyConsistent) else { return }
    var byte: UInt8 = 0
    _ = write(noticeDescriptor, &byte, 1)
  }

  /// Waits for the next event; with no limit if `milliseconds` is `nil`.
  package func next(within milliseconds: Int?, _ reading: Reading = .all) -> Event {
    while true {
      var entries = [
        pollfd(fd: pipeEnd, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: reading == .nothing ? -1 : input, events: Int16(POLLIN), revents: 0),
      ]
      let count = Descriptor.uninterrupted { poll(&entries, 2, Int32(milliseconds ?? -1)) }
      if count <= 0 { return count < 0 ? .end : .timedOut }
      // What is left unread was typed after a Ctrl-C, which discards all that was typed before it.
      // Its signal may have come after `poll` looked at the pipe.
      if reading == .readiness, let event = readPipe() { return event }
      // Input takes precedence: an update can wait.
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
    guard read(pipeEnd, &byte, 1) == 1 else {
      // Other code of the process may have closed the pipe.
      return errno == EINTR || errno == EAGAIN ? nil : .end
    }
    if let notice = Notice(rawValue: byte) { return .notice(notice) }
    isWoken.store(false, ordering: .sequentiallyConsistent)
    return .woken
  }
}

extension TerminalSize {
  /// The size of the terminal of a descriptor; 80 by 24 if it is not a terminal.
  package static func of(_ descriptor: Int32) -> TerminalSize {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else {
      return TerminalSize(columns: 0, rows: 0)
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
