internal import Glibc
internal import Synchronization

/// A JSON file with shared values.
///
/// Its rules:
/// 1. it is read when its first value is used, and whenever another program has changed it.
/// 2. a changed value is written a moment later, together with others that were changed meanwhile.
///    Before that the file is read again, so that changes by others to the rest of it are kept.
/// 3. a file, or a part of it, that can't be used is not overwritten. That ends when the file is
///    changed again or removed.
final class SharedFile: Sendable {
  private struct Pending {
    /// The values that are not in the file yet; retained, so that they are not lost.
    var changed: [[String]: any AnySharedReference] = [:]
    var isScheduled = false
  }

  private struct Disk {
    /// The file's content when it was last read or written; `nil` if there was no file.
    var bytes: [UInt8]?
    /// When the file had been modified then; `nil` if that is not known.
    var modified: Instant?
    var tree: Value?
    var isRead = false
    var references: [[String]: WeakReference] = [:]
    /// Why the whole file is not used, parts of it are not used, it could not be written the last
    /// time, and changed values could not be encoded; all were reported.
    var problem: SharedError?
    var problems: [[String]: SharedError] = [:]
    var failure: SharedError?
    var encodingErrors: [[String]: SharedError] = [:]
    /// The values that are being saved.
    var changed: [[String]: any AnySharedReference] = [:]
    /// Closures that deliver new values; called once the disk is unlocked.
    var deliveries: [@Sendable () -> Void] = []
    var watch: (any AnyObject & Sendable)?
  }

  private struct WeakReference {
    weak var reference: (any AnySharedReference)?
  }

  let path: String
  private let report: @Sendable (SharedError) -> Void
  private let files: any FileSystem.Implementation
  private let delay: Duration?
  // In locking order. No value may be locked under `disk`: the first use of a value locks `disk`,
  // possibly while another value is locked. A change of a value locks `pending` after its own lock.
  private let saving = Mutex(())
  private let disk = Mutex(Disk())
  private let pending = Mutex(Pending())
  /// Why values are not in the file; apart from `disk`, which is locked while the file is written.
  private let errors = Mutex<(ofFile: SharedError?, ofParts: [[String]: SharedError])>((nil, [:]))
  /// The thread that writes the file right now; 0 if none does.
  private let writer = Atomic<UInt>(0)

  /// Changes are collected for `delay` before they are written; `nil` writes them at once.
  init(
    _ path: String, in files: FileSystem, delay: Duration?,
    _ report: @escaping @Sendable (SharedError) -> Void
  ) {
    self.path = path
    self.report = report
    self.files = files.files
    self.delay = delay
  }

  private func withDisk<Result>(_ body: (inout Disk) -> Result) -> Result {
    let (result, deliveries) = disk.withLock { [body] disk in
      (body(&disk), takeDeliveries(&disk))
    }
    for deliver in deliveries { deliver() }
    return result
  }

  /// Publishes the errors, and returns the closures that are to be called without the lock.
  private func takeDeliveries(_ disk: inout Disk) -> [@Sendable () -> Void] {
    defer { disk.deliveries = [] }
    errors.withLock {
      $0 = (
        disk.problem ?? disk.failure,
        disk.problems.merging(disk.encodingErrors) { first, _ in first }
      )
    }
    return disk.deliveries
  }

  /// Sets or removes an error, and reports it if it is new.
  private func set(
    _ error: WritableKeyPath<Disk, SharedError?>, to cause: SharedError.Cause?, _ disk: inout Disk
  ) {
    let new = cause.map { SharedError(path: path, cause: $0) }
    if let new, new != disk[keyPath: error] {
      disk.deliveries.append { [report] in report(new) }
    }
    disk[keyPath: error] = new
  }

  /// Why the value at some keys is not in the file, or not read from it; `nil` if it is.
  func error(at keys: [String]) -> SharedError? {
    errors.withLock { $0.ofFile ?? $0.ofParts[keys] }
  }

  /// Delivers the value at `keys` to a reference, now and whenever it changes.
  func add(_ reference: any AnySharedReference, at keys: [String]) {
    withDisk { disk in
      disk.references[keys] = WeakReference(reference: reference)
      if !disk.isRead {
        disk.isRead = true
        watch(&disk)
        refresh(&disk)
      } else if let tree = disk.tree {
        offer(tree, to: reference, at: keys, &disk)
      }
    }
  }

  /// Makes a reference, which was added, the one of its keys that gets the file's changes.
  func follow(_ reference: any AnySharedReference, at keys: [String]) {
    withDisk { disk in
      guard disk.references[keys]?.reference !== reference else { return }
      disk.references[keys] = WeakReference(reference: reference)
      let isChangedHere = pending.withLock { $0.changed[keys] != nil }
      if !isChangedHere, let tree = disk.tree { offer(tree, to: reference, at: keys, &disk) }
    }
  }

