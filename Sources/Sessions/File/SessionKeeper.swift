internal import Dispatch
internal import Glibc
internal import Support

/// Keeps the image of an app in a file, without secrets, so that it outlives all processes.
///
/// The app hands over what has changed; a queue of its own writes it at once, and has it
/// reach the disk at most once a second.
package final class SessionKeeper: Sendable {
  /// How long what was written may take to reach the disk.
  private static let delay = DispatchTimeInterval.seconds(1)

  private struct Content {
    var writer: ImageWriter
    var store: SharedStore
    var isSynchronizing = false
    var hasFailed = false
    var hasEnded = false
  }

  /// The file's path.
  package let path: String
  private let queue = DispatchQueue(label: "appcore.session")
  private let content: Locked<Content>
  private let tell: @Sendable (String) -> Void

  /// - Parameters:
  ///   - path: the file, which the first change replaces; its folder is made.
  ///   - tell: takes what keeps the session from being kept, once.
  package init(path: String, _ tell: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.tell = tell
    SessionPlace.makeFolder(of: path)
    let store = SharedStore(SessionFile(path: path))
    content = Locked(Content(writer: ImageWriter(store), store: store))
  }

  /// Writes a change.
  package func write(_ change: ImageChange) {
    queue.async { self.writeNow(change.withoutSecrets) }
  }

  private func writeNow(_ change: ImageChange) {
    let failure = content.withLock { content -> String? in
      guard !content.hasEnded else { return nil }
      guard content.writer.write(change) else {
        defer { content.hasFailed = true }
        return content.hasFailed ? nil : "\(SystemError(errno))"
      }
      content.hasFailed = false
      guard !content.isSynchronizing else { return nil }
      content.isSynchronizing = true
      queue.asyncAfter(deadline: .now() + Self.delay) { self.synchronize() }
      return nil
    }
    if let failure {
      tell("the session can't be kept in '\(SafeText.line(path))': \(failure)")
    }
  }

  private func synchronize() {
    let store = content.withLock { content in
      content.isSynchronizing = false
      return content.store
    }
    store.file.withLock { $0.synchronize() }
  }

  /// Waits until everything is written.
  package func flush() { queue.sync { synchronize() } }

  /// Removes the file: the app has ended as it should.
  package func remove() {
    queue.sync {
      content.withLock { content in
        content.hasEnded = true
        content.store.file.withLock { $0.remove() }
      }
    }
  }
}

/// A session's file that a writer writes and others bring to the disk.
private final class SharedStore: ImageStore {
  let file: Locked<SessionFile>

  init(_ file: SessionFile) { self.file = Locked(file) }

  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    file.withLock { $0.write(bytes, at: offset) }
  }

  func replace(with bytes: [UInt8]) -> Bool { file.withLock { $0.replace(with: bytes) } }
}
