internal import Glibc
internal import Support
internal import Synchronization

/// Follows the files of plugins on a thread of its own, and tells when one has changed and come to
/// rest.
///
/// The thread ends when the follower is let go of.
package final class PluginFollower: Sendable {
  private let stopping: Int32

  /// - Parameters:
  ///   - plugins: whose files are followed.
  ///   - tell: is called with the name of one that has changed, on the follower's thread.
  /// - Throws: why the files can't be followed.
  init(
    _ plugins: [FollowedPlugin], _ tell: @escaping @Sendable (String) -> Void
  ) throws(FollowProblem) {
    let events = try FileEvents()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FollowProblem(path: "", error: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stopping = ends[1]
    let work = FollowerWork(plugins, events, stopping: ends[0], tell)
    try work.begin()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<FollowerWork>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    guard status == 0 else { throw FollowProblem(path: "", error: status) }
    pthread_detach(thread)
  }

  deinit {
    // What the thread waits for: the other end is closed.
    close(stopping)
  }
}

/// What the follower's thread does; nobody else touches it once it runs.
private final class FollowerWork {
  private let plugins: [FollowedPlugin]
  private let events: FileEvents
  private let stopping: Int32
  private let tell: @Sendable (String) -> Void
  private var tracker = ChangeTracker()
  /// Folders that are to be followed and are not there.
  private var lost: Set<String> = []

  /// How often folders that have gone are looked for, in milliseconds.
  private static let searchInterval = 250

  init(
    _ plugins: [FollowedPlugin], _ events: FileEvents, stopping: Int32,
    _ tell: @escaping @Sendable (String) -> Void
  ) {
    self.plugins = plugins
    self.events = events
    self.stopping = stopping
    self.tell = tell
  }

  deinit { close(stopping) }

  func begin() throws(FollowProblem) {
    for plugin in plugins {
      for folder in plugin.folders() { try events.add(folder) }
    }
  }

  func run() {
    while wait() {
      let now = Self.now()
      for event in events.read() { take(event, now: now) }
      search(now: now)
      for name in tracker.due(now: Self.now()) { tell(name) }
    }
  }

  /// Waits for something to do; `false` when the follower is gone.
  private func wait() -> Bool {
    var limit = tracker.wait(now: Self.now()).map { $0 + 1 } ?? -1
    if !lost.isEmpty { limit = limit < 0 ? Self.searchInterval : min(limit, Self.searchInterval) }
    var waited = [
      pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&waited, 2, Int32(limit))
    return waited[1].revents == 0
  }

  private func take(_ event: FileEvents.Event, now: Int) {
    switch event.kind {
    case .overflow: for plugin in plugins { tracker.note(plugin.name, now: now) }
    case .lost: lost.insert(event.folder)
    case .folder: follow(event.folder + "/" + event.name, now: now)
    case .created, .written, .closed, .arrived, .left:
      let path = event.folder + "/" + event.name
      for plugin in plugins where plugin.owns(folder: event.folder, name: event.name) {
        let isOpen =
          event.kind == .written || event.kind == .created && Self.isBeingWritten(path)
        tracker.note(plugin.name, file: path, isOpen: isOpen, now: now)
      }
    }
  }

  /// Follows a folder that is new among sources; files may be in it already.
  private func follow(_ folder: String, now: Int) {
    let name = folder.split(separator: "/").last ?? ""
    for plugin in plugins
    where plugin.isFolder && folder.hasPrefix(plugin.path + "/") && !name.hasPrefix(".") {
      for inner in FollowedPlugin(name: "", path: folder, isFolder: true).folders() {
        try? events.add(inner)
      }
      tracker.note(plugin.name, now: now)
    }
  }

  /// Looks for folders that have gone: a build may make them anew.
  private func search(now: Int) {
    for folder in lost {
      guard (try? events.add(folder)) != nil else { continue }
      lost.remove(folder)
      for plugin in plugins where plugin.folders().contains(folder) {
        tracker.note(plugin.name, now: now)
      }
    }
  }

  /// Whether a file that was just made is one that somebody writes, and no link to another.
  private static func isBeingWritten(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
  }

  private static func now() -> Int { MonotonicTime.now() / 1_000_000 }
}
