internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Supervision
internal import Support

extension RunCommand {
  /// The options for the history of steps and the recording; opens the recording's file.
  ///
  /// No history is kept for a script that is known not to refer to past steps.
  ///
  /// - Throws: ``CommandError`` with exit status 73 if the file can't be written.
  func timelineOptions(_ app: LoadedApp, _ source: ScriptSource) throws -> TimelineOptions {
    var options = TimelineOptions()
    if let historyLimit {
      options.historyLimit = historyLimit
    } else if !source.mayRewind {
      options.historyLimit = 0
    }
    options.report = Console.report
    guard let recordFile else { return options }
    if let part = part(at: recordFile, of: app) {
      throw OutputFile.refusal(
        of: recordFile, "the recording", "it is \(part)", remedy: "name another file")
    }
    let ends = Worker.current?.ends ?? []
    do throws(RecordingFileRefusal) {
      guard let end = ends.last else {
        options.file = try RecordingFile(path: recordFile)
        return options
      }
      // The app continues after a crash, and appends to its recording.
      let file = try RecordingFile(path: recordFile, continues: true)
      options.file = file
      guard let last = RecordingFile.lastStep(of: recordFile) else { return options }
      if !last.hasCrashed {
        try? file.write([RecordingLine.crash(RecordedCrash(end.report)).text])
      }
      options.lastStep = last.number
      return options
    } catch {
      throw [.notRegular, .foreign].contains(error)
        ? OutputFile.refusal(
          of: recordFile, "the recording", "\(error)",
          remedy: error == .foreign ? "name another file" : "name a file")
        : OutputFile.refusal(of: recordFile, "the recording", "\(error)")
    }
  }

  /// Describes what this run uses a file for; `nil` if a recording may overwrite the file.
  private func part(at path: String, of app: LoadedApp) -> String? {
    if let part = app.part(at: path) { return part }
    let others = [
      (input.script, "the script"), (sessionFile, "the file of '--session'"),
      (profileFile, "the file of '--profile'"),
    ]
    return others.first { $0.0.map { FilePath.areSame($0, path) } ?? false }?.1
  }
}
