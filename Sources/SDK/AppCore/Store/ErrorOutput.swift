internal import Glibc
internal import Synchronization

/// The SDK's output to standard error.
@_spi(Host)
public enum ErrorOutput {
  private static let door = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Redirects everything that the SDK writes to standard error to `write`, for the whole process,
  /// so that the host controls all output to the terminal.
  public static func handOver(to write: @escaping @Sendable (String) -> Void) {
    door.withLock { $0 = write }
  }

  static func write(_ text: String) {
    if let door = door.withLock({ $0 }) { return door(text) }
    _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
  }
}
