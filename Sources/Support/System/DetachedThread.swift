internal import Glibc

/// Threads for what must not wait for Swift's thread pool.
package enum DetachedThread {
  /// The body of a new thread, as an object that a C pointer can refer to.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread, which ends with its body, or with the process.
  ///
  /// - Returns: the error number if the system grants no thread; otherwise `nil`.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32? {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body))
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    guard status == 0 else {
      context.release()
      return status
    }
    pthread_detach(thread)
    return nil
  }
}
