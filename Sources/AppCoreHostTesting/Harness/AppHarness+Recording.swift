internal import AppCoreHost
@_spi(Host) internal import AppCoreTesting
internal import Navigation
internal import Sessions
internal import Support

extension AppHarness {
  /// Types the lines of a recording, and compares the current path after each step that they led to
  /// with the recorded one.
  ///
  /// ```swift
  /// try await app.replay("bug.recording")
  /// #expect(await app.screen.text.contains("The count is 3."))
  /// ```
  ///
  /// The file is one that `appcore run --record` or `:record` wrote. If the recorded app has crashed,
  /// the lines that led to the crash are the last ones typed.
  ///
  /// - Returns: the screen after the last line.
  /// - Throws: ``AppHarnessError/recording(_:)`` if the recording can't be read, was edited, does
  ///   not begin with the app, contains a line with a secret, continues from an earlier step, or
  ///   has another path than the app; ``AppHarnessError/refused(_:)`` at the first refused line.
  @discardableResult
  public func replay(
    _ path: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> ShownScreen {
    do throws(AppHarnessError) {
      try await replaySteps(of: path)
    } catch {
      throw error.reported(at: TestSite(fileID, filePath, line, column))
    }
    return await screen
  }

  private func replaySteps(of path: String) async throws(AppHarnessError) {
    let recording = try Self.recording(at: path)
    let loaded = app.loaded
    let shown: App
    do throws(AppLoadError) {
      shown = try await App.replaying(recording, loaded)
    } catch {
      throw .load(error)
    }
    var lines: [RecordedStep.Line] = []
    var last = recording.numbers.lowerBound
    for number in recording.numbers {
      guard let step = recording.step(number), step.text != AppAction.ending else { break }
      if !step.lines.isEmpty {
        try await type(lines, leadingTo: shown, after: last)
        lines = step.repeatableLines
      }
      guard step.text != AppAction.continuation else {
        throw .recording(
          "in step \(number) of the recording '\(path)' the app continued from an earlier step, which a "
            + "test can't do")
      }
      last = number
      if let crash = recording.facts.crashes.first(where: { $0.after == number })?.crash {
        try await type(lines, leadingTo: shown, after: number)
        for line in crash.scriptLines { try await carryOutRecorded(line) }
        return
      }
    }
    try await type(lines, leadingTo: shown, after: last)
  }

  /// Reads a recording that can be repeated from its first step to its last.
  private static func recording(at path: String) throws(AppHarnessError) -> Recording {
    let recording: Recording
    do throws(RecordingProblem) {
      recording = try Recording(path: path)
    } catch {
      throw .recording("the recording '\(path)' can't be read: \(error.cause.message)")
    }
    if let problem = recording.facts.problem {
      throw .recording(
        "the recording '\(path)' can be read up to line \(problem.line): "
          + problem.cause.message)
    }
    if let alteration = recording.facts.alteration {
      throw .recording(
        "line \(alteration.line) of the recording '\(path)': \(alteration.cause.message)")
    }
    guard recording.numbers.lowerBound <= 1 else {
      throw .recording(
        "the recording '\(path)' begins with step \(recording.numbers.lowerBound) of the app; a test "
          + "needs one that begins with the app, such as 'appcore run --record' writes")
    }
    return recording
  }

  /// Types lines, and compares the path after them with the recorded one after a step.
  private func type(
    _ lines: [RecordedStep.Line], leadingTo shown: App, after number: Int
  ) async throws(AppHarnessError) {
    for line in lines {
      guard let script = line.script else {
        throw .recording(
          "the line '\(line.text)' is not in the recording as it was typed, because it held a secret or "
            + "a text of several lines; type it in the test, and replay a recording without it")
      }
      for text in script { try await carryOutRecorded(text) }
    }
    let recorded: [String]
    do throws(Rejection) {
      recorded = try await shown.replay(number).path
    } catch {
      throw .recording(error.message)
    }
    let path = await app.path.names
    guard path == recorded else {
      throw .recording(
        "after step \(number) the recording is at '\(recorded.joined(separator: "/"))', and the app at "
          + "'\(path.joined(separator: "/"))'")
    }
  }

  /// Carries out a line of a recording, which must not be refused.
  private func carryOutRecorded(_ line: String) async throws(AppHarnessError) {
    if let refusal = try await carryOut(line) { throw .refused(refusal) }
  }
}
