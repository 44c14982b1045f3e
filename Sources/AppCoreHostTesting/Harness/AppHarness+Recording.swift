internal import AppCoreHost
@_spi(Host) internal import AppCoreTesting
internal import Conversation
internal import Diagnostics
internal import Timeline

extension AppHarness {
  /// Types the lines of a recording, and compares the current path after each step that they led to
  /// with the recorded one.
  ///
  /// ```swift
  /// try await app.replay("bug.recording")
  /// #expect(await app.screen.text.contains("The count is 3."))
  /// ```
  ///
  /// - Parameters:
  ///   - path: a file that `appcore run --record` or `:record` wrote.
  ///   - fileID: where a failure is reported.
  ///   - filePath: where a failure is reported.
  ///   - line: where a failure is reported.
  ///   - column: where a failure is reported.
  /// - Returns: the screen after the last line.
  /// - Throws: ``AppHarnessError/recording(_:)`` if the recording can't be read, contains a line
  ///   with a secret, or has another path than the app; ``AppHarnessError/refused(_:)`` at the
  ///   first refused line.
  @discardableResult
  public func replay(
    _ path: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> ShownScreen {
    do throws(AppHarnessError) {
      try await replaySteps(of: path)
    } catch {
      throw error.reported(
        at: TestSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return await screen
  }

  private func replaySteps(of path: String) async throws(AppHarnessError) {
    let recording: Recording
    do throws(RecordingProblem) {
      recording = try Recording(path: path)
    } catch {
      throw .recording("the recording '\(path)' can't be read: \(error.fault.finding.message)")
    }
    if let problem = recording.problem {
      throw .recording(
        "the recording '\(path)' can be read up to line \(problem.line): "
          + problem.fault.finding.message)
    }
    let loaded = app.loaded
    let shown: ReplayedApp
    do throws(AppLoadError) {
      shown = try await ReplayedApp(recording, loaded)
    } catch {
      throw .load(error)
    }
    var lines: [RecordedStep.Line] = []
    for number in recording.numbers {
      guard let step = recording.step(number) else { continue }
      if step.text == RecordedAction.ending { break }
      if !step.lines.isEmpty, number > recording.numbers.lowerBound {
        try await type(lines, leadingTo: shown, after: number - 1)
      }
      if !step.lines.isEmpty { lines = step.lines }
    }
    let last = recording.numbers.last { recording.step($0)?.text != RecordedAction.ending }
    if let last { try await type(lines, leadingTo: shown, after: last) }
  }

  /// Types lines, and compares the path after them with the recorded one after a step.
  private func type(
    _ lines: [RecordedStep.Line], leadingTo shown: ReplayedApp, after number: Int
  ) async throws(AppHarnessError) {
    for line in lines {
      guard let script = line.script else {
        throw .recording(
          "the line '\(line.text)' of the recording held a secret; type it in the test, and replay "
            + "recordings without one")
      }
      for text in script {
        if let refusal = try await carryOut(text) { throw .refused(refusal) }
      }
    }
    let recorded: [String]
    do throws(Rejection) {
      recorded = try await shown.step(number).path
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
}
