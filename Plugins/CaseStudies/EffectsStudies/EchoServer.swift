internal import AppCore
import Synchronization

/// An echo server in this process.
struct EchoServer: DependencyKey {
  enum Event: Sendable, Equatable { case opened, message(String), closed }
  struct NotConnected: Error, CustomStringConvertible {
    var description: String { "connect first" }
  }

  /// Opens the connection, which is closed when nobody iterates over its events any more.
  var open: @Sendable () async -> EventStream<Event>
  var send: @Sendable (String) async throws -> Void

  static let liveValue = inProcess()

  /// A server with a connection of its own.
  static func inProcess() -> EchoServer {
    let connection = Connection()
    return EchoServer(open: { connection.open() }, send: { try connection.send($0) })
  }

  private final class Connection: Sendable {
    private let current = Mutex<EventStream<Event>.Continuation?>(nil)

    func open() -> EventStream<Event> {
      EventStream { continuation in
        continuation.onTermination { [weak self] in self?.current.withLock { $0 = nil } }
        current.withLock { $0 = continuation }
        continuation.yield(.opened)
      }
    }

    func send(_ text: String) throws(NotConnected) {
      guard let connection = current.withLock({ $0 }) else { throw NotConnected() }
      connection.yield(.message(text))
      if text == "bye" {
        connection.yield(.closed)
        connection.finish()
      }
    }
  }
}
