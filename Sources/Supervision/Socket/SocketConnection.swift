package import Glibc
internal import Support

/// A connection over which lines are exchanged, and that is never waited for.
///
/// What it holds is bounded: it is closed if the other side sends a line above the limit, or does not
/// read what it is sent. It belongs to one thread.
package final class SocketConnection {
  /// The longest line that a client may send, in bytes.
  package static let lineLimit = 64 << 10

  private var descriptor: Int32
  private let lineLimit: Int
  private let outputLimit: Int
  private var input: [UInt8] = []
  private var output: [UInt8] = []

  /// Takes over a connected socket.
  ///
  /// The other side may send lines of `lineLimit` bytes. If more than `outputLimit` bytes wait for it
  /// when there is another line to send, the connection is closed.
  package init(
    _ descriptor: Int32, lineLimit: Int = SocketConnection.lineLimit, outputLimit: Int = 1 << 20
  ) {
    (self.descriptor, self.lineLimit, self.outputLimit) = (descriptor, lineLimit, outputLimit)
  }

  deinit { close() }

  package var isOpen: Bool { descriptor >= 0 }
  var hasOutput: Bool { !output.isEmpty }

  /// What to poll for: that it can be read, and written if something waits.
  package var pollEntry: pollfd {
    pollfd(fd: descriptor, events: Int16(hasOutput ? POLLIN | POLLOUT : POLLIN), revents: 0)
  }

  package func close() {
    guard isOpen else { return }
    _ = Glibc.close(descriptor)
    (descriptor, input, output) = (-1, [], [])
  }

  /// Reads what has arrived, and returns the lines that are complete, without newlines.
  ///
  /// Closes the connection at its end, on an error, and at a line above the limit.
  package func receive() -> [[UInt8]] {
    guard isOpen else { return [] }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = Descriptor.uninterrupted {
      recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    }
    guard count > 0 else {
      if count == 0 || errno != EAGAIN { close() }
      return []
    }
    let scanned = input.count
    input += buffer[..<count]
    var lines: [[UInt8]] = []
    if let last = input[scanned...].lastIndex(of: 0x0a) {
      lines = input[..<last].split(separator: 0x0a, omittingEmptySubsequences: false)
        .map { Array($0) }
      input.removeFirst(last + 1)
    }
    if input.count > lineLimit || lines.contains(where: { $0.count > lineLimit }) { close() }
    return isOpen ? lines : []
  }

  package func send(_ line: String) { send(Array(line.utf8)) }

  /// Sends a line as far as the other side reads, and keeps the rest for ``flush()``.
  package func send(_ line: [UInt8]) {
    guard isOpen else { return }
    guard output.count <= outputLimit else { return close() }
    output += line
    output.append(0x0a)
    flush()
  }

  package func flush() {
    while isOpen, hasOutput {
      let count = Descriptor.uninterrupted {
        Glibc.send(descriptor, output, output.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      guard count > 0 else {
        // The other side is gone; what it has sent before, such as a refusal, can still be received.
        if errno != EAGAIN { output = [] }
        return
      }
      output.removeFirst(count)
    }
  }
}
