internal import Dispatch
internal import Glibc
internal import Support
internal import Synchronization

/// Watches single files, with one inotify instance for the whole process.
///
/// It follows the files' folders, because most programs replace a file instead of writing to it. A
/// file has changed when it was closed after writing, when another one was renamed to its name, or
/// when it was removed.
final class FileWatches: @unchecked Sendable {
  // Unchecked: `events` is set once, and used only while `watches` is locked.
  fileprivate typealias Watch = (folder: String, name: String, didChange: @Sendable () -> Void)

  /// Keeps a watch active while it is retained.
  private final class Token: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  /// The watches of this process; `nil` if the system grants no inotify instance.
  static let shared = FileWatches()

  private var events: FileEvents?
  private let watches = Mutex<[Int: Watch]>([:])
  private let number = Atomic(0)

  private init?() {
    let queue = DispatchQueue(label: "appcore-files")
    events = try? FileEvents(on: queue) { [weak self] in self?.read() }
    if events == nil { return nil }
  }

  /// Watches a file, which need not exist; its folder must.
  ///
  /// `didChange` is called on a queue of the watches when the file may have changed.
  ///
  /// - Returns: an object that keeps the watch active while it is retained; `nil` if the file can't
  ///   be watched.
  func watch(
    _ path: String, _ didChange: @escaping @Sendable () -> Void
  ) -> (any AnyObject & Sendable)? {
    let path = FilePath.resolved(path) ?? path
    guard let slash = path.lastIndex(of: "/"),
      let folder = FilePath.resolved(slash == path.startIndex ? "/" : String(path[..<slash]))
    else { return nil }
    let watch = (folder, String(path[path.index(after: slash)...]), didChange)
    let id = number.add(1, ordering: .relaxed).newValue
    let isFollowed = watches.withLock { watches in
      guard (try? events?.add(folder)) != nil else { return false }
      watches[id] = watch
      return true
    }
    return isFollowed
      ? Token { [self] in watches.withLock { _ = $0.removeValue(forKey: id) } } : nil
  }

  private func read() {
    let changed = watches.withLock { watches in
      let events = events?.read() ?? []
      return watches.values.filter { watch in events.contains { $0.concerns(watch) } }
    }
    for watch in changed { watch.didChange() }
  }
}

extension FileEvents.Event {
  fileprivate func concerns(_ watch: FileWatches.Watch) -> Bool {
    switch kind {
    case .changed: folder == watch.folder && name == watch.name
    case .lost: folder == watch.folder
    case .overflow: true
    case .created, .written, .folder: false
    }
  }
}
