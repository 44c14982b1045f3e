@_spi(Host) internal import AppCore
internal import Dispatch
internal import Navigation
internal import Synchronization

extension App {
  /// How long somebody who leaves is left without a word.
  private static let leavingPatience = Duration.milliseconds(1500)

  /// Ends the app as ``end(within:)`` does, and tells what is waited for and what has not ended.
  ///
  /// Blocks its thread, which must be no task's; a second longer than `limit` at most, however busy
  /// the app's own thread is.
  ///
  /// - Parameters:
  ///   - limit: how long it may take in all.
  ///   - tell: takes a line, on the thread that waits.
  public nonisolated func leave(within limit: Duration, _ tell: (String) -> Void) {
    let roll = RollBox()
    let done = DispatchSemaphore(value: 0)
    Task {
      let hasEnded = await end(within: limit) { new in roll.latest.withLock { $0 = new } }
      roll.hasEnded.withLock { $0 = hasEnded }
      done.signal()
    }
    let rest = limit - Self.leavingPatience
    if Self.wait(for: done, atMost: min(limit, Self.leavingPatience)) == .timedOut {
      if rest > .zero {
        tell(
          "ending; waits for \(owners(roll)) for \(Self.seconds(rest)) s more; "
            + "Ctrl-\\ ends it now")
      }
      _ = Self.wait(for: done, atMost: max(.zero, rest) + .seconds(1))
    }
    if roll.hasEnded.withLock({ $0 }) { return }
    // Where nobody is at work any more, they have ended meanwhile.
    if let scopes = roll.latest.withLock({ $0 })?.atWork, scopes.isEmpty { return }
    tell("ended without waiting any longer for \(owners(roll))")
  }

  /// Whose effects are at work, in words.
  private nonisolated func owners(_ roll: RollBox) -> String {
    guard let scopes = roll.latest.withLock({ $0 })?.atWork else {
      return "a feature that keeps the app busy"
    }
    let limit = 3
    var names = scopes.prefix(limit).map { scope in
      "'\(loaded.graph.nodes[Int(scope.node)].name)' #\(scope.id)"
    }
    if scopes.count > limit { names.append("\(scopes.count - limit) more") }
    guard let last = names.popLast() else { return "effects" }
    return "effects of " + (names.isEmpty ? "" : names.joined(separator: ", ") + " and ") + last
  }

  private static func wait(
    for done: DispatchSemaphore, atMost limit: Duration
  ) -> DispatchTimeoutResult {
    let (seconds, attoseconds) = limit.components
    return done.wait(
      timeout: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)))
  }

  /// Whole seconds, rounded up.
  private static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds + (attoseconds > 0 ? 1 : 0)
  }
}

/// What is known of an app's end, while it goes on; outlives the call that waits.
private final class RollBox: Sendable {
  let latest = Mutex<EffectRoll<InstanceScope>?>(nil)
  let hasEnded = Mutex(false)
}
