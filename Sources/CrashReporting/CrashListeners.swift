package import Navigation
internal import Synchronization

/// Those who write down whose code has ended the process, before it is gone.
package enum CrashListeners {
  private static let bodies = Mutex<[Int: @Sendable (CrashReport) -> Void]>([:])

  /// Has a listener told when code of a plugin has ended the process.
  ///
  /// It is called on the watch thread, or in a handler of `exit`, while the thread that has failed
  /// stands still; and again when more is known.
  ///
  /// - Parameters:
  ///   - app: the number of the app that listens; once for each.
  ///   - body: takes what is known.
  package static func add(app: UInt32, _ body: @escaping @Sendable (CrashReport) -> Void) {
    bodies.withLock { $0[Int(app)] = body }
  }

  /// Calls an app's listener no more.
  package static func remove(app: UInt32) {
    _ = bodies.withLock { $0.removeValue(forKey: Int(app)) }
  }

  static func tell(_ report: CrashReport) {
    for body in bodies.withLock({ Array($0.values) }) { body(report) }
  }
}
