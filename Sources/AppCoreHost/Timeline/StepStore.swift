@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import Sessions
internal import Supervision
internal import Support

/// Stores an app's encoded steps, in the history and in the file.
final class StepStore: Sendable {
  /// The file, with what decides when it needs a keyframe.
  private struct Output {
    /// The file; `nil` if there is none, the app has ended, or writing to it has failed.
    var file: RecordingFile?
    /// The bytes of steps since the last keyframe, and the length of that keyframe in bytes.
    var bytesSince = 0
    var keyframeLength = 0

    var needsKeyframe: Bool {
      file != nil && bytesSince > max(1 << 16, 4 * keyframeLength)
    }

    /// Closes the file, so that nothing more is written.
    mutating func close() {
      file?.close()
      file = nil
    }
  }

  // Two locks: the store's thread reads the history, and must not wait for a disk.
  private let kept: Locked<StepHistory>
  private let output: Locked<Output>
  /// The size of each instance's state, in bytes, as an estimate.
  private let sizes = Locked<[InstanceID: Int]>([:])
  /// The builds of the app, each with the number of its first step.
  private let builds: Locked<[(first: Int, header: @Sendable () -> RecordingHeader)]>
  let secrets: SecretTexts
  let options: TimelineOptions

  init(
    _ options: TimelineOptions, secrets: SecretTexts,
    header: @escaping @Sendable () -> RecordingHeader
  ) {
    self.secrets = secrets
    self.options = options
    kept = Locked(StepHistory(limit: options.historyLimit))
    output = Locked(Output(file: options.file))
    builds = Locked([(0, header)])
  }

  /// Writes the header; in a continued file, an empty keyframe instead.
  func begin() {
    // After a crash all instances have new numbers, so none of the old ones exist.
    write([
      options.lastStep.map { RecordingLine.keyframe(step: $0, AppMoment()).text }
        ?? header(of: 0).text
    ])
  }

  /// Describes the build that made a step.
  func header(of step: Int) -> RecordingHeader {
    let make = builds.withLock { builds in
      builds.last { $0.first <= step }?.header ?? builds[0].header
    }
    return make()
  }

  // MARK: On the writer's thread

  /// Whether the history or the file needs a keyframe before the next step.
  var needsKeyframe: Bool {
    (options.hasHistory && kept.withLock { $0.needsKeyframe })
      || output.withLock { $0.needsKeyframe }
  }

  /// Stores a step, after a keyframe if the history or the file needs one; `lines` receives the
  /// lines to write to the file.
  func keep(
    _ step: RecordedStep, _ line: StepHistory.Line, keyframe: StepHistory.Line?,
    _ lines: inout [String]
  ) {
    if let build = step.build { builds.withLock { $0.append((step.number, { build })) } }
    if options.hasHistory {
      kept.withLock { history in
        history.append(
          step.number, line, keyframe: history.needsKeyframe ? keyframe : nil)
      }
    }
    output.withLock { output in
      guard output.file != nil else { return }
      if output.needsKeyframe, let keyframe {
        let line = keyframe.redacted ?? keyframe.text
        (output.keyframeLength, output.bytesSince) = (line.utf8.count, 0)
        lines.append(line)
      }
      let text = line.redacted ?? line.text
      output.bytesSince += text.utf8.count
      lines.append(text)
    }
  }

  /// Writes lines to the file; after a failure, nothing more is written.
  func write(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let failure = output.withLock { output -> InputOutputError? in
      guard let file = output.file else { return nil }
      do throws(InputOutputError) {
        try file.write(lines)
        return nil
      } catch {
        output.close()
        return error
      }
    }
    if let failure {
      options.report(
        "the recording in '\(SafeText.line(options.file?.path ?? ""))' ends here: \(failure)")
    }
  }

  func update(_ sizes: [InstanceID: Int], removed: [InstanceID]) {
    guard !sizes.isEmpty || !removed.isEmpty else { return }
    self.sizes.withLock { known in
      for id in removed { known[id] = nil }
      known.merge(sizes) { $1 }
    }
  }

  // MARK: On any thread

  /// The memory that an instance's step occupies before it is encoded, in bytes, as an estimate.
  ///
  /// It is the size of the state that the step wrote, plus a constant.
  func size(of instance: InstanceID?) -> Int {
    let state = instance.flatMap { id in sizes.withLock { $0[id] } } ?? 0
    return state + 1024
  }

  var history: StepHistory { kept.withLock { $0 } }

  /// Writes the history as a recording, replacing the file atomically.
  ///
  /// - Throws: why the file can't be written; it is unchanged.
  func save(to path: String) throws(SystemError) {
    let history = history
    let lines =
      [header(of: history.numbers.lowerBound).text] + history.linesWithoutSecrets
      + [RecordingLine.end.text]
    let replacement = try FileReplacement(of: path)
    try replacement.complete { () throws(SystemError) in
      for line in lines { try replacement.write(Array((line + "\n").utf8)) }
    }
  }

  /// Writes that the app has ended, and closes the file.
  func end() {
    write([RecordingLine.end.text])
    output.withLock { $0.close() }
  }
}

/// Encodes and stores steps on a thread of its own.
///
/// The thread's stack is as large as that of the store's thread, so that it can encode any state.
actor StepWriter {
  nonisolated let thread = StoreThread(name: "appcore-steps")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private nonisolated let calls: CallRecorder
  private let store: StepStore
  private let encoder: StepEncoder
  private var isWatched = false

  init(_ store: StepStore, app: UInt32) {
    self.store = store
    // A supervisor observes the first app of a process only, as it does with the app's own thread.
    calls = CallRecorder(app: app, on: app == 1 ? SharedCrashPage.current?.stepRecord : nil)
    encoder = StepEncoder(after: store.options.lastStep ?? 0, calls: calls, secrets: store.secrets)
  }

  func write(_ next: () -> [CapturedStep]?) {
    if !isWatched {
      isWatched = true
      WatchedThreads.add(calls)
      SignalMask.unblock([ThreadProbe.signal])
      SignalStack.give()
    }
    while let steps = next() {
      var lines: [String] = []
      for step in steps { encode(step, &lines) }
      store.write(lines)
    }
  }

  private func encode(_ captured: CapturedStep, _ lines: inout [String]) {
    let keyframe = store.needsKeyframe ? encoder.keyframe : nil
    let (step, redacted) = encoder.encode(captured)
    store.update(encoder.sizes, removed: step.change.removed)
    let line = StepHistory.Line(.step(step), redacted: redacted == step ? nil : .step(redacted))
    store.keep(step, line, keyframe: keyframe, &lines)
  }
}
