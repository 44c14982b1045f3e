internal import AppCheck
internal import AppCore
internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Support

// The HTML page of `--html`.
extension ReplayCommand {
  /// Checks that the page's file can be written: neither the recording nor a file of the app is.
  ///
  /// - Throws: ``CommandError`` with exit status 73 if it can't.
  func pageFile(_ path: String, _ loaded: LoadedApp) throws -> OutputFile {
    let part = FilePath.areSame(path, recording) ? "the recording" : loaded.part(at: path)
    return try OutputFile(path, "the page", part: part)
  }

  /// The page of a recording, with notes above the steps.
  ///
  /// The app may be a different build from the recorded one.
  static func page(
    of recording: Recording, _ loaded: LoadedApp, notes: [String]
  ) throws -> TimelinePage {
    try waitForResult { () async throws(AppLoadError) in
      let app = try await App.replaying(recording, loaded)
      app.watchForBlocking(after: .seconds(5), Console.report)
      return await page(of: recording, app, notes)
    }
  }

  private static func page(
    of recording: Recording, _ app: App, _ notes: [String]
  ) async -> TimelinePage {
    var notes = notes
    let numbers = recording.numbers
    if numbers.lowerBound > 1 {
      notes.append("The recording begins with step \(numbers.lowerBound).")
    }
    let graph = app.loaded.report.drawing ?? .empty
    var page = TimelinePage(graph, first: max(1, numbers.lowerBound), notes: notes)
    for number in numbers {
      do throws(Rejection) {
        var step = TimelinePage.Step(try await app.replay(number))
        if let crash = recording.facts.crashes.last(where: { $0.after == number }) {
          step.problem = "After this step the app was \(crash.crash.text)."
        }
        page.add(step)
      } catch {
        // The step's screen can't be shown, but what the recording says about the step can.
        var step = TimelinePage.Step(kind: "unknown", text: "step \(number)")
        if let recorded = recording.step(number) { step = TimelinePage.Step(recorded) }
        step.problem = "This step can't be shown: \(error.message)"
        page.add(step)
      }
    }
    return page
  }
}

extension TimelinePage.Step {
  fileprivate init(_ step: RecordedStep) {
    self.init(kind: step.origin.rawValue, text: step.text)
    time = step.time
    took = step.duration / 1000
    node = step.node
    instance = step.instance.map { "\($0)" }
    line = step.line?.text
  }

  fileprivate init(_ shown: ReplayedStep) {
    self.init(shown.step)
    path = shown.path
    screen = shown.screen
    problem = shown.losses.map { "The screen can't be shown as it was: \($0)" }
    changes = shown.changes.map { change in
      (
        [change.owner, change.path].filter { !$0.isEmpty }.joined(separator: " "),
        change.before?.description, change.after?.description
      )
    }
  }
}
