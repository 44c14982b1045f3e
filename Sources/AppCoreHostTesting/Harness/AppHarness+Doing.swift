public import AppCore
internal import AppCoreHost
@_spi(Host) internal import AppCoreTesting

// What a test does. What can't be done fails the test at the line of the call, and is thrown, so that
// the test stops there.
extension AppHarness {
  /// Types lines, as a person or a script would.
  ///
  /// - Parameters:
  ///   - lines: the lines, each without its newline.
  ///   - fileID: where a failure is reported.
  ///   - filePath: where a failure is reported.
  ///   - line: where a failure is reported.
  ///   - column: where a failure is reported.
  /// - Returns: the screen after the last of them.
  /// - Throws: ``AppHarnessError/refused(_:)`` at the first line that is refused; the rest is not
  ///   typed. ``refusal(of:fileID:filePath:line:column:)`` is for lines that should be.
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
      throw error.reported(
        at: TestSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return await screen
  }

  /// Types a line that should be refused.
  ///
  /// - Parameters:
  ///   - text: the line, without its newline.
  ///   - fileID: where a failure is reported.
  ///   - filePath: where a failure is reported.
  ///   - line: where a failure is reported.
  ///   - column: where a failure is reported.
  /// - Returns: why it was.
  /// - Throws: ``AppHarnessError/accepted(line:)`` where it was not.
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
      throw error.reported(
        at: TestSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  /// Lets the nearest instance of a node emit a delegate action: a mock's, or any feature's.
  ///
  /// - Parameters:
  ///   - node: the emitter's node. The nearest is the current instance, else the first on the way
  ///     to the root, else one in a hidden tab or in the background.
  ///   - action: the delegate action's name.
  ///   - payload: what `$` refers to: an object of the labels, or the one value without a label.
  ///   - fileID: where a failure is reported.
  ///   - filePath: where a failure is reported.
  ///   - line: where a failure is reported.
  ///   - column: where a failure is reported.
  /// - Throws: ``AppHarnessError/instance(_:)`` where there is no such instance or action, or the
  ///   payload does not fit. A route that refuses is not an error: see ``refusedRoutes``.
  public func emit(
    _ node: String, _ action: String, _ payload: Value = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) {
    try await emit(
      node, action, payloads: [payload], fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Lets the nearest instance of a node emit a delegate action again and again.
  ///
  /// No screen is drawn between: this is how a test goes 100,000 levels deep.
  ///
  /// - Parameters:
  ///   - node: the emitter's node; the nearest instance is looked for anew each time.
  ///   - action: the delegate action's name.
  ///   - payloads: what `$` refers to, for each emission.
  ///   - fileID: where a failure is reported.
  ///   - filePath: where a failure is reported.
  ///   - line: where a failure is reported.
  ///   - column: where a failure is reported.
  /// - Throws: as ``emit(_:_:_:fileID:filePath:line:column:)``; the emissions before have happened.
  public func emit(
    _ node: String, _ action: String, payloads: [Value],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) {
    do throws(AppHarnessError) {
      try await send(node, action, payloads)
    } catch {
      throw error.reported(
        at: TestSite(fileID: fileID, filePath: filePath, line: line, column: column))
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
        throw .instance(.payload(delegate: action, reason: misfit))
      }
    }
    do throws(InstanceError) {
      try await app.emit(action, from: node, payloads: payloads)
    } catch {
      throw .instance(error)
    }
    try await settle(after: "'\(action)' of '\(node)'")
  }

  /// Goes back again and again, without drawing the screens between.
  ///
  /// - Parameters:
  ///   - times: how often.
  ///   - fileID: where a failure is reported.
  ///   - filePath: where a failure is reported.
  ///   - line: where a failure is reported.
  ///   - column: where a failure is reported.
  /// - Returns: how often it could; less where something refused.
  /// - Throws: ``AppHarnessError/unsettled(after:limit:)`` where effects do not come to rest.
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
      throw error.reported(
        at: TestSite(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return count
  }
}

extension AppHarnessError {
  /// The error, once the test has failed with it at `site`.
  func reported(at site: TestSite) -> Self {
    TestReporter.fail("\(self)", at: site)
    return self
  }
}
