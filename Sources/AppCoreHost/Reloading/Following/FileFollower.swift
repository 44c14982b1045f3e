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
    case .lost:
      lost.insert(event.folder)
      // The sources in it are gone.
      for path in paths where path.isFolder && path.contains(event.folder) {
        tracker.record(path.subject, now: now)
      }
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
    where path.isFolder && path.contains(folder) && !name.hasPrefix(".") {
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
      for path in paths {
        let folders = path.folders()
        guard folders.contains(folder) else { continue }
        if path.isFolder { for inner in folders { try? events?.add(inner) } }
        tracker.record(path.subject, now: now)
      }
    }
  }

  /// Whether a file that was just created is likely being written: it is not a link of any kind.
  private static func isBeingWritten(_ path: String) -> Bool {
    FilePath.status(path, followsLinks: false).map { $0.isRegular && $0.st_nlink == 1 } ?? false
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

  /// Whether a folder is this folder of sources, or in it.
  func contains(_ folder: String) -> Bool { folder == path || folder.hasPrefix(path + "/") }

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

/// Reads events of files in folders, from an inotify instance.
final class FileEvents {
  struct Event: Hashable {
    enum Kind: Hashable {
      case created
      /// Bytes were written, or the file was truncated; more may follow.
      case written
      /// A file that was open for writing was closed, one was renamed or moved to this name, or one
      /// was removed or moved away.
      case changed
      /// A folder was created in the folder or moved to it.
      case folder
      /// The folder is no longer followed: it was removed, renamed or unmounted.
      case lost
      /// The system's queue was full, so that events are missing.
      case overflow
    }
    let kind: Kind
    /// The folder's path as it was added; empty for an overflow.
    let folder: String
    /// The file's name; empty for the folder itself.
    let name: String
  }

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var folders: [Int32: String] = [:]

  /// Creates an inotify instance, and calls a closure on a queue whenever there are events.
  ///
  /// - Throws: the system's error if it grants none.
  init(
    on queue: DispatchQueue, _ hasEvents: @escaping @Sendable () -> Void
  ) throws(FollowingError) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw FollowingError(path: "", error: errno) }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: hasEvents)
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Follows a folder; does nothing for one that is followed already.
  func add(_ folder: String) throws(FollowingError) {
    let mask =
      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let watch = inotify_add_watch(descriptor, folder, UInt32(bitPattern: mask))
    guard watch >= 0 else { throw FollowingError(path: folder, error: errno) }
    folders[watch] = folder
  }

  /// The events since the last call; does not block.
  func read() -> [Event] {
    var events: [Event] = []
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[offset + header..<offset + header + Int(event.len)].prefix { $0 != 0 }
          if let found = self.event(event, String(decoding: name, as: UTF8.self)) {
            events.append(found)
          }
          offset += header + Int(event.len)
        }
      }
    }
    return events
  }

  private func event(_ raw: inotify_event, _ name: String) -> Event? {
    func has(_ bit: Int32) -> Bool { raw.mask & UInt32(bitPattern: bit) != 0 }
    if has(IN_Q_OVERFLOW) { return Event(kind: .overflow, folder: "", name: "") }
    guard let folder = folders[raw.wd] else { return nil }
    if has(IN_IGNORED) || has(IN_DELETE_SELF) || has(IN_MOVE_SELF) {
      // The folders in it have moved with it.
      for (watch, path) in folders where path == folder || path.hasPrefix(folder + "/") {
        folders[watch] = nil
        inotify_rm_watch(descriptor, watch)
      }
      return Event(kind: .lost, folder: folder, name: "")
    }
    let kind: Event.Kind
    if has(IN_ISDIR) {
      guard has(IN_CREATE) || has(IN_MOVED_TO) else { return nil }
      kind = .folder
    } else if has(IN_CREATE) {
      kind = .created
    } else if has(IN_MODIFY) {
      kind = .written
    } else {
      kind = .changed
    }
    return Event(kind: kind, folder: folder, name: name)
  }
}

/// Why files can't be followed.
public struct FollowingError: Error, CustomStringConvertible {
  let path: String
  let error: Int32

  public var description: String {
    let reason = String(cString: strerror(error))
    return error == ENOSPC
      ? "'\(path)' can't be followed: the system's limit of watches is reached; "
        + "raise fs.inotify.max_user_watches"
      : "'\(path)' can't be followed: \(reason)"
  }
}
