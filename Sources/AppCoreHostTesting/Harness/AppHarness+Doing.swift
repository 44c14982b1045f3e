public import AppCore
internal import AppCoreHost
@_spi(Host) internal import AppCoreTesting

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
