internal import Glibc
internal import Support
internal import Synchronization

/// The end of the worker: through it the supervisor asks for screens and passes lines on.
///
/// A thread of its own reads and writes, so that neither the app's thread nor Swift's thread pool
/// waits for the other side.
package final class SocketLink: Sendable {
  private let descriptor: Int32
  private let wake: (reading: Int32, writing: Int32)
  /// What is to be sent, and then the screen for all clients, of which only the latest is.
  private let output = Mutex<(messages: [SocketMessage], screen: SocketMessage?)>(([], nil))

  init?(_ descriptor: Int32) {
    guard let wake = Descriptor.pipe() else { return nil }
    (self.descriptor, self.wake) = (descriptor, wake)
    // When it is full, the thread is awake.
    _ = fcntl(wake.writing, F_SETFL, O_NONBLOCK)
  }

  package var descriptors: [Int32] { [descriptor, wake.reading, wake.writing] }

  /// Starts the thread, which passes each message of the supervisor on.
  package func start(_ receive: @escaping @Sendable (SocketMessage) -> Void) {
    DetachedThread.start { self.run(receive) }
  }

  /// Has the thread send a message; callable from any thread, and never blocks.
  package func send(_ message: SocketMessage) {
    output.withLock { output in
      if message.verb == .screen, message.client == 0 {
        output.screen = message
      } else {
        // The screen that an answer refers to precedes it.
        if let screen = output.screen { output.messages.append(screen) }
        output.screen = nil
        output.messages.append(message)
      }
    }
    var byte: UInt8 = 0
    _ = write(wake.writing, &byte, 1)
  }

  private func run(_ receive: @Sendable (SocketMessage) -> Void) {
    // A copy, since only plugins close the descriptors that are watched.
    let connection = SocketConnection(
      fcntl(descriptor, F_DUPFD_CLOEXEC, 3), lineLimit: 1 << 20, outputLimit: .max)
    while connection.isOpen {
      // Nothing is taken while the supervisor, which may be stopped, has yet to read what was.
      let waking = connection.hasOutput ? -1 : wake.reading
      var entries = [
        connection.pollEntry, pollfd(fd: waking, events: Int16(POLLIN), revents: 0),
      ]
      guard Descriptor.uninterrupted({ poll(&entries, 2, -1) }) > 0 else { return }
      if entries[0].revents != 0 {
        connection.flush()
        for message in connection.receive().compactMap({ SocketMessage($0) }) { receive(message) }
      }
      guard entries[1].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 64)
      guard Descriptor.uninterrupted({ read(wake.reading, &bytes, 64) }) > 0 else { return }
      for message in takeOutput() { connection.send(message.line) }
    }
  }

  private func takeOutput() -> [SocketMessage] {
    output.withLock { output in
      defer { output = ([], nil) }
      return output.messages + (output.screen.map { [$0] } ?? [])
    }
  }
}
