internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Support

// The session, which outlives the app's process.
extension RunCommand {
  /// The default path of an app's session; `nil` if there is no folder for it.
  static func sessionPath(of app: LoadedApp) -> String? {
    SessionPaths.path(app: app.name, manifest: app.path) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Finds the session to resume, and prints where the session is kept.
  ///
  /// - Returns: the session; `nil` if the app keeps none.
  /// - Throws: exit status 65 if the session that `--resume` names can't be resumed.
  func openSession(_ app: LoadedApp, isInteractive: Bool) throws -> AppSession? {
    let worker = app.isKept || sessionFile != nil ? Worker.current : nil
    // After a crash it was decided before.
    if let worker, !worker.ends.isEmpty { return AppSession(worker, Self.tell) }
    let unkept = worker.map { AppSession($0) }
    guard let file = sessionFile ?? (app.isKeptInFile ? Self.sessionPath(of: app) : nil) else {
      guard resumes else { return unkept }
      Self.tell(
        "'--resume' needs a session that is kept: give '--session FILE', or write "
          + "'session: { keep: disk }' in the manifest")
      throw ExitCode(65)
    }
    do throws(SessionError) {
      guard let saved = try SavedSession.read(file, app: app.name) else {
        if resumes {
          Self.tell(
            "there is no session in \(SafeText.line(shellWord(file))); the app starts afresh")
        }
        return AppSession(worker, file: file, Self.tell)
      }
      if resumes { return AppSession(worker, file: file, resuming: saved, Self.tell) }
      guard isInteractive else {
        Self.tell(
          "a session of \(saved.summary) is in \(SafeText.line(shellWord(file))), and this run is not kept: "
            + "'--resume' continues with it; remove the file to start afresh")
        return unkept
      }
      return AppSession(worker, file: file, resuming: Self.asks(saved) ? saved : nil, Self.tell)
    } catch {
      Self.tell(SafeText.line("\(error)"))
      if resumes { throw ExitCode(65) }
      return unkept
    }
  }

  /// Writes the state of an app that crashed to a file, where it can't be restored because its manifest
  /// or a plugin is wrong by now: saved by whoever is changing it.
  func keepImage() {
    guard let image = Worker.current?.openImage().image else { return }
    let path = SessionPaths.path(app: image.identity.app, manifest: options.manifest) { name in
      getenv(name).map { String(cString: $0) }
    }
    // A session that is kept has a file already.
    guard
      let file = image.conversation.file ?? path.flatMap({ SessionPaths.save(image, beside: $0) })
    else { return }
    let place = SafeText.line(shellWord(file))
    Self.tell(
      "the app crashed and can't be restored with this manifest; its state is kept in \(place): "
        + "correct the manifest, and '--session \(place) --resume' continues with it")
  }

  @Sendable private static func tell(_ line: String) { Console.printError("appcore: " + line) }

  /// Asks the person whether a session is to be resumed; who says nothing else wants it.
  private static func asks(_ saved: SavedSession) -> Bool {
    Console.print(
      "A session of \(saved.summary) is kept in \(SafeText.line(shellWord(saved.path))).\nResume it? [Y/n] ",
      terminator: "")
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    // One at a time: what comes behind the answer is typed at the app.
    while true {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 0x0a else { break }
      answer.append(byte)
    }
    let words = String(decoding: answer, as: UTF8.self).lowercased()
    return !words.drop { $0 == " " }.hasPrefix("n")
  }
}
