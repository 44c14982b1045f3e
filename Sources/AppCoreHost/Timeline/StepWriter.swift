@_spi(Host) internal import AppCore
internal import CrashReporting
internal import Glibc
@_spi(Host) internal import Navigation
internal import Support
internal import Timeline

/// Codes steps on a thread of its own, keeps them, and writes them to a file.
///
/// The thread has the stack of a store's: states may be as deep as they are there.
actor StepWriter {
  private struct Content {
    var history: StepHistory
    var file: RecordingFile?
    /// How much was written since all of the app was, and how long that was.
    var bytesSince = 0
    var keyframeLength = 0
    var hasEnded = false
  }

  nonisolated let thread = StoreThread(name: "appcore-steps")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private nonisolated let content: Locked<Content>
  private nonisolated let header: @Sendable () -> RecordingHeader
  private nonisolated let tell: @Sendable (String) -> Void
  private nonisolated let calls: CallRecorder
  nonisolated let path: String?
  nonisolated let hasHistory: Bool
  private let encoder: StepEncoder
  private var isWatched = false
  private nonisolated let lastStep: Int?

  init(
    _ options: TimelineOptions, header: @escaping @Sendable () -> RecordingHeader, app: UInt32
  ) {
    self.header = header
    tell = options.tell
    path = options.file?.path
    hasHistory = options.historyLimit > 0
    lastStep = options.lastStep
    // As for the app's own thread, of several apps the first is the one that a supervisor sees.
    if app == 1, let page = WorkerPage.current {
      calls = CallRecorder(app: app, on: page, isOfSteps: true)
    } else {
      calls = CallRecorder(app: app)
    }
    encoder = StepEncoder(after: options.lastStep ?? 0, calls: calls)
    content = Locked(
      Content(history: StepHistory(limit: options.historyLimit), file: options.file))
  }

  /// Writes what the file begins with.
  nonisolated func begin() {
    // Of what was there before a crash nothing has its number any more.
    write([lastStep.map { RecordingLine.keyframe(step: $0, AppMoment()).text } ?? header().text])
  }

  /// Codes steps as long as there are any.
  func write(_ next: () -> [TakenStep]?) {
    if !isWatched {
      isWatched = true
      WatchedThreads.add(calls)
      SignalMask.unblock([Inquiry.signal])
      SignalStack.give()
    }
    while let steps = next() {
      var lines: [String] = []
      for step in steps { code(step, &lines) }
      if !lines.isEmpty { write(lines) }
    }
  }

  private func code(_ taken: TakenStep, _ lines: inout [String]) {
    let (needsKeyframe, fileNeedsKeyframe, hasFile) = content.withLock { content in
      (
        hasHistory && content.history.needsKeyframe,
        content.file != nil && content.bytesSince > max(1 << 16, 4 * content.keyframeLength),
        content.file != nil
      )
    }
    var keyframe: StepHistory.Line?
    if needsKeyframe || fileNeedsKeyframe {
      let number = encoder.stepNumber
      let whole = RecordingLine.keyframe(step: number, encoder.moment).text
      keyframe = StepHistory.Line(
        whole,
        open: encoder.hasSecrets
          ? RecordingLine.keyframe(step: number, encoder.openMoment).text : nil)
    }
    let coded = encoder.code(taken)
    let text = RecordingLine.step(coded.step).text
    let open = coded.open == coded.step ? text : RecordingLine.step(coded.open).text
    let kept = keyframe
    content.withLock { content in
      if hasHistory {
        content.history.append(
          coded.step.number, StepHistory.Line(text, open: open),
          keyframe: needsKeyframe ? kept : nil)
      }
      guard hasFile else { return }
      if fileNeedsKeyframe, let kept {
        let line = kept.open ?? kept.text
        content.keyframeLength = line.utf8.count
        content.bytesSince = 0
      }
      content.bytesSince += open.utf8.count
    }
    guard hasFile else { return }
    if fileNeedsKeyframe, let kept { lines.append(kept.open ?? kept.text) }
    lines.append(open)
  }

  /// Writes lines to the file; where that fails, nothing more is written.
  private nonisolated func write(_ lines: [String]) {
    let failure = content.withLock { content -> InputOutputError? in
      guard let file = content.file, !content.hasEnded else { return nil }
      do throws(InputOutputError) {
        try file.write(lines)
        return nil
      } catch {
        content.file = nil
        return error
      }
    }
    if let failure {
      tell(
        "the recording in '\(SafeText.line(path ?? ""))' ends here: \(failure)")
    }
  }

  nonisolated func withHistory<Result>(_ body: (StepHistory) -> Result) -> Result {
    content.withLock { body($0.history) }
  }

  /// Writes a recording of the history: the file is there complete, or as it was before.
  nonisolated func save(to path: String) throws(RecordingFileRefusal) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notRegular }
    let lines =
      [header().text] + content.withLock { $0.history.linesWithoutSecrets }
      + [RecordingLine.end(.ended).text]
    do throws(SystemError) {
      let replacement = try FileReplacement(of: path)
      do throws(SystemError) {
        for line in lines { try replacement.write(Array((line + "\n").utf8)) }
        try replacement.commit()
      } catch {
        replacement.discard()
        throw error
      }
      close(replacement.descriptor)
    } catch {
      throw .system(error.code)
    }
  }

  nonisolated func end(_ end: RecordingEnd) {
    write([RecordingLine.end(end).text])
    if end == .ended { content.withLock { $0.hasEnded = true } }
  }
}
