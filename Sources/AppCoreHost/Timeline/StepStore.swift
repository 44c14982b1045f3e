internal import Glibc
internal import Sessions
internal import Support
internal import Timeline

/// What is kept of an app's steps once they are coded: the history, and the file.
final class StepStore: Sendable {
  /// The file, and what has been written to it.
  private struct Output {
    var file: RecordingFile?
    /// How much was written since all of the app was, and how long that was.
    var bytesSince = 0
    var keyframeLength = 0
    var hasEnded = false

    var needsKeyframe: Bool {
      file != nil && bytesSince > max(1 << 16, 4 * keyframeLength)
    }
  }

  /// A step as it is kept.
  struct Entry {
    let number: Int
    let line: StepHistory.Line
    /// All of the app before it; `nil` where neither the history nor the file needs it.
    let keyframe: StepHistory.Line?
    /// What the app is made of from this step on, where that is something else.
    let build: RecordingHeader?
  }

  // The history is read on the store's thread, which must not wait for a disk.
  private let history: Locked<StepHistory>
  private let output: Locked<Output>
  /// How large the state of each instance is, in bytes, by an estimate.
  private let sizes = Locked<[UInt64: Int]>([:])
  /// What the app was made of, each with the first step of which that is true.
  private let builds: Locked<[(first: Int, header: @Sendable () -> RecordingHeader)]>
  /// The secrets that were met.
  let secrets = SecretTexts()
  private let tell: @Sendable (String) -> Void
  let path: String?
  let hasHistory: Bool
  /// The number of the last step in the file, where it is continued.
  let lastStep: Int?

  init(_ options: TimelineOptions, header: @escaping @Sendable () -> RecordingHeader) {
    tell = options.tell
    path = options.file?.path
    hasHistory = options.historyLimit > 0
    lastStep = options.lastStep
    history = Locked(StepHistory(limit: options.historyLimit))
    output = Locked(Output(file: options.file))
    builds = Locked([(0, header)])
  }

  /// Writes what the file begins with.
  func begin() {
    // Of what was there before a crash nothing has its number any more.
    write([
      lastStep.map { RecordingLine.keyframe(step: $0, AppMoment()).text } ?? header(of: 0).text
    ])
  }

  /// What the app was made of at a step.
  private func header(of step: Int) -> RecordingHeader {
    let make = builds.withLock { builds in
      builds.last { $0.first <= step }?.header ?? builds[0].header
    }
    return make()
  }

  // MARK: The writer's

  /// Whether the history and the file need all of the app before the next step.
  var needsKeyframe: Bool {
    (hasHistory && history.withLock { $0.needsKeyframe })
      || output.withLock { $0.needsKeyframe }
  }

  /// Keeps a step.
  ///
  /// - Parameters:
  ///   - entry: the step.
  ///   - lines: takes what has to be written to the file.
  func keep(_ entry: Entry, _ lines: inout [String]) {
    if let build = entry.build {
      builds.withLock { $0.append((entry.number, { build })) }
    }
    if hasHistory {
      history.withLock { history in
        history.append(
          entry.number, entry.line, keyframe: history.needsKeyframe ? entry.keyframe : nil)
      }
    }
    output.withLock { output in
      guard output.file != nil else { return }
      if output.needsKeyframe, let keyframe = entry.keyframe {
        let line = keyframe.open ?? keyframe.text
        (output.keyframeLength, output.bytesSince) = (line.utf8.count, 0)
        lines.append(line)
      }
      let line = entry.line.open ?? entry.line.text
      output.bytesSince += line.utf8.count
      lines.append(line)
    }
  }

  /// Writes lines to the file; where that fails, nothing more is written.
  func write(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    let failure = output.withLock { output -> InputOutputError? in
      guard let file = output.file, !output.hasEnded else { return nil }
      do throws(InputOutputError) {
        try file.write(lines)
        return nil
      } catch {
        output.file = nil
        return error
      }
    }
    if let failure {
      tell(
        "the recording in '\(SafeText.line(path ?? ""))' ends here: \(failure)")
    }
  }

  /// Notes how large the states of some instances are.
  func note(_ sizes: [UInt64: Int], removed: [UInt64]) {
    guard !sizes.isEmpty || !removed.isEmpty else { return }
    self.sizes.withLock { known in
      for id in removed { known[id] = nil }
      known.merge(sizes) { $1 }
    }
  }

  // MARK: On any thread

  /// What a step of an instance keeps in memory before it is coded, in bytes, by an estimate: the state
  /// that it wrote, and what goes with it.
  func size(of instance: UInt64?) -> Int {
    let state = instance.flatMap { id in sizes.withLock { $0[id] } } ?? 0
    return state + 1024
  }

  func withHistory<Result>(_ body: (StepHistory) -> Result) -> Result {
    history.withLock { body($0) }
  }

  /// Writes a recording of the history: the file is there complete, or as it was before.
  func save(to path: String) throws(RecordingFileRefusal) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notRegular }
    let history = history.withLock { $0 }
    let lines =
      [header(of: history.numbers.lowerBound).text] + history.linesWithoutSecrets
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

  /// Writes how the recording ends.
  func end(_ end: RecordingEnd) {
    write([RecordingLine.end(end).text])
    if end == .ended { output.withLock { $0.hasEnded = true } }
  }
}
