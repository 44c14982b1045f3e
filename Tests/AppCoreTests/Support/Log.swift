import Synchronization

/// What happened, in order.
final class Log: Sendable {
  private let content = Mutex<[String]>([])
  var lines: [String] { content.withLock { $0 } }
  func add(_ line: String) { content.withLock { $0.append(line) } }
  func clear() { content.withLock { $0 = [] } }
}
