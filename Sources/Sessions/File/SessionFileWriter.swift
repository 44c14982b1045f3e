internal import Dispatch
internal import Glibc
internal import Support

/// Keeps the image of an app in a file, without secrets.
///
/// Changes are written at once, on a queue of its own, and are flushed to the disk at most once a
/// second. A screen is shown when its change is written; with a slow disk, after ``patience``.
package final class SessionFileWriter: Sendable {
  /// How long after a change the file is flushed to the disk.
  private static let delay = DispatchTimeInterval.seconds(1)

  /// How long a screen waits until it is in the file.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private struct Progress {
    var isSynchronizing = false
    var hasFailed = false
    var hasEnded = false
  }

  package let path: String
  private let file: SessionFile
  private let writer: ImageWriter
  private let queue = DispatchQueue(label: "appcore.session")
  /// Another one, so that a slow disk does not keep changes from being written.
  private let flushing = DispatchQueue(label: "appcore.session.flush")
  private let progress = Locked(Progress())
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - path: the file, which is replaced when the first image is written; its folder is created.
  ///   - report: receives a message when writing begins to fail.
  package init(path: String, _ report: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.report = report
    FilePath.makeFolder(FilePath.folder(of: path), mode: 0o700)
    file = SessionFile(path: path)
    writer = ImageWriter(file)
  }

  /// Writes a change without secrets and copies of them, asynchronously.
  package func write(_ change: ImageChange, without secrets: SecretTexts) {
    queue.async { self.writeNow(change.open(without: secrets)) }
  }

  private func writeNow(_ change: ImageChange) {
    let failure = progress.withLock { progress -> String? in
      guard !progress.hasEnded else { return nil }
      guard writer.write(change) else {
        defer { progress.hasFailed = true }
        return progress.hasFailed
          ? nil
          : errno == EWOULDBLOCK
            ? "\(SessionFile.holderText(ofFileAt: path)); name another file by '--session FILE'"
            : "\(SystemError(errno))"
      }
      progress.hasFailed = false
      guard !progress.isSynchronizing else { return nil }
      progress.isSynchronizing = true
      flushing.asyncAfter(deadline: .now() + Self.delay) { self.synchronize() }
      return nil
    }
    if let failure {
      report("the session can't be kept in '\(SafeText.line(path))': \(failure)")
    }
  }

  private func synchronize() {
    progress.withLock { $0.isSynchronizing = false }
    file.synchronize()
  }

  /// Waits until all changes so far are written, but no longer than a slow disk may keep a person.
  package func wait() {
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    _ = isWritten.wait(timeout: .now() + Self.patience)
  }

  /// Waits until all changes are written and flushed to the disk.
  package func flush() {
    queue.sync {}
    flushing.sync { synchronize() }
  }

  /// Removes the file, because the app has ended regularly; later changes are ignored.
  package func remove() {
    queue.sync {
      progress.withLock { $0.hasEnded = true }
      file.remove()
    }
  }
}
