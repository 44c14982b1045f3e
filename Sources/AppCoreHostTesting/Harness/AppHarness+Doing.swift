public import AppCore
internal import AppCoreHost
@_spi(Host) internal import AppCoreTesting
internal import Navigation
internal import Sessions
internal import Shell
internal import Support

// The actions of a test. A failure is reported as an issue at the line of the call, and is also
// thrown, so that the test stops there.
extension AppHarness {
  /// Types lines, each without its newline, as a person or a script would.
  ///
  /// - Returns: the screen after the last line.
  /// - Throws: ``AppHarnessError/refused(_:)`` at the first refused line; the lines after it are
  ///   not typed. For a line that should be refused, use
  ///   ``refusal(of:fileID:filePath:line:column:)``.
  @discardableResult
  public func type(
    _ lines: String...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> ShownScreen {
    do throws(AppHarnessError) {
      for text in lines {
        if let refusal = try await carryOut(text) { throw .refused(refusal) }
      }
    } catch {
      throw error.reported(at: TestSite(fileID, filePath, line, column))
    }
    return await screen
  }

  /// Sorts a table by a column, as `:sort` does: by the same column again, in the other direction.
  ///
  /// The table is given by its identifier; the first one with such a column unless it is.
  ///
  /// - Returns: the screen after that.
  /// - Throws: ``AppHarnessError/refused(_:)`` if no table can be sorted by such a column.
  @discardableResult
  public func sort(
    _ table: String? = nil, by column: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column place: UInt = #column
  ) async throws(AppHarnessError) -> ShownScreen {
    let name = table.map { Scanner.line(identifier: $0) + " " } ?? ""
    return try await type(
      ":sort " + name + JSONTree.quote(column), fileID: fileID, filePath: filePath, line: line,
      column: place)
  }

  /// Selects a row of a list or a table, or no longer, as `@ID add ROW` and `@ID remove ROW` do.
  ///
  /// Both are given by their identifiers, without `@`.
  ///
  /// - Returns: the screen after that.
  /// - Throws: ``AppHarnessError/refused(_:)`` if there is no such list, or no such row.
  @discardableResult
  public func select(
    _ row: String, in list: String, isSelected: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> ShownScreen {
    try await type(
      "\(Scanner.line(identifier: list)) \(isSelected ? "add" : "remove") \(JSONTree.quote(row))",
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Types a line that should be refused, without its newline.
  ///
  /// - Returns: the refused line, with the reason.
  /// - Throws: ``AppHarnessError/accepted(line:)`` if the line is carried out.
  @discardableResult
  public func refusal(
    of text: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> RefusedLine {
    do throws(AppHarnessError) {
      guard let refusal = try await carryOut(text) else { throw .accepted(line: text) }
      return refusal
    } catch {
      throw error.reported(at: TestSite(fileID, filePath, line, column))
    }
  }

  /// Makes the nearest instance of a node emit a delegate action, whether it is a mock's or not.
  ///
  /// The nearest instance is the current one, else the first on the path to the root, else one in a
  /// hidden tab or in the background. The payload is the value of `$`: an object of the labelled
  /// values, or the one unlabelled value.
  ///
  /// - Throws: ``AppHarnessError/instance(_:)`` if there is no such instance or action, or the
  ///   payload does not match. A refused route is not an error: see ``refusedRoutes``.
  public func emit(
    _ node: String, _ action: String, _ payload: Value = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) {
    try await emit(
      node, action, payloads: [payload], fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Makes the nearest instance of a node emit a delegate action once for each payload.
  ///
  /// The nearest instance is determined for each payload. No screens are rendered in between, so that
  /// a test can navigate 100,000 levels deep.
  ///
  /// - Throws: the same errors as ``emit(_:_:_:fileID:filePath:line:column:)``. If a payload does
  ///   not match, nothing is emitted; after other errors, earlier emissions have taken effect.
  public func emit(
    _ node: String, _ action: String, payloads: [Value],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) {
    do throws(AppHarnessError) {
      try await send(node, action, payloads)
    } catch {
      throw error.reported(at: TestSite(fileID, filePath, line, column))
    }
  }

  private func send(
    _ node: String, _ action: String, _ payloads: [Value]
  ) async throws(AppHarnessError) {
    await begin()
    let delegates = await app.delegates(of: node) ?? []
    if let schema = delegates.first(where: { $0.name == action })?.payload {
      for payload in payloads {
        guard let misfit = schema.misfit(of: payload) else { continue }
        throw .instance(InstanceError(payloadOf: action, reason: misfit))
      }
    }
    do throws(InstanceError) {
      try await app.emit(action, from: node, payloads: payloads)
    } catch {
      throw .instance(error)
    }
    try await settle(after: "'\(action)' of '\(node)'")
  }

  /// Goes back several times, without rendering the screens in between.
  ///
  /// - Returns: how often it went back; less than `times` if a step was refused.
  /// - Throws: ``AppHarnessError/unsettled(after:limit:)`` if effects are still running after the
  ///   harness's timeout.
  @discardableResult
  public func back(
    times: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> Int {
    await begin()
    let count = await app.back(times: times)
    do throws(AppHarnessError) {
      try await settle(after: "going back \(times) times")
    } catch {
      throw error.reported(at: TestSite(fileID, filePath, line, column))
    }
    return count
  }
}

extension AppHarnessError {
  /// Reports the error as an issue at `site`, and returns it.
  func reported(at site: TestSite) -> Self {
    TestReporter.fail("\(self)", at: site)
    return self
  }
}

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
