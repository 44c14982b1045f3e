@_spi(Host) internal import AppCore
internal import Glibc
@_spi(Host) package import Navigation
package import Sessions
internal import Supervision
internal import Support

/// Where an app's steps are stored: in memory, in a file, or both.
package struct TimelineOptions: Sendable {
  /// The size of the history in memory, for rewinding, in bytes; 0 for no history.
  package var historyLimit = 16 << 20
  /// The file that all steps are written to; `nil` for none.
  package var file: RecordingFile?
  /// The number of the last step in the file, if the file is continued.
  package var lastStep: Int?
  /// Receives a message when writing to the file fails, after which nothing more is written.
  package var report: @Sendable (String) -> Void = { _ in }

  package init() {}

  var hasHistory: Bool { historyLimit > 0 }
}

/// Records the steps of an app.
///
/// The store's thread only copies the app's state, which is copy-on-write, and adds the step to a
/// queue. Another thread encodes the steps. If they are written to a file, it begins at once;
/// otherwise it begins when some steps are queued or ``settle()`` is called, so that recording
/// costs little until the app is rewound.
package final class StepRecorder: @unchecked Sendable {
  // Unchecked: the mutable properties without a lock are used on the store's thread only.

  static let queueLimit = 4096
  /// The number of queued steps at which encoding begins if they are not written to a file.
  ///
  /// The first steps are encoded sooner, because the sizes of their states are not known yet.
  private static let restingLimit = 64
  private static let firstLimit = 8
  /// How long a step that is written to a file waits for room in the queue, in microseconds.
  private static let timeout = 5_000_000

  private struct Queue {
    var steps: [CapturedStep] = []
    /// The size of all steps that are not encoded yet, in bytes, as an estimate.
    var bytes = 0
    /// The part of ``bytes`` that belongs to the steps that are being encoded.
    var bytesAtWork = 0
    var isBusy = false
    /// The total number of steps that were queued, and how many of them are encoded.
    var queued = 0
    var encoded = 0
    /// The callers that wait until a number of steps are encoded.
    var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []
    /// How many steps were dropped since the last queued one.
    var skipped = 0
  }

  /// The dates, unique ids and random numbers that the app's reducers read.
  let tape = DependencyTape()
  /// The lines that were typed since the last queued step.
  private var lines: [RecordedStep.Line] = [] {
    didSet { if writesAll { pendingLines.withLock { $0 = lines } } }
  }
  /// A copy of ``lines`` for the thread that reports a crash.
  private let pendingLines = Locked<[RecordedStep.Line]>([])
  /// Whether shared values have changed outside of reducers since the last queued step.
  private var sharedStateChanged = false
  private var shared: SharedSnapshot?
  private var sharedCounts = (changes: 0, additions: 0)
  private let storage: SharedStorage
  /// When the app began, in seconds since 1970.
  private let begun: Int
  private let start: Int
  /// The build edition of the app at the last step.
  ///
  /// `nil` before the first step; -1 if the next step must contain the build.
  private var buildEdition: Int?
  private let queue = Locked(Queue())
  let store: StepStore
  private let writer: Locked<StepWriter?> = Locked(nil)
  private let writesAll: Bool
  /// The maximum size of the queued steps, in bytes, as an estimate.
  private let bytesLimit: Int
  private let app: UInt32

  /// Creates a recorder of an app that began at `start`, in nanoseconds, and begins its file if
  /// there is one; `app` is the app's number, for crash reports.
  init(
    _ options: TimelineOptions, of loaded: LoadedApp, app: UInt32, storage: SharedStorage,
    secrets: SecretTexts, start: Int
  ) {
    let begun = time(nil)
    self.begun = begun
    self.start = start
    self.storage = storage
    self.app = app
    sharedCounts.changes = storage.counts.changes
    // The header of a continued file may describe other builds.
    if options.lastStep != nil { buildEdition = -1 }
    writesAll = options.file != nil
    // There is room for a few steps, however small the history is.
    bytesLimit = max(max(options.historyLimit, writesAll ? 16 << 20 : 0) / 20, 1 << 18)
    store = StepStore(options, secrets: secrets) { loaded.recordingHeader(begun: begun) }
    guard options.file != nil else { return }
    store.begin()
    WatchedApp.update(app) { $0.crashListener = { [weak self] report in self?.write(report) } }
  }

  /// Writes a crash to the file, after the steps that can be encoded within half a second.
  private func write(_ report: CrashReport) {
    wait(milliseconds: 500)
    var crash = RecordedCrash(report)
    // The step of these lines was not completed, so no recorded step contains them.
    let lines = pendingLines.withLock { $0 }.flatMap(\.scriptLines)
    if !lines.isEmpty { crash.fields["lines"] = lines.joined(separator: "\n") }
    crash.fields = crash.fields.mapValues(store.secrets.redact)
    store.write([RecordingLine.crash(crash).text])
  }

  // MARK: On the store's thread

  /// Adds a line that is about to be carried out to the next step.
  package func add(_ line: RecordedStep.Line) {
    // Lines that lead to no step belong to the next one; only the latest 64 are kept.
    if lines.count == 64 { lines.removeFirst() }
    lines.append(line)
  }

  /// Removes the last line if it is this one, because it was refused.
  package func remove(line text: @autoclosure () -> String) {
    if let last = lines.last, last.text == text() { lines.removeLast() }
  }

  /// Adds the step of an action to the queue, or drops it if the queue is full.
  ///
  /// The state is that after the step, and times are in nanoseconds on the clock of the app's start.
  func capture(
    _ action: AppAction, node: Int?, _ state: AppState, start: Int, duration: Int, in app: App
  ) {
    sharedStateChanged = captureShared() || sharedStateChanged
    var instance: InstanceID?
    if case .instance(let id, _) = action { instance = id }
    var step = app.assumeIsolated { app in
      var step = RecordedStep(
        number: 0, time: (start - self.start) / 1000, duration: duration, origin: .navigation,
        node: node.map { app.graph.nodes[$0].name }, instance: instance, text: "")
      step.readings = tape.take()
      step.lines = lines
      step.sharedStateChanged = sharedStateChanged
      var captured = CapturedStep(
        step, action, state, app.graph, app.features.made, suspended: app.keeper.suspended, shared)
      if app.reloader.edition != buildEdition {
        let loaded = app.current
        // The header contains the first build.
        if buildEdition != nil {
          captured.build = { [begun] in loaded.recordingHeader(begun: begun) }
        }
        captured.secrets = { loaded.givenSecrets }
        buildEdition = app.reloader.edition
      }
      return captured
    }
    step.estimatedSize = store.size(of: instance)
    var waited = 0
    while writesAll, queue.withLock({ isFull($0, step) }), waited < Self.timeout {
      usleep(200)
      waited += 200
    }
    var isDropped = false
    let begins = queue.withLock { queue -> Bool in
      isDropped = isFull(queue, step)
      guard !isDropped else {
        queue.skipped += 1
        return startsEncoding(&queue)
      }
      step.step.skipped = queue.skipped
      queue.skipped = 0
      queue.steps.append(step)
      queue.queued += 1
      queue.bytes += step.estimatedSize
      return (writesAll || isDue(queue)) && startsEncoding(&queue)
    }
    if isDropped {
      // The lines, the build and the changes of shared values belong to the next queued step.
      if step.secrets != nil { buildEdition = -1 }
    } else {
      if !lines.isEmpty { lines = [] }
      sharedStateChanged = false
    }
    if begins { encode() }
  }

  /// Takes a new snapshot of the shared values if they have changed; returns whether anything other
  /// than this step's reducer has changed them.
  private func captureShared() -> Bool {
    let counts = storage.counts
    guard counts != sharedCounts else { return false }
    let sharedStateChanged = counts.changes - sharedCounts.changes != tape.sharedChanges
    sharedCounts = counts
    // Release the old snapshot first, so that the new one does not retain unused values.
    shared = nil
    shared = storage.snapshot()
    if shared?.isEmpty ?? false { shared = nil }
    return sharedStateChanged
  }

  /// Whether there is no room for a step; an empty queue always has room for one.
  private func isFull(_ queue: Queue, _ step: CapturedStep) -> Bool {
    queue.steps.count >= Self.queueLimit
      || (queue.bytes > 0 && queue.bytes + step.estimatedSize > bytesLimit)
  }

  /// Whether enough steps are queued to begin encoding them.
  private func isDue(_ queue: Queue) -> Bool {
    let limit = queue.encoded == 0 ? Self.firstLimit : Self.restingLimit
    return queue.steps.count >= limit || queue.bytes > bytesLimit / 2
  }

  /// Marks encoding as begun; returns whether the caller must call ``encode()``, because it was not
  /// under way.
  private func startsEncoding(_ queue: inout Queue) -> Bool {
    defer { queue.isBusy = true }
    return !queue.isBusy
  }

  // MARK: On any thread

  /// Encodes the queued steps on the writer's thread.
  private func encode() {
    let writer = writer.withLock { writer in
      if writer == nil { writer = StepWriter(store, app: app) }
      return writer
    }
    Task.detached { [self] in await writer?.write { self.next() } }
  }

  /// Takes all steps off the queue, and resumes those who waited for the previous ones; returns `nil`
  /// if there are none, after which encoding has ended.
  private func next() -> [CapturedStep]? {
    let (steps, waiters) = queue.withLock { queue in
      queue.bytes -= queue.bytesAtWork
      queue.encoded = queue.queued - queue.steps.count
      let ready = queue.waiters.filter { $0.count <= queue.encoded }
      queue.waiters.removeAll { $0.count <= queue.encoded }
      queue.bytesAtWork = queue.bytes
      queue.isBusy = !queue.steps.isEmpty
      defer { queue.steps = [] }
      return (queue.steps, ready)
    }
    for (_, waiter) in waiters { waiter.resume() }
    return steps.isEmpty ? nil : steps
  }

  /// Waits until all steps that have been queued so far are encoded.
  package func settle() async {
    await withCheckedContinuation { continuation in
      let (isDone, begins) = queue.withLock { queue in
        guard queue.encoded < queue.queued else { return (true, false) }
        queue.waiters.append((queue.queued, continuation))
        return (false, startsEncoding(&queue))
      }
      if isDone { continuation.resume() }
      if begins { encode() }
    }
  }

  /// Blocks until the encoding that is under way has ended, for at most this many milliseconds.
  package func wait(milliseconds: Int) {
    for _ in 0..<milliseconds {
      guard queue.withLock({ $0.isBusy }) else { return }
      usleep(1000)
    }
  }

  /// The number of steps that are not encoded yet, and their size in bytes, as an estimate.
  package var backlog: (steps: Int, bytes: Int) {
    queue.withLock { ($0.queued - $0.encoded, $0.bytes) }
  }

  package var history: StepHistory { store.history }

  /// Waits until all steps are written to the file, if there is one, then writes that the app ended.
  package func end() async {
    guard writesAll else { return }
    await settle()
    WatchedApp.update(app) { $0.crashListener = nil }
    store.end()
  }
}

extension RecordedCrash {
  /// Creates the form of a crash report that is written to a recording.
  package init(_ report: CrashReport) {
    self.init(fields: [
      "plugin": report.plugin, "feature": report.feature, "node": report.node,
      "instance": report.instance, "call": report.call, "action": report.action,
      "place": report.place, "cause": report.cause,
    ])
  }
}
