internal import Dispatch
internal import Glibc
internal import Support

/// Follows files on a queue of its own, and calls a closure when a change is complete.
///
/// Following ends when the follower is released.
package final class FileFollower: @unchecked Sendable {
  // Unchecked: the mutable properties are used on the queue only.

  let paths: [FollowedPath]
  private let didChange: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "appcore-follow")
  private let timer: any DispatchSourceTimer
  private var events: FileEvents?
  private var tracker = ChangeTracker()
  /// Folders that are to be followed and do not exist now.
  private var lost: Set<String> = []

  /// How often missing folders are looked for, in milliseconds.
  private static let searchInterval = 250

  /// Starts to follow files; `didChange` is called on the queue with the subject of each complete
  /// change.
  init(
    _ paths: [FollowedPath], _ didChange: @escaping @Sendable (String) -> Void
  ) throws(FollowingError) {
    self.paths = paths
    self.didChange = didChange
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.run() }
    timer.activate()
    let events = try FileEvents(on: queue) { [weak self] in self?.run() }
    self.events = events
    try queue.sync { Result { () throws(FollowingError) in try begin(events) } }.get()
  }

  deinit { timer.cancel() }

  private func begin(_ events: FileEvents) throws(FollowingError) {
    for folder in paths.flatMap({ $0.folders() }) {
      do throws(FollowingError) {
        try events.add(folder)
      } catch {
        // It may be created later, such as the folder of a plugin that is not built yet.
        guard error.error == ENOENT || error.error == ENOTDIR else { throw error }
        lost.insert(folder)
      }
    }
    setTimer()
  }

  private func run() {
    guard let events else { return }
    let now = Self.now()
    for event in events.read() { take(event, now: now) }
    search(now: now)
    for subject in tracker.due(now: Self.now()) { didChange(subject) }
    setTimer()
  }

  /// Sets the timer to when a change may be due, or a missing folder may exist again.
  private func setTimer() {
    let due = tracker.wait(now: Self.now()).map { $0 + 1 }
    let waits = [due, lost.isEmpty ? nil : Self.searchInterval]
    guard let wait = waits.compactMap(\.self).min() else { return }
    timer.schedule(deadline: .now() + .milliseconds(wait))
  }

  private func take(_ event: FileEvents.Event, now: Int) {
    switch event.kind {
    case .overflow: for path in paths { tracker.record(path.subject, now: now) }
    case .lost: lost.insert(event.folder)
    case .folder: follow(event.folder + "/" + event.name, now: now)
    case .created, .written, .changed:
      let file = FilePath.join(event.folder, event.name)
      var owners = paths.filter { $0.owns(file) }
      // A link on the way to the manifest leads elsewhere now: reloading the manifest also reloads
      // its plugins, all or none of them.
      let isWhole = owners.contains { $0.subject.isEmpty && $0.links.contains(file) }
      if isWhole { owners.removeAll { !$0.subject.isEmpty } }
      for path in owners {
        let isOpen =
          event.kind == .written || event.kind == .created && Self.isBeingWritten(file)
        tracker.record(path.subject, file: file, isOpen: isOpen, now: now)
      }
    }
  }

  /// Follows a new folder within a folder of sources; it may already contain files.
  private func follow(_ folder: String, now: Int) {
    let name = folder.split(separator: "/").last ?? ""
    for path in paths
    where path.isFolder && folder.hasPrefix(path.path + "/") && !name.hasPrefix(".") {
      for inner in FollowedPath(subject: "", path: folder, isFolder: true).folders() {
        try? events?.add(inner)
      }
      tracker.record(path.subject, now: now)
    }
  }

  /// Follows missing folders that exist again, for example after a build has recreated them.
  private func search(now: Int) {
    for folder in lost {
      guard (try? events?.add(folder)) != nil else { continue }
      lost.remove(folder)
      for path in paths where path.folders().contains(folder) {
        tracker.record(path.subject, now: now)
      }
    }
  }

  /// Whether a file that was just created is likely being written: it is not a link of any kind.
  private static func isBeingWritten(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
  }

  private static func now() -> Int { MonotonicTime.now() / 1_000_000 }
}

