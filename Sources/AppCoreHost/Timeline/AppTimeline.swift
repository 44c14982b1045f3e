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
/// place in a queue.
package final class AppTimeline: @unchecked Sendable {
  // Unchecked: `tape`, `lines`, `scene` and what goes with them belong to the store's thread, and
  // everything else is behind a lock or belongs to the writer.

  /// How many steps wait for being coded.
  static let queueLimit = 4096
  /// For how long a step waits for room in the queue, in microseconds, where all are written to a file.
  private static let patience = 5_000_000

  private struct Queue {
    var steps: [TakenStep] = []
    /// Whether steps are being coded.
    var isBusy = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// How many steps were not kept since the last one that was.
    var skipped = 0
  }

  /// What the app's reducers read of date, ids and random numbers.
  let tape = DependencyTape()
  private var lines: [RecordedStep.Line] = [] {
    didSet { pendingLines.withLock { $0 = lines } }
  }
  /// The same, for the thread that reports a crash.
  private let pendingLines = Locked<[RecordedStep.Line]>([])
  private var scene: RecordedScene?
  private var sceneEdition: [Int] = []
  private var shared: SharedSnapshot?
  private var sharedEdition = 0
  private let storage: SharedStorage
  private let start: Int
  private let queue = Locked(Queue())
  private let writer: StepWriter
  private let writesAll: Bool
  private let app: UInt32

  /// - Parameters:
  ///   - options: what is kept.
  ///   - header: what a recording of the app begins with.
  ///   - app: the app's number, for naming features that fail.
  ///   - storage: where the app's shared values are.
  ///   - start: when the app began, in nanoseconds.
  init(
    _ options: TimelineOptions, header: @escaping @Sendable () -> RecordingHeader, app: UInt32,
    storage: SharedStorage, start: Int
  ) {
    self.start = start
    self.storage = storage
    self.app = app
    writesAll = options.file != nil
    writer = StepWriter(options, header: header, app: app)
    guard options.file != nil else { return }
    writer.begin()
    CrashListeners.add(app: app) { [weak self] report in self?.note(report) }
  }

  /// Writes whose code ends the process, behind all steps that can still be coded.
  private func note(_ report: CrashReport) {
    wait(milliseconds: 500)
    var crash = RecordedCrash(report)
    // Their step was not completed, so they are in none.
    let lines = pendingLines.withLock { $0 }.flatMap(\.scriptLines)
    if !lines.isEmpty { crash.fields["lines"] = lines.joined(separator: "\n") }
    writer.end(.crashed(crash))
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
    let edition = storage.edition
    if edition != sharedEdition {
      sharedEdition = edition
      shared = storage.snapshot()
    }
    var step = app.assumeIsolated { app in
      TakenStep(
        action: action, node: node, state: state, time: start - self.start, duration: duration,
        readings: tape.take(), lines: lines, scene: scene(of: app), shared: shared)
    }
    if !lines.isEmpty { lines = [] }
    var waited = 0
    while writesAll, queue.withLock({ $0.steps.count >= Self.queueLimit }), waited < Self.patience {
      usleep(200)
      waited += 200
    }
    let isIdle = queue.withLock { queue -> Bool in
      guard queue.steps.count < Self.queueLimit else {
        queue.skipped += 1
        return false
      }
      step.skipped = queue.skipped
      queue.skipped = 0
      queue.steps.append(step)
      defer { queue.isBusy = true }
      return !queue.isBusy
    }
    guard isIdle else { return }
    Task.detached { [self] in await writer.write { self.next() } }
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

  /// The steps that wait; `nil` where none does, and from then on nothing is coded.
  private func next() -> [TakenStep]? {
    let waiters = queue.withLock { queue -> [CheckedContinuation<Void, Never>]? in
      guard queue.steps.isEmpty else { return nil }
      queue.isBusy = false
      defer { queue.waiters = [] }
      return queue.waiters
    }
    if let waiters {
      for waiter in waiters { waiter.resume() }
      return nil
    }
    return queue.withLock { queue in
      defer { queue.steps = [] }
      return queue.steps
    }
  }

  /// Returns when all steps that were taken are coded.
  package func settle() async {
    await withCheckedContinuation { continuation in
      let isIdle = queue.withLock { queue in
        if queue.isBusy { queue.waiters.append(continuation) }
        return !queue.isBusy
      }
      if isIdle { continuation.resume() }
    }
  }

  /// Waits until all steps are coded, for so many milliseconds at most.
  package func wait(milliseconds: Int) {
    for _ in 0..<milliseconds {
      guard queue.withLock({ $0.isBusy }) else { return }
      usleep(1000)
    }
  }

  /// Reads the history.
  package func withHistory<Result>(_ body: (StepHistory) -> Result) -> Result {
    writer.withHistory(body)
  }

  /// Whether steps are kept in memory.
  package var hasHistory: Bool { writer.hasHistory }

  /// The path of the file that steps are written to.
  package var path: String? { writer.path }

  /// Writes what is in the history so far, as a recording of its own.
  package func save(to path: String) throws(RecordingFileRefusal) { try writer.save(to: path) }

  /// Writes how the recording ends, behind all steps, and closes it where the app has ended.
  package func end(_ end: RecordingEnd) {
    CrashListeners.remove(app: app)
    writer.end(end)
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