  /// Delivers the value at `keys`; blocks them if they lead through a value that is not an object.
  private func offer(
    _ tree: Value, to reference: any AnySharedReference, at keys: [String], _ disk: inout Disk
  ) {
    if let value = tree[at: keys] {
      give(value, to: reference, at: keys, &disk)
    } else if let place = tree.obstacle(on: keys) {
      let name = place.isEmpty ? "the file" : "'\(place.joined(separator: "."))'"
      set(\.problems[keys], to: .damaged("\(name) is not an object"), &disk)
    } else {
      disk.problems[keys] = nil
    }
  }

  private func watch(_ disk: inout Disk) {
    guard disk.watch == nil else { return }
    disk.watch = files.watch(path) { [weak self] in self?.fileDidChange() }
  }

  // MARK: Changes by others

  private func fileDidChange() {
    // Files in memory report a change on the thread that writes it: it knows what it writes.
    guard writer.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
    // Another thread may hold the lock for as long as a disk takes.
    let deliveries = disk.withLockIfAvailable { disk in
      refresh(&disk)
      return takeDeliveries(&disk)
    }
    guard let deliveries else {
      Task {
        withDisk { refresh(&$0) }
        scheduleIfNeeded()
      }
      return
    }
    for deliver in deliveries { deliver() }
    scheduleIfNeeded()
  }

  /// Schedules a save if there are changes: what blocked them may be gone.
  private func scheduleIfNeeded() {
    if pending.withLock({ !$0.changed.isEmpty }) { schedule() }
  }

