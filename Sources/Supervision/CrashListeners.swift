package import Navigation
internal import Synchronization

/// The functions that receive the report of a crash before the process ends.
package enum CrashListeners {
  private static let bodies = Mutex<[Int: @Sendable (CrashReport) -> Void]>([:])

  /// Sets the listener of an app, and replaces the app's former one.
  ///
  /// The listener is called when a crash, a hang or a call of `exit` ends the process: on the watch
  /// thread while the thread at fault is stopped, or in an exit handler. It is called again with
  /// the action, if there is one.
  package static func add(app: UInt32, _ body: @escaping @Sendable (CrashReport) -> Void) {
    bodies.withLock { $0[Int(app)] = body }
  }

  /// Removes the listener of an app.
  package static func remove(app: UInt32) {
    _ = bodies.withLock { $0.removeValue(forKey: Int(app)) }
  }

  static func notify(_ report: CrashReport) {
    for body in bodies.withLock({ Array($0.values) }) { body(report) }
  }
}
