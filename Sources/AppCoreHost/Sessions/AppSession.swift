internal import AppCore
package import Sessions
internal import Support

/// What of a running app outlives its process.
///
/// Its images are written by the app, and by the terminal for the line that is typed: in memory where a
/// supervisor restores the app after a crash, and in a file where the session is kept.
package final class AppSession: Sendable {
  /// What was running before this process; `nil` for an app that begins.
  package let image: SessionImage?
  /// How the processes before this one have ended, the latest last.
  package let ends: [WorkerEnd]
  private let writer: ImageWriter?
  private let keeper: SessionKeeper?
  private let conversation: Locked<SavedConversation>
  private let worker: Worker?
  /// The session that was found in a file.
  private let saved: SavedSession?
  private let plan = Locked<SessionPlan?>(nil)

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - worker: the worker that this process is, where it is one.
  ///   - file: the file in which the session is kept, besides memory.
  ///   - saved: the session that was found there, to be resumed.
  ///   - tell: takes what keeps the session from being kept.
  package init(
    _ worker: Worker?, file: String? = nil, resuming saved: SavedSession? = nil,
    _ tell: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.worker = worker
    self.saved = saved
    var first = saved?.image
    first?.conversation.file = file
    let memory = worker?.openImage(orKeeping: first)
    writer = memory?.writer
    image = memory?.image ?? saved?.image
    ends = worker?.ends ?? []
    // After a crash it was decided before.
    let path = memory?.image.map(\.conversation.file) ?? file
    keeper = path.map { SessionKeeper(path: $0, tell) }
    var conversation = image?.conversation ?? SavedConversation()
    conversation.file = path
    self.conversation = Locked(conversation)
    var change = ImageChange()
    change.conversation = conversation
    write(change)
  }

  /// What the person was doing when the process before this one ended.
  package var former: SavedConversation { image?.conversation ?? SavedConversation() }

  /// The file in which the session is kept; `nil` where it is in memory alone.
  package var file: String? { keeper?.path }

  /// Notes which app runs, for whoever names the culprit of a crash.
  func note(_ identity: SessionIdentity) { worker?.note(identity) }

  func write(_ change: ImageChange) {
    writer?.write(change)
    keeper?.write(change)
  }

  /// Writes what the person does, if it has changed.
  package func note(_ change: (inout SavedConversation) -> Void) {
    let changed = conversation.withLock { conversation -> SavedConversation? in
      let before = conversation
      change(&conversation)
      return conversation == before ? nil : conversation
    }
    guard let changed else { return }
    var change = ImageChange()
    change.conversation = changed
    write(change)
  }

  /// Writes how far a script has come, in memory alone.
  package func noteScript(_ change: (inout SavedConversation.Script) -> Void) {
    guard let writer else { return }
    var image = ImageChange()
    image.conversation = conversation.withLock { conversation in
      change(&conversation.script.orEmpty)
      return conversation
    }
    writer.write(image)
  }

  /// The lines of the input that the process before this one has read; `nil` for a process of its own.
  package var input: InputSpool? { worker?.input }

  /// Has everything that was handed over reach the file.
  package func flush() { keeper?.flush() }

  /// Forgets the session: the app has ended as it should.
  package func remove() { keeper?.remove() }

  /// All that is known of the crash before this process; `nil` where there was none.
  package var crashDetails: [String]? { ends.last.map { CrashText.details(of: $0) } }

  /// Why the app is not run any more, which leaves its state in a file; `nil` where it is.
  package func givesUp(_ app: LoadedApp, savingTo path: String?) -> String? {
    guard let last = ends.last, let image, App.policy(after: ends, app).givesUp else { return nil }
    let text =
      CrashText.line(of: last)
      + "; that was the \(RestartPolicy.unknownCrashes). time within a minute, so the app ends"
    guard let file = self.file ?? path.flatMap({ SessionPlace.save(image, beside: $0) }) else {
      return text
    }
    let place = SafeText.line(shellWord(file))
    return text + "; its state is kept in \(place): '--session \(place) --resume' continues with it"
  }

  /// Takes how the app continues.
  func note(_ plan: SessionPlan) { self.plan.withLock { $0 = plan } }

  /// The first screen shows.
  ///
  /// - Returns: the message about the process before this one; `nil` where there is none.
  package func firstScreenShows() -> String? {
    let nanoseconds = worker?.isShown() ?? 0
    guard image != nil else { return nil }
    let losses = plan.withLock { $0?.losses }.map { "; " + $0 } ?? ""
    if let last = ends.last {
      return CrashText.line(of: last)
        + "; restored in \((nanoseconds + 999_999) / 1_000_000) ms\(losses); :explain crash"
    }
    return saved.map { "resumed the session of \($0.summary)\(losses)" }
  }
}

extension SavedConversation.Script? {
  fileprivate var orEmpty: SavedConversation.Script {
    get { self ?? SavedConversation.Script() }
    set { self = newValue }
  }
}
