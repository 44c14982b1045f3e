internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Supervision
internal import Support

extension RunCommand {
  /// The default path of an app's session file; `nil` if no folder for it is known.
  static func sessionPath(ofApp name: String, manifest: String) -> String? {
    SessionPaths.path(app: name, manifest: manifest, ProcessVariables.value)
  }

  /// Opens the session that this run keeps, with the saved state to resume.
  ///
  /// On a terminal, asks whether to resume a saved session, unless `--resume` is given. A session
  /// that can't be resumed as it was is set aside, so that an app that nobody watches starts.
  ///
  /// - Returns: the session; `nil` if the app keeps none.
  /// - Throws: exit status 65 if `--resume` is given and the app keeps no session file, or the file
  ///   is not a session of this app, or in use.
  func openSession(_ app: LoadedApp, isInteractive: Bool) throws -> AppSession? {
    let worker = app.isKept || sessionFile != nil ? Worker.current : nil
    // After a crash: the first process of this run has made the decision.
    if let worker, !worker.ends.isEmpty { return AppSession(worker, Console.report) }
    let variables = app.openVariables
    let unkept = worker.map { AppSession($0, variables: variables, Console.report) }
    let usual =
      app.isKeptInFile ? Self.sessionPath(ofApp: app.name, manifest: app.path) : nil
    guard let file = sessionFile ?? usual else {
      guard resumes else { return unkept }
      throw CommandError(
        "'--resume' needs a session that is kept: give '--session FILE', or write "
          + "'session: { keep: disk }' in the manifest", exitStatus: 65)
    }
    func session(resuming saved: SavedSession? = nil) -> AppSession {
      AppSession(worker, file: file, resuming: saved, variables: variables, Console.report)
    }
    let found: SavedSession?
    do throws(SessionError) {
      found = try savedSession(of: app, in: file)
    } catch {
      if error.isUnusable, let place = SessionPaths.setAside(error.path, as: "damaged") {
        Console.report(
          "the session in \(Self.shown(error.path)) can't be resumed: "
            + "\(SafeText.line(error.reason)); it is kept in \(Self.shown(place)), and the app starts "
            + "afresh")
        return session()
      }
      if resumes { throw CommandError("\(error)", exitStatus: 65) }
      Console.report(SafeText.line("\(error)"))
      return unkept
    }
    guard let saved = found else {
      if resumes {
        Console.report("there is no session in \(Self.shown(file)); the app starts afresh")
      }
      return session()
    }
    let changes = saved.changes(to: variables).map { change in
      SafeText.line("\(change.name) = '\(change.former)', and it is '\(change.value)' now")
    }
    guard resumes || isInteractive else {
      Console.report(
        "a session of \(saved.summary) is in \(Self.shown(saved.path)), and this run is not kept: "
          + "'--resume' continues with it; remove the file to start afresh")
      return unkept
    }
    let isWanted =
      isInteractive && !(resumes && changes.isEmpty) ? Self.asks(saved, changes) : changes.isEmpty
    guard isWanted else {
      guard !changes.isEmpty else { return session() }
      // Its features would use the former values, for example a file in another folder.
      guard let place = SessionPaths.setAside(saved.path, as: "former") else { return unkept }
      Console.report(
        "the session was begun with \(changes.joined(separator: "; ")): it is kept in "
          + "\(Self.shown(place)), and the app starts afresh")
      return session()
    }
    if saved.unreadByteCount > 0, let place = SessionPaths.copy(saved.path, as: "damaged") {
      Console.report(
        "the end of the session in \(Self.shown(saved.path)) is damaged, and what it showed last may be "
          + "lost; a copy of the file is in \(Self.shown(place))")
    }
    if saved.path != file { rename(saved.path, file) }
    return session(resuming: saved)
  }

  /// The session in a file, or the only one of the app if the app has moved.
  private func savedSession(
    of app: LoadedApp, in file: String
  ) throws(SessionError) -> SavedSession? {
    if let saved = try SavedSession.read(file, app: app.name) { return saved }
    guard sessionFile == nil else { return nil }
    return SessionPaths.moved(app: app.name, manifest: app.path, ProcessVariables.value)
  }

  private static func shown(_ path: String) -> String { SafeText.line(shellWord(path)) }

  /// Saves the state of a crashed app to a file and prints its path.
  ///
  /// It is called if the app can't continue after a crash because its manifest or a plugin has
  /// been changed since and has errors.
  func keepImage(manifest: String) {
    guard let image = Worker.current?.openImage().image else { return }
    let path = Self.sessionPath(ofApp: image.identity.app, manifest: manifest)
    // If the session is kept in a file, the state is saved there already.
    let save = { (path: String) in
      SessionPaths.save(image, without: SecretTexts(of: image), beside: path)
    }
    guard let file = image.conversation.file ?? path.flatMap(save) else { return }
    let place = SafeText.line(shellWord(file))
    Console.report(
      "the app crashed and can't be restored with this manifest; its state is kept in \(place): "
        + "correct the manifest, and '--session \(place) --resume' continues with it")
  }

  /// Asks whether to resume a session; Enter means yes, unless variables have changed.
  private static func asks(_ saved: SavedSession, _ changes: [String]) -> Bool {
    var text = "A session of \(saved.summary) is kept in \(shown(saved.path)).\n"
    if !changes.isEmpty {
      text += "It was begun with \(changes.joined(separator: "; ")).\n"
      text += "If it is resumed, what is made of the former values stays.\n"
    }
    Console.print(text + "Resume it? \(changes.isEmpty ? "[Y/n]" : "[y/N]") ", terminator: "")
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    // Byte by byte: what follows the newline is input for the app.
    while true {
      let count = Descriptor.uninterrupted { read(STDIN_FILENO, &byte, 1) }
      guard count == 1, byte != 0x0a else { break }
      answer.append(byte)
    }
    let words = String(decoding: answer, as: UTF8.self).lowercased()
    let word = words.drop { $0 == " " }
    return changes.isEmpty ? !word.hasPrefix("n") : word.hasPrefix("y")
  }

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
