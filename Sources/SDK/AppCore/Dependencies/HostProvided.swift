internal import Synchronization

/// The live value of a dependency that only the host can give: the machine's files, its programs.
///
/// The SDK has the value's type and a form for tests; whoever runs features in an app provides the
/// rest, before the first one runs.
@_spi(Host)
public final class HostProvided<Value: Sendable>: Sendable {
  private let provided = Mutex<Value?>(nil)

  /// The value; `nil` in a process without a host.
  var value: Value? { provided.withLock { $0 } }

  /// Sets the value, for the whole process.
  public func provide(_ value: Value) { provided.withLock { $0 = value } }
}
