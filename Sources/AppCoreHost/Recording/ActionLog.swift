@_spi(Host) internal import AppCore
internal import Glibc
package import Navigation
package import Shell
package import Support

/// A log of an app's latest actions and lines, in a ring buffer.
///
/// Entries are described in words only on request, so logging an action costs two readings of the
/// clock and an entry in the buffer and in ``times``.
package final class ActionLog {
  /// The subject of an entry.
  package enum Subject {
    /// A line gave a control an input.
    case activation(Activation, line: Int?)
    /// A line was a command, or was refused; its text without secrets.
    case typed(String, line: Int?)
    /// Something that happened to the app, such as a crash.
    case notice(String)
    /// An action was reduced; the node is that of its instance, `nil` if the instance was gone.
    case action(AppAction, node: Int?)
  }

  package struct Entry {
    package let number: Int
    package let subject: Subject
    /// How long an action took until its effects were started, in nanoseconds.
    package fileprivate(set) var duration: Int
    /// The entries of the journal that it caused: those after the lower bound, up to the upper one.
    package let events: Range<Int>
    /// Why the line was refused; `nil` if it was not.
    var refusal: Rejection?
  }

  /// How many entries are kept.
  package static let limit = 256

  /// How many entries have been added; also the number of the last one.
  package private(set) var count = 0
  private var ring: [Entry] = []
  /// How often each kind of action was reduced and each screen made, and how long that took.
  package let times: ActionTimes
  /// Reads a monotonic clock, in nanoseconds.
  let now: @Sendable () -> Int
  /// Records the measurements; `nil` without `--profile`.
  let profiler: Profiler?
  /// Returns the current graph.
  let graph: () -> Graph
  /// The latest action while its effects are being started; `nil` at other times.
  private(set) var latest: MeasuredAction?

  /// Creates an empty log.
  ///
  /// - Parameters:
  ///   - now: reads a monotonic clock, in nanoseconds.
  ///   - profiler: records the measurements.
  ///   - graph: returns the current graph.
  init(
    now: @escaping @Sendable () -> Int, profiler: Profiler?, graph: @escaping () -> Graph
  ) {
    self.now = now
    self.profiler = profiler
    self.graph = graph
    times = ActionTimes(ActionKinds { graph().nodes[$0].feature })
  }

  /// The entries after the first `count` ones, oldest first, as far as they are kept.
  package func entries(after count: Int = 0) -> [Entry] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (self.count - wanted..<self.count).map { ring[$0 % Self.limit] }
  }

  /// Logs an action that was reduced.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - node: the node of its instance; `nil` if there is none.
  ///   - start: when its reduction began, in nanoseconds.
  ///   - hasEffects: whether its effects are about to be started; if so, ``effectsDidStart()`` must
  ///     be called afterwards.
  ///   - events: the entries of the journal that it caused.
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

  /// Completes the measurement of the latest action, whose effects have now been started.
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

  /// Adds an entry.
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

  /// Marks the entry of a line as refused.
  ///
  /// - Returns: the entry; `nil` if it is no longer kept.
  package func refuse(_ number: Int, _ refusal: Rejection) -> Entry? {
    guard number > count - ring.count, number <= count else { return nil }
    let index = (number - 1) % Self.limit
    ring[index].refusal = refusal
    return ring[index]
  }
}

/// An action whose duration is measured.
struct MeasuredAction {
  /// The number of its kind, from ``ActionKinds``.
  let kind: Int
  let node: Int?
  let instance: InstanceID?
  /// When its reduction began, in nanoseconds.
  let start: Int
}
