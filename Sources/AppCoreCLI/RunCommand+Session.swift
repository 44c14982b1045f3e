internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Support

extension RunCommand {
  /// The default path of an app's session file; `nil` if no folder for it is known.
  static func sessionPath(of app: LoadedApp) -> String? {
    SessionPaths.path(app: app.name, manifest: app.path) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Opens the session that this run keeps, with the saved state to resume.
  ///
  /// On a terminal, asks whether to resume a saved session, unless `--resume` is given.
  ///
  /// - Returns: the session; `nil` if the app keeps none.
  /// - Throws: exit status 65 if `--resume` is given and the app keeps no session file, or the file
  ///   can't be read.
  func openSession(_ app: LoadedApp, isInteractive: Bool) throws -> AppSession? {
    let worker = app.isKept || sessionFile != nil ? Worker.current : nil
    // After a crash: the first process of this run has made the decision.
    if let worker, !worker.ends.isEmpty { return AppSession(worker, Self.report) }
    let unkept = worker.map { AppSession($0) }
    guard let file = sessionFile ?? (app.isKeptInFile ? Self.sessionPath(of: app) : nil) else {
      guard resumes else { return unkept }
      Self.report(
        "'--resume' needs a session that is kept: give '--session FILE', or write "
          + "'session: { keep: disk }' in the manifest")
      throw ExitCode(65)
    }
    do throws(SessionError) {
      guard let saved = try SavedSession.read(file, app: app.name) else {
        if resumes {
          Self.report(
            "there is no session in \(SafeText.line(shellWord(file))); the app starts afresh")
        }
        return AppSession(worker, file: file, Self.report)
      }
      if resumes { return AppSession(worker, file: file, resuming: saved, Self.report) }
      guard isInteractive else {
        Self.report(
          "a session of \(saved.summary) is in \(SafeText.line(shellWord(file))), and this run is not kept: "
            + "'--resume' continues with it; remove the file to start afresh")
        return unkept
      }
      return AppSession(worker, file: file, resuming: Self.asks(saved) ? saved : nil, Self.report)
    } catch {
      Self.report(SafeText.line("\(error)"))
      if resumes { throw ExitCode(65) }
      return unkept
    }
  }

  /// Saves the state of a crashed app to a file and prints its path.
  ///
  /// It is called if the app can't continue after a crash because its manifest or a plugin has
  /// been changed since and has errors.
  func keepImage() {
    guard let image = Worker.current?.openImage().image else { return }
    let path = SessionPaths.path(app: image.identity.app, manifest: options.manifest) { name in
      getenv(name).map { String(cString: $0) }
    }
    // If the session is kept in a file, the state is saved there already.
    guard
      let file = image.conversation.file ?? path.flatMap({ SessionPaths.save(image, beside: $0) })
    else { return }
    let place = SafeText.line(shellWord(file))
    Self.report(
      "the app crashed and can't be restored with this manifest; its state is kept in \(place): "
        + "correct the manifest, and '--session \(place) --resume' continues with it")
  }

  @Sendable private static func report(_ line: String) { Console.printError("appcore: " + line) }

  /// Asks whether to resume a session; every answer that does not begin with `n` means yes.
  private static func asks(_ saved: SavedSession) -> Bool {
    Console.print(
      "A session of \(saved.summary) is kept in \(SafeText.line(shellWord(saved.path))).\nResume it? [Y/n] ",
      terminator: "")
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    // Byte by byte: what follows the newline is input for the app.
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
