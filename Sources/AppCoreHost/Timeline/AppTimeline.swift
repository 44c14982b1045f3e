@_spi(Host) internal import AppCore
internal import CrashReporting
internal import Glibc
@_spi(Host) package import Navigation
internal import Support
package import Timeline

/// What is kept of an app's steps.
package struct TimelineOptions: Sendable {
  /// How many bytes of steps are kept in memory, to be rewound; none where it is 0.
  package var historyLimit = 16 << 20
  /// The file to which all steps are written; `nil` for none.
  package var file: RecordingFile?
  /// The number of the last step in the file, where it is continued.
  package var lastStep: Int?
  /// Takes what keeps the file from being written, once.
  package var tell: @Sendable (String) -> Void = { _ in }

  package init() {}

  /// Whether nothing is kept.
  var isOff: Bool { historyLimit == 0 && file == nil }
}

/// Takes the steps of an app: on the store's thread as they are, and codes them on a thread of its own.
///
/// What the store's thread does for a step is a copy of the app's state, which shares everything, and a
/// place in a queue. Steps that are written to a file are coded at once. Others are coded once there
/// are a few of them, or when somebody asks, so that an app that nobody rewinds does not pay for it.
package final class AppTimeline: @unchecked Sendable {
  // Unchecked: `tape`, `lines`, `scene` and what goes with them belong to the store's thread, and
  // everything else is behind a lock or belongs to the writer.

  /// How many steps wait for being coded.
  static let queueLimit = 4096
  /// How many steps wait where they are not written to a file; the first ones wait less, because
  /// how large their states are is not known.
  private static let restingLimit = 64
  private static let firstLimit = 8
  /// For how long a step waits for room in the queue, in microseconds, where all are written to a file.
  private static let patience = 5_000_000

  private struct Queue {
    var steps: [TakenStep] = []
    /// How many bytes the states of all steps may take that are not coded.
    var bytes = 0
    /// The same of the steps that are being coded.
    var bytesAtWork = 0
    /// Whether steps are being coded.
    var isBusy = false
    /// How many steps were ever taken, and how many of them were coded.
    var taken = 0
    var coded = 0
    /// Those who wait for a number of coded steps.
    var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []
    /// How many steps were not kept since the last one that was.
    var skipped = 0
  }

  /// What the app's reducers read of date, ids and random numbers.
  let tape = DependencyTape()
  private var lines: [RecordedStep.Line] = [] {
    didSet { if writesAll { pendingLines.withLock { $0 = lines } } }
  }
  /// The same, for the thread that reports a crash.
  private let pendingLines = Locked<[RecordedStep.Line]>([])
  private var scene: RecordedScene?
  private var sceneEdition: [Int] = []
  private var shared: SharedSnapshot?
  private var sharedEditions = (changes: 0, additions: 0)
  private let storage: SharedStorage
  /// When the app began, in seconds since 1970.
  private let begun: Int
  private let start: Int
  /// The edition of what the app is made of, as the last step has it; `nil` before the first.
  private var buildEdition: Int?
  private let queue = Locked(Queue())
  private let store: StepStore
  private let writer: Locked<StepWriter?> = Locked(nil)
  private let writesAll: Bool
  /// How many bytes of states may wait, by an estimate.
  private let bytesLimit: Int
  private let app: UInt32

  /// - Parameters:
  ///   - options: what is kept.
  ///   - loaded: the app as it begins.
  ///   - app: the app's number, for naming features that fail.
  ///   - storage: where the app's shared values are.
  ///   - start: when the app began, in nanoseconds.
  init(
    _ options: TimelineOptions, of loaded: LoadedApp, app: UInt32, storage: SharedStorage,
    start: Int
  ) {
    let begun = time(nil)
    self.begun = begun
    self.start = start
    self.storage = storage
    self.app = app
    sharedEditions.changes = storage.editions.changes
    // The header of a file that is continued may be that of other builds.
    if options.lastStep != nil { buildEdition = -1 }
    writesAll = options.file != nil
    // A few steps have room, however little is kept of them.
    bytesLimit = max(max(options.historyLimit, writesAll ? 16 << 20 : 0) / 20, 1 << 18)
    store = StepStore(options) { loaded.recordingHeader(begun: begun) }
    guard options.file != nil else { return }
    store.begin()
    CrashListeners.add(app: app) { [weak self] report in self?.note(report) }
  }

  /// Writes whose code ends the process, behind all steps that can still be coded.
  private func note(_ report: CrashReport) {
    wait(milliseconds: 500)
    var crash = RecordedCrash(report)
    // Their step was not completed, so they are in none.
    let lines = pendingLines.withLock { $0 }.flatMap(\.scriptLines)
    if !lines.isEmpty { crash.fields["lines"] = lines.joined(separator: "\n") }
    crash.fields = crash.fields.mapValues(store.secrets.redact)
    store.end(.crashed(crash))
  }

  // MARK: On the store's thread

  /// Notes a line that is being carried out.
  package func note(_ line: RecordedStep.Line) {
    // Those that lead to nothing are told of with the next step, but not without end.
    if lines.count == 64 { lines.removeFirst() }
    lines.append(line)
  }

  /// Forgets a line that was refused.
  package func forget(line text: @autoclosure () -> String) {
    if let last = lines.last, last.text == text() { lines.removeLast() }
  }

  /// Takes a step.
  func take(
    _ action: AppAction, node: Int?, _ state: AppState, start: Int, duration: Int, in app: App
  ) {
    let sharesNews = takeShared()
    var step = app.assumeIsolated { app in
      var step = TakenStep(
        action: action, node: node, state: state, time: start - self.start, duration: duration,
        readings: tape.take(), lines: lines, scene: scene(of: app), shared: shared)
      if app.buildEdition != buildEdition {
        note(app.current, in: &step)
        buildEdition = app.buildEdition
      }
      return step
    }
    step.sharesNews = sharesNews
    if !lines.isEmpty { lines = [] }
    var instance: UInt64?
    if case .instance(let id, _) = action { instance = id.number }
    step.estimatedSize = store.size(of: instance)
    var waited = 0
    while writesAll, queue.withLock({ isFull($0, step) }), waited < Self.patience {
      usleep(200)
      waited += 200
    }
    let begins = queue.withLock { queue -> Bool in
      guard !isFull(queue, step) else {
        queue.skipped += 1
        // The next one that is kept tells of it.
        if step.secrets != nil { buildEdition = -1 }
        return startsCoding(&queue)
      }
      step.skipped = queue.skipped
      queue.skipped = 0
      queue.steps.append(step)
      queue.taken += 1
      queue.bytes += step.estimatedSize
      return (writesAll || isDue(queue)) && startsCoding(&queue)
    }
    if begins { code() }
  }

  /// Takes the shared values as they are, where they have changed.
  ///
  /// - Returns: whether they were changed elsewhere than by the reducer of this step.
  private func takeShared() -> Bool {
    let editions = storage.editions
    guard editions != sharedEditions else { return false }
    let sharesNews = editions.changes - sharedEditions.changes != tape.sharedChanges
    sharedEditions = editions
    // First, so that a value that nobody uses any more is not kept by one snapshot after the other.
    shared = nil
    shared = storage.snapshot()
    if shared?.isEmpty ?? false { shared = nil }
    return sharesNews
  }

  /// Whether there is no room for a step; for one alone there always is.
  private func isFull(_ queue: Queue, _ step: TakenStep) -> Bool {
    queue.steps.count >= Self.queueLimit
      || (queue.bytes > 0 && queue.bytes + step.estimatedSize > bytesLimit)
  }

  private func isDue(_ queue: Queue) -> Bool {
    let limit = queue.coded == 0 ? Self.firstLimit : Self.restingLimit
    return queue.steps.count >= limit || queue.bytes > bytesLimit / 2
  }

  /// - Returns: whether the caller has to call ``code()``.
  private func startsCoding(_ queue: inout Queue) -> Bool {
    defer { queue.isBusy = true }
    return !queue.isBusy
  }

  /// Notes what the app is made of from a step on.
  private func note(_ loaded: LoadedApp, in step: inout TakenStep) {
    // What it begins with is in the header.
    if buildEdition != nil { step.build = { [begun] in loaded.recordingHeader(begun: begun) } }
    step.secrets = { loaded.givenSecrets }
  }

  private func scene(of app: isolated App) -> RecordedScene {
    let edition = [app.features.edition, app.suspensionEdition, app.graph.nodes.count]
    if let scene, sceneEdition == edition { return scene }
    let new = RecordedScene(
      graph: app.graph, features: app.features.made, suspended: app.suspended)
    (scene, sceneEdition) = (new, edition)
    return new
  }

  // MARK: On any thread

  private func code() {
    let writer = writer.withLock { writer in
      if writer == nil { writer = StepWriter(store, app: app) }
      return writer
    }
    Task.detached { [self] in await writer?.write { self.next() } }
  }

  /// The steps that wait; `nil` where none does, and from then on nothing is coded.
  private func next() -> [TakenStep]? {
    let (steps, waiters) = queue.withLock { queue in
      queue.bytes -= queue.bytesAtWork
      queue.coded = queue.taken - queue.steps.count
      let ready = queue.waiters.filter { $0.count <= queue.coded }
      queue.waiters.removeAll { $0.count <= queue.coded }
      queue.bytesAtWork = queue.bytes
      queue.isBusy = !queue.steps.isEmpty
      defer { queue.steps = [] }
      return (queue.steps, ready)
    }
    for (_, waiter) in waiters { waiter.resume() }
    return steps.isEmpty ? nil : steps
  }

  /// Returns when all steps that have been taken so far are coded.
  package func settle() async {
    await withCheckedContinuation { continuation in
      let (isDone, begins) = queue.withLock { queue in
        guard queue.coded < queue.taken else { return (true, false) }
        queue.waiters.append((queue.taken, continuation))
        return (false, startsCoding(&queue))
      }
      if isDone { continuation.resume() }
      if begins { code() }
    }
  }

  /// Waits until all steps are coded, for so many milliseconds at most.
  package func wait(milliseconds: Int) {
    for _ in 0..<milliseconds {
      guard queue.withLock({ $0.isBusy }) else { return }
      usleep(1000)
    }
  }

  /// How many steps are not coded yet, and how many bytes they take by an estimate.
  package var backlog: (steps: Int, bytes: Int) {
    queue.withLock { ($0.taken - $0.coded, $0.bytes) }
  }

  /// Reads the history.
  package func withHistory<Result>(_ body: (StepHistory) -> Result) -> Result {
    store.withHistory(body)
  }

  /// Whether steps are kept in memory.
  package var hasHistory: Bool { store.hasHistory }

  /// The path of the file that steps are written to.
  package var path: String? { store.path }

  /// Writes what is in the history so far, as a recording of its own.
  package func save(to path: String) throws(RecordingFileRefusal) { try store.save(to: path) }

  /// Writes how the recording ends, behind all steps, and closes it where the app has ended.
  package func end(_ end: RecordingEnd) async {
    guard writesAll else { return }
    await settle()
    CrashListeners.remove(app: app)
    store.end(end)
  }
}

extension RecordedCrash {
  /// What a recording has of a crash.
  package init(_ report: CrashReport) {
    self.init(fields: [
      "plugin": report.plugin, "feature": report.feature, "node": report.node,
      "instance": report.instance, "call": report.call, "action": report.action,
      "place": report.place, "cause": report.cause,
    ])
  }
}
