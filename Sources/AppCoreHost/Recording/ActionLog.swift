@_spi(Host) internal import AppCore
package import Navigation
package import Shell
internal import Supervision
internal import Support

/// A log of an app's latest actions and lines, in a ring buffer.
///
/// Entries are described in words only on request, so logging an action costs two readings of the
/// clock and an entry in the buffer and in ``times``.
package final class ActionLog {
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
    /// The events of the journal that it caused: those after the lower bound, up to the upper one.
    package let events: Range<Int>
    /// Why the line was refused; `nil` if it was not.
    var refusal: Rejection?
  }

  /// An action whose duration is measured: the number of its kind, from ``ActionTimes``, and when its
  /// reduction began, in nanoseconds.
  private typealias MeasuredAction = (kind: Int, node: Int?, instance: InstanceID?, start: Int)

  package static let limit = 256

  /// How many entries have been added; also the number of the last one.
  package private(set) var count = 0
  private var ring: [Entry] = []
  /// How often each kind of action was reduced and each screen made, and how long that took.
  let times = ActionTimes()
  /// Reads a monotonic clock, in nanoseconds.
  let now: @Sendable () -> Int
  /// Records the measurements; `nil` without `--profile`.
  private let profiler: Profiler?
  var graph: Graph
  /// The latest action while its effects are being started; `nil` at other times.
  private var latest: MeasuredAction?
  /// Called with new entries, and how many there were when it was called last.
  private var observer: (@Sendable (ActionRecord) -> Void)?
  private var observedCount = 0
  /// How many entries there were when ``newOutline()`` was called last.
  private var outlinedCount = 0

  init(now: @escaping @Sendable () -> Int, profiler: Profiler?, graph: Graph) {
    self.now = now
    self.profiler = profiler
    self.graph = graph
  }

  /// The entries after the first `count` ones, oldest first, as far as they are kept.
  package func entries(after count: Int = 0) -> [Entry] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (self.count - wanted..<self.count).map { ring[$0 % Self.limit] }
  }

  /// Logs an action that was reduced, beginning at `start`, in nanoseconds.
  ///
  /// If it has effects, they are about to be started, which completes the measurement.
  func append(
    _ action: AppAction, node: Int?, start: Int, hasEffects: Bool, events: Range<Int>
  ) {
    let duration = hasEffects ? 0 : now() - start
    append(.action(action, node: node), duration: duration, events: events)
    var instance: InstanceID?
    if case .instance(let id, _) = action { instance = id }
    let kind = times.kind(of: action, node: node, in: graph)
    let measured = (kind, node, instance, start)
    if hasEffects { latest = measured } else { add(measured, duration) }
  }

  /// Completes the measurement of the latest action, whose effects have now been started.
  private func effectsDidStart() {
    guard let latest else { return }
    self.latest = nil
    let duration = now() - latest.start
    ring[(count - 1) % Self.limit].duration = duration
    add(latest, duration)
  }

  private func add(_ action: MeasuredAction, _ duration: Int) {
    times.add(duration, to: action.kind)
    profiler?.ran(
      times.name(of: action.kind), at: place(action.node, action.instance), from: action.start,
      for: duration)
  }

  /// Adds an entry that has caused nothing yet; `count` is the number of events so far.
  func append(_ subject: Subject, after count: Int, refusal: Rejection? = nil) {
    append(subject, events: count..<count, refusal: refusal)
  }

  private func append(
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

  /// Marks the entry of a line as refused, and calls the observer again if it has received it;
  /// returns `false` if the entry is no longer kept.
  func refuse(_ number: Int, _ refusal: Rejection, _ journal: Journal) -> Bool {
    guard number > count - ring.count, number <= count else { return false }
    let index = (number - 1) % Self.limit
    ring[index].refusal = refusal
    if number <= observedCount { observer?(record(ring[index], journal)) }
    return true
  }

  // MARK: Observing

  /// Calls `body` with each entry from now on; `nil` stops that.
  func observe(_ body: (@Sendable (ActionRecord) -> Void)?) {
    observer = body
    observedCount = count
  }

  /// Calls the observer with the entries since its last call.
  func notifyObserver(_ journal: @autoclosure () -> Journal) {
    guard let observer else { return }
    let records = records(after: observedCount, journal())
    observedCount = count
    for record in records { observer(record) }
  }

  /// Descriptions of the entries after the first `number` ones, oldest first.
  func records(after number: Int, _ journal: Journal) -> [ActionRecord] {
    entries(after: number).map { record($0, journal) }
  }

  /// The entries since the last call, a line each, without what was typed, what actions contain and
  /// what the screen shows; the latest ones of many.
  ///
  /// No code of a plugin runs: an action is named by its kind.
  func newOutline() -> [String] {
    defer { outlinedCount = count }
    return entries(after: outlinedCount).suffix(WatchedApp.logLimit).map { entry in
      let text =
        switch entry.subject {
        case .activation(let activation, let line): Self.lead(line) + activation.outline
        case .typed(let text, let line): Self.subject(ofLine: text, line)
        case .notice: "a notice"
        case .action(let action, let node):
          (node.map { graph.nodes[$0].name + ": " } ?? "")
            + times.name(of: times.kind(of: action, node: node, in: graph))
        }
      return entry.refusal.map { "\(text) [\($0.code)]" } ?? text
    }
  }

  // MARK: Measuring

  /// Measures until the effects of an action have been started, and records for the profiler when
  /// effects begin and end.
  func measureEffects(of store: Store<AppState, AppAction>) {
    store.onStartedEffects { self.effectsDidStart() }
    guard let profiler else { return }
    store.onEffects(of: InstanceScope.self) { [unowned self] id, scope in
      // Effects that begin are those of the latest action.
      let name = latest.map { times.name(of: $0.kind) }
      profiler.effectBegan(id, name, at: place(scope.map { Int($0.node) }, scope?.id))
    } ended: {
      profiler.effectEnded($0)
    }
    profiler.begin()
  }

  func measureScreen<Result>(
    of feature: String, node: Int, instance: InstanceID, _ make: () -> Result
  ) -> Result {
    let start = now()
    let screen = make()
    let duration = now() - start
    let name = feature + ".screen()"
    times.add(duration, to: times.kind(named: name))
    profiler?.ran(name, at: place(node, instance), from: start, for: duration)
    return screen
  }

  private func place(_ node: Int?, _ instance: InstanceID?) -> Profiler.Place? {
    guard profiler != nil, let node, let instance else { return nil }
    return (graph.nodes[node].name, instance)
  }
}