  /// Reads the file, and delivers the values that have changed.
  private func refresh(_ disk: inout Disk) {
    // Before its content: if it is modified in between, that is noticed the next time.
    let modified = modificationTime
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.read(path)
    } catch {
      guard error.isNotFound else { return set(\.problem, to: .file(error), &disk) }
      (disk.bytes, disk.modified, disk.tree) = (nil, nil, nil)
      (disk.problem, disk.problems) = (nil, [:])
      return
    }
    // Saved again with the same content: after a conflict that says which one is wanted.
    let isSavedAgain = !disk.problems.isEmpty && modified != disk.modified
    disk.modified = modified
    guard bytes != disk.bytes || disk.problem?.isOfFile == true || isSavedAgain else { return }
    // A file that was unreadable for a while and has the same bytes was not repaired by anyone.
    let wasBlocked = disk.problem.map { !($0.isOfFile && bytes == disk.bytes) } ?? false
    disk.bytes = bytes
    let tree: Value
    do throws(JSONError) {
      tree = try Value(json: bytes)
    } catch {
      return set(\.problem, to: .damaged("\(error)"), &disk)
    }
    let old = disk.tree
    disk.tree = tree
    disk.problem = nil
    for (keys, entry) in disk.references {
      guard let reference = entry.reference else { continue }
      guard let new = tree[at: keys] else {
        offer(tree, to: reference, at: keys, &disk)
        continue
      }
      // A file that was repaired, or saved again after a conflict, is used, as the report says.
      let isAwaited = disk.problems[keys] != nil || wasBlocked
      guard new != old?[at: keys] || isAwaited else { continue }
      let isChangedHere = disk.changed[keys] != nil || pending.withLock { $0.changed[keys] != nil }
      if isChangedHere, !isAwaited {
        set(\.problems[keys], to: .conflict, &disk)
      } else {
        disk.changed[keys] = nil
        pending.withLock { $0.changed[keys] = nil }
        give(new, to: reference, at: keys, &disk)
      }
    }
  }

  private func give(
    _ value: Value, to reference: any AnySharedReference, at keys: [String], _ disk: inout Disk
  ) {
    do {
      disk.deliveries.append(try reference.delivery(of: value))
      disk.problems[keys] = nil
    } catch let error as NewerFile {
      let field = (keys + [error.field]).joined(separator: ".")
      set(\.problems[keys], to: .newer(field: field), &disk)
    } catch {
      set(\.problems[keys], to: .damaged(Self.text(error)), &disk)
    }
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      return (place.isEmpty ? "" : "\(place): ") + context.debugDescription
    default: return "\(error)"
    }
  }

  // MARK: Changes here

  func valueDidChange(_ reference: any AnySharedReference, at keys: [String]) {
    pending.withLock { $0.changed[keys] = reference }
    if delay == nil { try? save(nil) } else { schedule() }
  }

  private func schedule() {
    let isFirst = pending.withLock { pending in
      defer { pending.isScheduled = true }
      return !pending.isScheduled
    }
    guard isFirst else { return }
    Task { [delay] in
      if let delay { try? await Task.sleep(for: delay) }
      pending.withLock { $0.isScheduled = false }
      try? save(nil)
    }
  }

  /// Writes what has changed.
  ///
  /// - Parameter keys: those of the value that the caller waits for; `nil` for none.
  /// - Throws: why that value was not written.
  func save(_ keys: [String]?) throws(SharedError) {
    let problem = saving.withLock { _ -> SharedError? in
      let changed = pending.withLock { pending in
        defer { pending.changed = [:] }
        return pending.changed
      }
      guard !changed.isEmpty else {
        return keys.flatMap { keys in disk.withLock { $0.encodingErrors[keys] } }
      }
      // Here, not under the disk's lock: a value may be held by somebody who waits for the disk.
      var encoded: [[String]: Encoded] = [:]
      for (keys, reference) in changed { encoded[keys] = Self.encoded(reference, at: keys) }
      let (problem, left) = withDisk { disk in
        disk.changed = changed
        refresh(&disk)
        let problem = disk.problem ?? write(encoded, &disk)
        defer { disk.changed = [:] }
        let own = keys.flatMap { disk.problems[$0] ?? disk.encodingErrors[$0] }
        return (problem ?? own, disk.changed)
      }
      pending.withLock { $0.changed.merge(left) { newer, _ in newer } }
      return problem
    }
    if let problem { throw problem }
  }

  /// Writes the changed values that are not blocked, and removes them from `disk.changed`.
  ///
  /// - Returns: why that failed, which has been reported; `nil` if it did not fail.
  private func write(_ encoded: [[String]: Encoded], _ disk: inout Disk) -> SharedError? {
    var tree = disk.tree
    let mine = disk.changed.keys.filter { disk.problems[$0] == nil }
    for keys in mine {
      guard let (value, problem) = encoded[keys] else { continue }
      if let value { tree = Value.setting(value, at: keys[...], in: tree) }
      set(\.encodingErrors[keys], to: problem, &disk)
    }
    if let tree, tree != disk.tree || disk.bytes == nil {
      let bytes = Array(tree.readableJSON.utf8)
      do throws(FileError) {
        try writeWithFolder(bytes)
        (disk.bytes, disk.modified, disk.tree) = (bytes, modificationTime, tree)
        watch(&disk)
      } catch {
        set(\.failure, to: .file(error), &disk)
        return disk.failure
      }
    }
    for keys in mine { disk.changed[keys] = nil }
    disk.failure = nil
    return nil
  }

  /// A value as it is written, or why it can't be; neither for one without a coding.
  private typealias Encoded = (value: Value?, problem: SharedError.Cause?)

  private static func encoded(_ reference: any AnySharedReference, at keys: [String]) -> Encoded {
    do {
      let value = try reference.encoded()
      // The file would be read as damaged: JSON has no such number, and the reader has a limit.
      if value?.hasInfinity == true {
        return (nil, .notEncodable("it holds a number that is infinite or not a number"))
      }
      let limit = Value.depthLimit - keys.count
      if value?.isDeeper(than: limit) == true {
        return (nil, .notEncodable("it is nested more than \(limit) deep"))
      }
      return (value, nil)
    } catch {
      return (nil, .notEncodable("\(error)"))
    }
  }

  private var modificationTime: Instant? { try? files.status(of: path).modified }

  private func writeWithFolder(_ bytes: [UInt8]) throws(FileError) {
    writer.store(UInt(pthread_self()), ordering: .relaxed)
    defer { writer.store(0, ordering: .relaxed) }
    do throws(FileError) {
      try files.write(bytes, to: path)
    } catch {
      guard error.isNotFound, let slash = path.lastIndex(of: "/") else { throw error }
      try files.createDirectory(String(path[..<slash]))
      try files.write(bytes, to: path)
    }
  }

  /// Writes what has changed, at the end of the app.
  ///
  /// - Returns: the values that could not be written, each with its name, its JSON and the reason.
  func saveOrDescribe() -> [(name: String, text: String, reason: String)] {
    var reason: String?
    do throws(SharedError) { try save(nil) } catch { reason = "\(error)" }
    let left = pending.withLock { $0.changed }
    return left.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { keys, reference in
      let problem = disk.withLock { $0.problems[keys] }.map { "\($0)" }
      guard let value = try? reference.encoded() else { return nil }
      let name = keys.last ?? path.split(separator: "/").last.map(String.init) ?? path
      return (
        "the shared value '\(name)'", value.readableJSON, problem ?? reason ?? "it was not written"
      )
    }
  }
}

extension SharedError {
  /// Whether the file itself could not be read or written.
  fileprivate var isOfFile: Bool { if case .file = cause { true } else { false } }
}

/// Where a shared value is kept.
enum SharedHome: Sendable {
  case memory
  case file(SharedFile, keys: [String])
  /// Its key names a file in which it can't be kept.
  case nowhere(SharedError)
}
