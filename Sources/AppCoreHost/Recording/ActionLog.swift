@_spi(Host) internal import AppCore
package import Diagnostics
internal import Glibc
package import Navigation
package import Shell
internal import Support

/// The latest actions of an app, and the lines that brought them about: bounded.
///
/// They are kept as they are and told in words when somebody asks, so that noting one costs two
/// readings of the clock, a place in a ring and one in the ``times``.
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
    /// In nanoseconds: of an action, until its effects were started.
    package fileprivate(set) var duration: Int
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
  /// How often each kind of action was reduced, and how long that took.
  package let times: ActionTimes
  /// Reads a clock that only goes forward, in nanoseconds.
  let now: @Sendable () -> Int
  /// Records everything that is measured, if somebody wants a profile.
  let profiler: Profiler?
  /// The graph as it is now.
  let graph: () -> Graph
  /// The latest action, while its effects are being started.
  private(set) var latest: MeasuredAction?

  /// Creates an empty log.
  ///
  /// - Parameters:
  ///   - now: reads a clock that only goes forward, in nanoseconds.
  ///   - profiler: records everything that is measured.
  ///   - graph: the graph as it is now.
  init(
    now: @escaping @Sendable () -> Int, profiler: Profiler?, graph: @escaping () -> Graph
  ) {
    self.now = now
    self.profiler = profiler
    self.graph = graph
    times = ActionTimes(ActionKinds { graph().nodes[$0].feature })
  }

  /// The entries after the first `count`, the oldest first, as far as they are kept.
  package func entries(after count: Int = 0) -> [Entry] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (self.count - wanted..<self.count).map { ring[$0 % Self.limit] }
  }

  /// Notes an action that was reduced.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - node: that of its instance.
  ///   - start: when it began.
  ///   - hasEffects: whether its effects are about to be started; ``effectsDidStart()`` is called
  ///     then.
  ///   - events: what the navigation logged meanwhile.
  func note(
    _ action: AppAction, node: Int?, start: Int, hasEffects: Bool, events: Range<Int>
  ) {
    let duration = hasEffects ? 0 : now() - start
    note(.action(action, node: node), duration: duration, events: events)
    var instance: InstanceID?
    if case .instance(let id, _) = action { instance = id }
    let measured = MeasuredAction(
      kind: times.kinds.number(of: action, node: node), node: node, instance: instance,
      start: start)
    if hasEffects { latest = measured } else { add(measured, duration) }
  }

  /// The effects of the latest action have been started: it is over.
  func effectsDidStart() {
    guard let latest else { return }
    self.latest = nil
    let duration = now() - latest.start
    ring[(count - 1) % Self.limit].duration = duration
    add(latest, duration)
  }

  private func add(_ action: MeasuredAction, _ duration: Int) {
    times.add(duration, to: action.kind)
    if profiler != nil { profile(action, duration) }
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

/// An action that is measured.
struct MeasuredAction {
  /// The number of its kind.
  let kind: Int
  let node: Int?
  let instance: InstanceID?
  /// In nanoseconds.
  let start: Int
}
