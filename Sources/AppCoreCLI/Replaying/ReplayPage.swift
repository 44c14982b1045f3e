internal import AppCheck
internal import AppCore
internal import AppCoreHost
internal import ArgumentParser
internal import Conversation
internal import Diagnostics
internal import Pages
internal import Support
internal import Timeline

/// The page that `appcore replay --html` writes.
struct ReplayPage {
  private let file: OutputFile

  /// Makes sure that the file can be written.
  ///
  /// - Throws: exit status 73 where it can't, after printing why.
  init(_ path: String) throws { file = try OutputFile(path, "the page") }

  /// Writes the page of a recording.
  ///
  /// - Parameters:
  ///   - recording: the recording.
  ///   - loaded: the app, which need not be the same build.
  ///   - notes: what a reader should know first, each a sentence.
  /// - Throws: the exit status, after printing why the recording can't be shown, or not be written.
  func write(_ recording: Recording, _ loaded: LoadedApp, notes: [String]) throws {
    let made = waitFor { () -> Result<TimelinePage, AppLoadError> in
      do throws(AppLoadError) {
        let replay = try await ReplayedApp(recording, loaded)
        return .success(await Self.page(of: replay, loaded, notes))
      } catch {
        return .failure(error)
      }
    }
    switch made {
    case .failure(let error):
      Console.printError("\(error)")
      throw ExitCode(error.exitStatus)
    case .success(let page):
      if let status = file.write({ write throws(SystemError) in try write(page.html) }) {
        throw ExitCode(status)
      }
    }
  }

  private static func page(
    of replay: ReplayedApp, _ loaded: LoadedApp, _ notes: [String]
  ) async -> TimelinePage {
    var notes = notes
    let numbers = replay.recording.numbers
    if numbers.lowerBound > 1 {
      notes.append("The recording begins with step \(numbers.lowerBound).")
    }
    let graph = loaded.report.drawing ?? GraphDrawing(nodes: [], start: "")
    var page = TimelinePage(graph, first: max(1, numbers.lowerBound), notes: notes)
    for number in numbers {
      do throws(Rejection) {
        page.add(TimelinePage.Step(try await replay.step(number)))
      } catch {
        // What was recorded of it can be read, although its screen can't be shown.
        var step = TimelinePage.Step(kind: "unknown", text: "step \(number)")
        if let recorded = replay.recording.step(number) { step = TimelinePage.Step(recorded) }
        step.screen = ["This step can't be shown: " + SafeText.line(error.message)]
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
    instance = step.instanceText
    line = step.line?.text
  }

  fileprivate init(_ shown: ReplayedApp.Step) {
    self.init(shown.step)
    path = shown.path
    screen = shown.screen
    if let losses = shown.losses {
      screen.append("It can't be shown as it was: " + SafeText.line(losses))
    }
    changes = shown.changes.map { change in
      let owner = change.instance.isEmpty ? "" : "\(change.node) #\(change.instance)"
      return (
        [owner, change.path].filter { !$0.isEmpty }.joined(separator: " "),
        change.before?.description, change.after?.description
      )
    }
  }
}