/// Determines when changed files are complete (debouncing).
///
/// Editors and linkers save in several steps: they truncate a file and write it, or write another
/// one and rename it. So a change of a subject is due when all of its files have been closed and
/// nothing has happened to them for ``quiet`` milliseconds.
struct ChangeTracker {
  /// How long nothing must happen before a change is due, in milliseconds.
  static let quiet = 80
  /// The same while a file is still open, in milliseconds: its writer may never close it.
  static let timeout = 5000

  private struct Change {
    var last: Int
    var open: Set<String> = []
  }
  private var changes: [String: Change] = [:]

  /// Records an event of a file, `nil` for the subject as a whole, at this time in milliseconds.
  ///
  /// `isOpen` is whether the file is being written.
  mutating func record(_ subject: String, file: String? = nil, isOpen: Bool = false, now: Int) {
    changes[subject, default: Change(last: now)].last = now
    guard let file else { return }
    if isOpen { changes[subject]?.open.insert(file) } else { changes[subject]?.open.remove(file) }
  }

  /// Removes and returns the subjects whose changes are due, sorted.
  mutating func due(now: Int) -> [String] {
    let due = changes.filter { now >= Self.end(of: $0.value) }.keys.sorted()
    for subject in due { changes[subject] = nil }
    return due
  }

  /// How long until the next change is due, in milliseconds; `nil` if there is none.
  func wait(now: Int) -> Int? {
    changes.values.map { max(0, Self.end(of: $0) - now) }.min()
  }

  private static func end(of change: Change) -> Int {
    change.last + (change.open.isEmpty ? quiet : timeout)
  }
}

/// A file or a folder of sources whose changes are followed, with its subject.
struct FollowedPath: Hashable, Sendable {
  /// What is reloaded when the path changes: the name of a plugin, or empty for the manifest.
  ///
  /// Several paths may have the same subject.
  let subject: String
  /// The path with symbolic links resolved, except for a file that is a link itself.
  let path: String
  let isFolder: Bool
  /// The symbolic links on the original path, each by its resolved path.
  ///
  /// If one of them is changed, there is another file at the path.
  let links: Set<String>

  /// - Parameters:
  ///   - subject: the plugin's name; empty for the manifest.
  ///   - path: the path as it was given. Links to its folder are resolved, because inotify reports
  ///     a folder under one name only.
  ///   - isFolder: whether it is a folder of sources.
  init(subject: String, path: String, isFolder: Bool) {
    self.subject = subject
    self.isFolder = isFolder
    var plain = path
    while plain.count > 1, plain.hasSuffix("/") { plain.removeLast() }
    links = FilePath.links(along: isFolder ? plain : FilePath.folder(of: plain))
    if isFolder {
      self.path = FilePath.resolved(plain) ?? plain
    } else {
      self.path =
        FilePath.resolved(FilePath.folder(of: plain)).map {
          FilePath.join($0, FilePath.name(of: plain))
        } ?? plain
    }
  }

  /// The folders whose events may be changes of this path.
  ///
  /// For a file, its folder and the folder of the link's target if it is a link; for a folder of
  /// sources, that folder and all that are not hidden in it; for both, the folders of ``links``.
  func folders() -> [String] {
    var found = links.map(FilePath.folder(of:)).sorted()
    guard isFolder else {
      return found + [FilePath.folder(of: path), real.map(FilePath.folder(of:))].compactMap(\.self)
    }
    var waiting = [path]
    while let folder = waiting.popLast(), found.count < Self.folderLimit {
      found.append(folder)
      waiting += Self.subfolders(of: folder)
    }
    return found
  }

  func owns(_ file: String) -> Bool {
    if links.contains(file) { return true }
    guard isFolder else { return file == path || file == real }
    return file.hasPrefix(path + "/") && file.hasSuffix(".swift")
      && !FilePath.name(of: file).hasPrefix(".")
  }

  /// The maximum number of folders; more are probably a loop of links or mounts.
  private static let folderLimit = 4096

  private var real: String? { FilePath.resolved(path) }

  private static func subfolders(of folder: String) -> [String] {
    // Hidden folders, such as `.build`, contain no sources.
    (FilePath.names(in: folder) ?? []).filter { !$0.hasPrefix(".") }.map { folder + "/" + $0 }
      .filter(FilePath.isFolder)
  }
}
