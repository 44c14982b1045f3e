internal import AppCheck
@_spi(Host) internal import AppCore
internal import Glibc
internal import Navigation
package import Sessions
package import Supervision
internal import Support
internal import Synchronization

/// The session of a running app: the image from which a later process can restore the app.
///
/// The app writes its instances, the terminal the line that is being typed. The image is written to
/// memory if a supervisor restores the app after a crash, and to a file if the session is kept.
package final class AppSession: Sendable {
  /// The image of the previous process; `nil` for an app that starts afresh.
  package let image: SessionImage?
  /// The crashes of the previous processes, the latest last.
  package let ends: [WorkerCrash]
  private let writer: ImageWriter?
  /// The file in which the session is kept; `nil` if it is only in memory.
  package let file: SessionFileWriter?
  private let conversation: Locked<SavedConversation>
  /// This process as a worker of a supervisor; `nil` if it has none.
  package let worker: Worker?
  /// The secrets that the app has used, which are not written to the file.
  package let secrets: SecretTexts
  /// The session from a file that is being resumed; `nil` for none.
  private let saved: SavedSession?
  private let plan = Locked<SessionPlan?>(nil)
  /// Receives messages about a session that can't be written.
  private let receiver: Locked<@Sendable (String) -> Void>
  /// Whether a message has said that the image can't be written.
  private let hasWarned = Atomic(false)

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - worker: this process as a worker of a supervisor.
  ///   - file: the file to keep the session in; ignored after a crash, when the image names it.
  ///   - saved: the session to resume; ignored after a crash.
  ///   - variables: the values of the manifest's variables; after a crash those of the image count.
  ///   - report: receives a message if the session can't be written to memory or to the file.
  package init(
    _ worker: Worker?, file: String? = nil, resuming saved: SavedSession? = nil,
    variables: [String: String] = [:], _ report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.worker = worker
    self.saved = saved
    let receiver = Locked(report)
    self.receiver = receiver
    var first = saved?.image
    first?.conversation.file = file
    let memory = worker?.openImage(orKeeping: first)
    writer = memory?.writer
    image = memory?.image ?? saved?.image
    secrets = image.map { SecretTexts(of: $0) } ?? SecretTexts()
    ends = worker?.ends ?? []
    // After a crash, the image tells which file the first worker was given.
    let path = memory?.image.map(\.conversation.file) ?? file
    self.file = path.map { SessionFileWriter(path: $0) { line in receiver.withLock { $0 }(line) } }
    var conversation = image?.conversation ?? SavedConversation()
    conversation.file = path
    self.conversation = Locked(conversation)
    write(ImageChange(conversation: conversation, variables: image?.variables ?? variables))
  }

  /// The terminal's state when the previous process ended: the line, the pages, the script.
  package var former: SavedConversation { image?.conversation ?? SavedConversation() }

  func write(_ change: ImageChange) { report(store(change)) }

  /// Writes a change to memory and to the file.
  ///
  /// - Returns: the error for ``report(_:)``, which may not be called with a lock held.
  private func store(_ change: ImageChange) -> SystemError? {
    let error = storeInMemory(change)
    if let file {
      secrets.add(of: change)
      file.write(change, without: secrets)
    }
    return error
  }

  private func storeInMemory(_ change: ImageChange) -> SystemError? {
    guard let writer else { return nil }
    let error = writer.write(change) ? nil : SystemError(errno)
    // A plugin may have closed the file; the image is then that of the last screen.
    if error != nil { OwnDescriptors.endIfClosed() }
    SharedCrashPage.current?.hasStaleImage = error != nil
    return error
  }

  private func report(_ error: SystemError?) {
    guard let reason = error, !hasWarned.exchange(true, ordering: .relaxed) else { return }
    receiver.withLock { $0 }(
      "the app's state can't be kept for a restart: \(reason); after a crash, an earlier screen comes back"
        + (reason.code == EFBIG ? "; 'ulimit -f' limits its size" : ""))
  }

  /// Replaces the function that receives messages about a session that can't be written.
  package func setReceiver(_ receive: @escaping @Sendable (String) -> Void) {
    receiver.withLock { $0 = receive }
  }

  /// Changes the saved state of the terminal, and writes it if it differs.
  package func update(_ change: (inout SavedConversation) -> Void) {
    // Written within the lock, so that the latest is written last.
    let error = conversation.withLock { conversation -> SystemError? in
      let before = conversation
      change(&conversation)
      return conversation == before ? nil : store(ImageChange(conversation: conversation))
    }
    report(error)
  }

  /// Changes the saved progress of a script, and writes it to memory only.
  package func updateScript(_ change: (inout SavedConversation.Script) -> Void) {
    let error = conversation.withLock { conversation in
      var script = conversation.script ?? SavedConversation.Script()
      change(&script)
      conversation.script = script
      return storeInMemory(ImageChange(conversation: conversation))
    }
    report(error)
  }

  package var crashDetails: [String]? { ends.last?.details }

  /// Checks whether the app has crashed too often to be restarted, and saves its state if so.
  ///
  /// If the session is not kept in a file, the state is saved to the one at `path`; a number is added
  /// to its name if it exists.
  ///
  /// - Returns: a message with the crash and the file; `nil` if the app is to be restarted.
  package func givesUp(_ app: LoadedApp, savingTo path: String?) -> String? {
    guard let last = ends.last, let image, app.restartPolicy(after: ends).givesUp else {
      return nil
    }
    secrets.add(given: app.givenSecrets)
    let text =
      last.summary
      + "; that was the third crash within a minute, so the app ends"
    guard
      let file = self.file?.path
        ?? path.flatMap({
          SessionPaths.save(image, without: secrets, beside: $0)
        })
    else {
      return text
    }
    let place = SafeText.line(shellWord(file))
    return text + "; its state is kept in \(place): '--session \(place) --resume' continues with it"
  }

  func didPlan(_ plan: SessionPlan) { self.plan.withLock { $0 = plan } }

  /// Tells the supervisor that the first screen is shown.
  ///
  /// - Returns: a message about the crash or the session from which the app was restored; `nil` if
  ///   it has started afresh.
  package func didShowFirstScreen() -> String? {
    // A feature may have closed something while it was restored.
    OwnDescriptors.endIfClosed()
    let nanoseconds = worker?.didShowFirstScreen() ?? 0
    let losses = plan.withLock { $0?.losses }.map { "; " + $0 } ?? ""
    if let last = ends.last {
      let time = "\((nanoseconds + 999_999) / 1_000_000) ms"
      let way =
        image == nil
        ? "its state can't be read, so the app was started afresh in \(time)"
        : last.hasLostState
          ? "its latest state could not be written, so an earlier screen was restored in \(time)"
          : "restored in \(time)"
      return last.summary + "; \(way)\(losses); :explain crash"
    }
    guard image != nil else { return nil }
    return saved.map { "resumed the session of \($0.summary)\(losses)" }
  }
}

