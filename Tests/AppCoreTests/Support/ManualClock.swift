import AppCore
import Synchronization

/// A clock that continues only when it is told to.
final class ManualClock: Sendable {
  private struct Content {
    var now = Duration.zero
    var sleepers: [(deadline: Duration, gate: Gate)] = []
  }
  private let content = Mutex(Content())

  var appClock: AppClock {
    AppClock(
      now: { self.content.withLock { $0.now } },
      sleep: { deadline in
        let gate = Gate()
        let isDue = self.content.withLock { content in
          content.sleepers.append((deadline, gate))
          return deadline <= content.now
        }
        if isDue { gate.open() }
        try await gate.wait()
      })
  }

  func advance(by duration: Duration) {
    let due = content.withLock { content in
      content.now += duration
      return content.sleepers.filter { $0.deadline <= content.now }
    }
    for sleeper in due { sleeper.gate.open() }
  }
}
