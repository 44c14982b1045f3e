internal import AppCore
package import Sessions
internal import Support

/// What of a running app outlives its process.
///
/// Its images are written by the app, and by the terminal for the line that is typed.
package final class AppSession: Sendable {
  /// What was running before this process; `nil` for an app that begins.
  package let image: SessionImage?
  /// How the processes before this one have ended, the latest last.
  package let ends: [WorkerEnd]
  let writer: ImageWriter
  private let conversation: Locked<SavedConversation>
  private let worker: Worker

  /// The session of a worker.
  package init(_ worker: Worker) {
    self.worker = worker
    (image, writer) = worker.openImage()
    ends = worker.ends
    conversation = Locked(image?.conversation ?? SavedConversation())
  }

  /// What the person was doing when the process before this one ended.
  package var former: SavedConversation { image?.conversation ?? SavedConversation() }

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
    writer.write(change)
  }

  /// All that is known of the crash before this process; `nil` where there was none.
  package var crashDetails: [String]? { ends.last.map { CrashText.details(of: $0) } }

  /// Why the app is not run any more; `nil` where it is.
  package func givesUp(_ app: LoadedApp) -> String? {
    guard let last = ends.last, App.policy(after: ends, app).givesUp else { return nil }
    return CrashText.line(of: last)
      + "; that was the \(RestartPolicy.unknownCrashes). time within a minute, so the app ends"
  }

  /// The first screen shows.
  ///
  /// - Returns: what the person is told of the crash before it; `nil` where there was none.
  package func firstScreenShows() -> String? {
    let nanoseconds = worker.isShown()
    guard let last = ends.last, image != nil else { return nil }
    return CrashText.line(of: last)
      + "; restored in \((nanoseconds + 999_999) / 1_000_000) ms; :explain crash"
  }
}