extension ManifestReport {
  /// Plans how a session would be restored, from the manifest and the plugins' versions.
  ///
  /// No code of the plugins runs.
  ///
  /// - Returns: the plan; `nil` if the manifest has errors.
  package func plan(for image: SessionImage) -> SessionPlan? {
    guard let graph else { return nil }
    var features = StateCompatibility(
      identity: image.identity, versions: plugins.members.mapValues(\.info.version))
    // Planning fails only if a feature can't create its state, and none is called here.
    return try? SessionPlan.make(of: image, in: graph, &features)
  }
}

extension LoadedApp {
  /// Plans how to restore an image in this app, and restores the states.
  func plan(
    _ image: SessionImage, _ features: FeatureTable, _ calls: CallRecorder,
    _ suspensions: Suspensions = Suspensions()
  ) throws(SessionPlan.StartFailure) -> (SessionPlan, StateRestorer) {
    var states = StateRestorer(
      identity: image.identity, versions: versions, features: features, calls: calls,
      suspensions: suspensions)
    return (try SessionPlan.make(of: image, in: graph, &states), states)
  }

  /// Restores a session as a start would, but only to learn what becomes of its instances.
  ///
  /// The plugins' code runs. Values in files are those of the states; no file is read or written.
  ///
  /// - Throws: an error if a plugin can't be instantiated, or the start node can't be created.
  package func tryPlan(for image: SessionImage) throws -> SessionPlan {
    try withDependencies {
      $0.sharedStorage = .replaying()
    } operation: {
      try plan(image, try FeatureFactory(self).table(), CallRecorder()).0
    }
  }
}
