internal import AppCoreHost
internal import ArgumentParser
internal import Sessions
internal import Support
internal import Timeline

extension RunCommand {
  /// What is kept of the app's steps.
  ///
  /// A script whose lines are known and never ask for past steps does not pay for a history.
  ///
  /// - Parameters:
  ///   - app: the app, which is loaded first: a file is not emptied for one that can't run.
  ///   - source: where the lines come from.
  /// - Returns: what is kept, with the opened file.
  /// - Throws: exit status 73 where the file can't be written, after telling why.
  func timelineOptions(_ app: LoadedApp, _ source: ScriptSource) throws -> TimelineOptions {
    var options = TimelineOptions()
    if let historyLimit {
      options.historyLimit = historyLimit.bytes
    } else if !source.mayRewind {
      options.historyLimit = 0
    }
    options.tell = { Console.printError("appcore: " + $0) }
    guard let recordFile else { return options }
    if let part = part(at: recordFile, of: app) {
      throw refusal(recordFile, reason: "it is \(part)", remedy: "name another file")
    }
    let ends = Worker.current?.ends ?? []
    do throws(RecordingFileRefusal) {
      guard let end = ends.last else {
        options.file = try RecordingFile.opened(recordFile)
        return options
      }
      // The app continues, and so does its recording.
      let file = try RecordingFile.opened(recordFile, continues: true)
      options.file = file
      guard let last = RecordingFile.lastStep(of: recordFile) else { return options }
      if !last.hasCrashed {
        try? file.write([RecordingLine.end(.crashed(RecordedCrash(end.report))).text])
      }
      options.lastStep = last.number
      return options
    } catch {
      throw refusal(
        recordFile, reason: "\(error)",
        remedy: error == .notRegular
          ? "name a file" : "name a file in a folder that you can write to")
    }
  }

  /// What a file is to this run, where it must not be written to.
  private func part(at path: String, of app: LoadedApp) -> String? {
    if let part = app.part(at: path) { return part }
    guard let file = FileNumber(path) else { return nil }
    let others = [
      (input.script, "the script"), (sessionFile, "the file of '--session'"),
      (profileFile, "the file of '--profile'"),
    ]
    return others.first { $0.0.flatMap(FileNumber.init) == file }?.1
  }

  private func refusal(_ path: String, reason: String, remedy: String) -> ExitCode {
    Console.printError(
      "appcore: can't write the recording to '\(SafeText.line(path))': \(reason); \(remedy)")
    return ExitCode(73)
  }
}

/// How much memory the history of steps may take: bytes, or with `K`, `M` or `G` that many KiB, MiB or
/// GiB; 0 for none.
struct HistoryLimit: ExpressibleByArgument, Hashable {
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    if argument == "0" {
      bytes = 0
      return
    }
    guard let size = ByteSize(argument: argument) else { return nil }
    bytes = size.bytes
  }
}