/// Counts and durations of an app's actions and screens since it began, by kind; each case of a
/// feature's action type is a kind, and the screens of a feature are one.
///
/// A kind gets its number when it is first seen.
final class ActionTimes {
  /// The actions of one kind, or the screens of one feature.
  struct Entry {
    /// The kind, such as `Packages.List.view.rowTapped` or `Packages.List.screen()`.
    let action: String
    var count = 0
    /// The sum of the durations, and the longest one, in nanoseconds.
    var total = 0
    var longest = 0

    var mean: Double { Double(total) / Double(count) }
  }

  /// The kinds, by their numbers.
  private var kinds: [Entry] = []
  private var numbers: [String: Int] = [:]
  private var readers: [Reader?] = []
  private let own = Reader(ActionCases(AppAction.self), of: "appcore")

  /// The kinds that have occurred, sorted by total duration, the longest first.
  var entries: [Entry] {
    kinds.filter { $0.count > 0 }.sorted { ($1.total, $0.action) < ($0.total, $1.action) }
  }

  /// The name of a kind, such as `Packages.List.view.rowTapped`.
  func name(of kind: Int) -> String { kinds[kind].action }

  /// Adds an action of a kind, with its duration in nanoseconds.
  func add(_ duration: Int, to kind: Int) {
    kinds[kind].count += 1
    kinds[kind].total += duration
    kinds[kind].longest = max(kinds[kind].longest, duration)
  }

  /// The number of an action's kind.
  ///
  /// `node` is that of its instance; `nil` if the instance is gone.
  ///
  /// - Complexity: O(1); only the first action of a kind allocates memory.
  func kind(of action: AppAction, node: Int?, in graph: Graph) -> Int {
    guard case .instance(_, let action) = action else {
      return kind(own.cases.number(of: action), in: own)
    }
    // The instance is gone, so its feature is not known.
    guard let node else { return kind(named: "appcore.dropped") }
    if node < readers.count, let reader = readers[node],
      let index = reader.cases.number(of: action)
    {
      return kind(index, in: reader)
    }
    // The first action of its node, or the first one of another build of its feature.
    let reader = Reader(ActionCases(of: action), of: graph.nodes[node].feature ?? "")
    while readers.count <= node { readers.append(nil) }
    readers[node] = reader
    return kind(reader.cases.number(of: action) ?? 0, in: reader)
  }

  private func kind(_ index: Int, in reader: Reader) -> Int {
    if reader.kinds[index] < 0 {
      reader.kinds[index] = kind(named: "\(reader.owner).\(reader.cases.names[index])")
    }
    return reader.kinds[index]
  }

  /// The number of the kind with a name, such as `Packages.List.screen()`.
  func kind(named name: String) -> Int {
    if let number = numbers[name] { return number }
    kinds.append(Entry(action: name))
    numbers[name] = kinds.count - 1
    return kinds.count - 1
  }

  /// Determines the kinds of actions of one type.
  private final class Reader {
    let cases: ActionCases
    let owner: String
    /// The kind of each case; -1 before it is seen.
    var kinds: [Int]

    init(_ cases: ActionCases, of owner: String) {
      self.cases = cases
      self.owner = owner
      kinds = Array(repeating: -1, count: cases.names.count)
    }
  }
}
