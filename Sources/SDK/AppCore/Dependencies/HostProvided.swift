internal import Synchronization

/// The live value of a dependency that only the host can provide, such as the machine's files.
///
/// The SDK has the value's type and a version for tests. A host provides the live value before the
/// first feature runs.
@_spi(Host)
public final class HostProvided<Value: Sendable>: Sendable {
  private let provided = Mutex<Value?>(nil)

  /// The value; `nil` in a process without a host.
  var value: Value? { provided.withLock { $0 } }

  /// Sets the value for the whole process.
  public func provide(_ value: Value) { provided.withLock { $0 = value } }
}
