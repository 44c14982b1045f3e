@_spi(Host) internal import AppCore
package import Diagnostics
internal import Glibc
package import Navigation
package import Shell
internal import Support

/// The latest actions of an app, and the lines that brought them about: bounded.
///
/// They are kept as they are and told in words when somebody asks, so that noting one costs two
/// readings of the clock and a place in a ring.
package final class ActionLog {
  package enum Subject {
    /// A line gave a control an input.
    case activation(Activation, line: Int?)
    /// A line was a command, or was refused; as it was typed, without secrets.
    case typed(String, line: Int?)
    /// An action was reduced; the node is that of its instance, `nil` where that was gone.
    case action(AppAction, node: Int?)
  }

  package struct Entry {
    package let number: Int
    package let subject: Subject
    /// In nanoseconds.
    package let duration: Int
    /// What the navigation logged meanwhile: the entries after the first number up to the second.
    package let events: Range<Int>
    /// Why the line was refused.
    var refusal: Rejection?
  }

  /// How many entries are kept.
  package static let limit = 256

  /// How many entries there have ever been.
  package private(set) var count = 0
  private var ring: [Entry] = []

  /// The entries after the first `count`, the oldest first, as far as they are kept.
  package func entries(after count: Int = 0) -> [Entry] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (self.count - wanted..<self.count).map { ring[$0 % Self.limit] }
  }

  package func note(
    _ subject: Subject, duration: Int = 0, events: Range<Int>, refusal: Rejection? = nil
  ) {
    count += 1
    let entry = Entry(
      number: count, subject: subject, duration: duration, events: events, refusal: refusal)
    if ring.count < Self.limit {
      ring.append(entry)
    } else {
      ring[(count - 1) % Self.limit] = entry
    }
  }

  /// Says of an entry that its line was refused after all.
  ///
  /// - Returns: the entry; `nil` where it is not kept any more.
  package func refuse(_ number: Int, _ refusal: Rejection) -> Entry? {
    guard number > count - ring.count, number <= count else { return nil }
    let index = (number - 1) % Self.limit
    ring[index].refusal = refusal
    return ring[index]
  }
}

/// The root reducer, with a note of each action.
struct RecordingRouter: Reducer {
  private let router: Router
  private let log: ActionLog

  init(_ router: Router, log: ActionLog) {
    self.router = router
    self.log = log
  }

  func reduce(into state: inout AppState, action: AppAction) -> Effect<AppAction> {
    let first = state.journal.count
    var node: Int?
    if case .instance(let id, _) = action { node = state.node(of: id) }
    let start = MonotonicTime.now()
    let effect = router.reduce(into: &state, action: action)
    let duration = MonotonicTime.now() - start
    if case .report(.effectEnded) = action { return effect }
    log.note(
      .action(action, node: node), duration: duration, events: first..<state.journal.count)
    return effect
  }
}
