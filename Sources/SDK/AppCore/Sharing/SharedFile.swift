internal import Synchronization

/// A JSON file with shared values.
///
/// Its rules:
/// 1. it is read when its first value is used, and whenever another program has changed it.
/// 2. a changed value is written a moment later, together with others that were changed meanwhile.
///    Before that the file is locked and read again, so that changes by others to the rest of it
///    are kept.
/// 3. a value that is changed both here and in the file, while neither is in the other yet, is a
///    conflict.
/// 4. a file, or a part of it, that can't be used is not overwritten, nor is a conflict. That ends
///    when the file is changed again or removed.
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
    /// Closures that deliver new values and errors; called once the disk is unlocked.
    var deliveries: [@Sendable () -> Void] = []
    var deliveryCount = 0
    var watch: (any AnyObject & Sendable)?
  }

  private struct WeakReference {
    weak var reference: (any AnySharedReference)?
  }

  /// A value of the file on its way to its reference.
  private struct Delivery {
    let number: Int
    /// The number of changes of the reference that it replaces; with more, it is not taken.
    let changes: Int
  }

  let path: String
  private let report: @Sendable (SharedError) -> Void
  private let errorsDidChange: @Sendable () -> Void
  private let onDisk: FileOnDisk
  private let delay: Duration?
  // In locking order. No value may be locked under `disk`: the first use of a value locks `disk`,
  // possibly while another value is locked. A change of a value locks `pending` after its own lock.
  // The counts of a value's changes may be read at any time.
  private let saving = Mutex(())
  private let disk = Mutex(Disk())
  private let pending = Mutex(Pending())
  /// The values that have been read and not delivered; until then, they are in the file alone.
  private let delivering = Mutex<[[String]: Delivery]>([:])
  /// Why values are not in the file; apart from `disk`, which is locked while the file is written.
  private let errors = Mutex<(ofFile: SharedError?, ofParts: [[String]: SharedError])>((nil, [:]))

  /// Changes are collected for `delay` before they are written; `nil` writes them at once.
  init(
    _ path: String, in files: FileSystem, delay: Duration?,
    errorsDidChange: @escaping @Sendable () -> Void,
    _ report: @escaping @Sendable (SharedError) -> Void
  ) {
    self.path = path
    self.report = report
    self.errorsDidChange = errorsDidChange
    onDisk = FileOnDisk(path: path, files: files.files)
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
    let ofParts = disk.problems.merging(disk.encodingErrors) { first, _ in first }
    let new = (disk.problem ?? disk.failure, ofParts)
    let areSame = errors.withLock { old in
      defer { old = new }
      return old == new
    }
    return areSame ? disk.deliveries : disk.deliveries + [errorsDidChange]
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
        offer(tree, to: reference, at: keys, replacing: 0, &disk)
      }
    }
  }

  /// Makes a reference, which was added, the one of its keys that gets the file's changes.
  func follow(_ reference: any AnySharedReference, at keys: [String]) {
    withDisk { disk in
      guard disk.references[keys]?.reference !== reference else { return }
      disk.references[keys] = WeakReference(reference: reference)
      let counts = reference.changeCounts
      let isWaiting = pending.withLock { $0.changed[keys] != nil }
      guard !isWaiting, counts.areFiled, let tree = disk.tree else { return }
      offer(tree, to: reference, at: keys, replacing: counts.own, &disk)
    }
  }

  /// Delivers the value at `keys`; blocks them if they lead through a value that is not an object.
  private func offer(
    _ tree: Value, to reference: any AnySharedReference, at keys: [String],
    replacing changes: Int, _ disk: inout Disk
  ) {
    if let value = tree[at: keys] {
      give(value, to: reference, at: keys, replacing: changes, &disk)
    } else if let place = tree.obstacle(on: keys) {
      let name = place.isEmpty ? "the file" : "'\(place.joined(separator: "."))'"
      set(\.problems[keys], to: .damaged("\(name) is not an object"), &disk)
    } else {
      disk.problems[keys] = nil
    }
  }

  private func watch(_ disk: inout Disk) {
    guard disk.watch == nil else { return }
    disk.watch = onDisk.watch { [weak self] in self?.fileDidChange() }
  }

  // MARK: Changes by others

  private func fileDidChange() {
    // Files in memory report a change on the thread that writes it: it knows what it writes.
    guard !onDisk.isWriting else { return }
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
    let modified = onDisk.modificationTime
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try onDisk.read()
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
    (disk.tree, disk.problem) = (tree, nil)
    for (keys, entry) in disk.references {
      guard let reference = entry.reference else { continue }
      let counts = reference.changeCounts
      guard let new = tree[at: keys] else {
        offer(tree, to: reference, at: keys, replacing: counts.own, &disk)
        continue
      }
      // A file that was repaired, or saved again after a conflict, is used, as the report says.
      let isAwaited = disk.problems[keys] != nil || wasBlocked
      guard new != old?[at: keys] || isAwaited else { continue }
      let waiting = [disk.changed[keys], pending.withLock { $0.changed[keys] }]
      let isChangedHere =
        !counts.areFiled || waiting.contains { $0?.changeCounts.areFiled == false }
      if isChangedHere, !isAwaited {
        set(\.problems[keys], to: .conflict, &disk)
      } else {
        disk.changed[keys] = nil
        pending.withLock { $0.changed[keys] = nil }
        give(new, to: reference, at: keys, replacing: counts.own, &disk)
      }
    }
  }

  /// Delivers a value, unless the reference is changed more than `changes` times before that.
  private func give(
    _ value: Value, to reference: any AnySharedReference, at keys: [String],
    replacing changes: Int, _ disk: inout Disk
  ) {
    do {
      disk.deliveryCount += 1
      let number = disk.deliveryCount
      let deliver = try reference.delivery(of: value, number: number, replacing: changes)
      delivering.withLock { $0[keys] = Delivery(number: number, changes: changes) }
      disk.deliveries.append { [self] in
        didDeliver(number, to: reference, at: keys, isTaken: deliver())
      }
      (disk.problems[keys], disk.encodingErrors[keys]) = (nil, nil)
    } catch let error as NewerFile {
      let field = (keys + [error.field]).joined(separator: ".")
      set(\.problems[keys], to: .newer(field: field), &disk)
    } catch {
      set(\.problems[keys], to: .damaged(by: error), &disk)
    }
  }

  /// Ends a delivery; one that was refused is a conflict.
  private func didDeliver(
    _ number: Int, to reference: any AnySharedReference, at keys: [String], isTaken: Bool
  ) {
    if !isTaken {
      pending.withLock { $0.changed[keys] = $0.changed[keys] ?? reference }
      withDisk { disk in
        guard delivering.withLock({ $0[keys]?.number == number }) else { return }
        set(\.problems[keys], to: .conflict, &disk)
      }
    }
    delivering.withLock { if $0[keys]?.number == number { $0[keys] = nil } }
  }

  // MARK: Changes here

  func valueDidChange(_ reference: any AnySharedReference, at keys: [String]) {
    pending.withLock { $0.changed[keys] = reference }
    if delay == nil { try? save() } else { schedule() }
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
      try? save()
    }
  }

  /// Has a value written that an earlier process has changed, if the file lacks it.
  func saveIfAbsent(_ reference: any AnySharedReference, at keys: [String]) {
    if disk.withLock({ lacksValue(at: keys, $0) }) { valueDidChange(reference, at: keys) }
  }

  /// Whether the file can be used and has no value at `keys`.
  private func lacksValue(at keys: [String], _ disk: Disk) -> Bool {
    disk.problem == nil && disk.problems[keys] == nil && disk.tree?[at: keys] == nil
  }

  /// Writes what has changed.
  ///
  /// - Parameter own: the value that the caller waits for, which is also written if the file lacks
  ///   it; `nil` for none.
  /// - Throws: why that value was not written.
  func save(
    _ own: (reference: any AnySharedReference, keys: [String])? = nil
  ) throws(SharedError) {
    let problem = saving.withLock { _ -> SharedError? in
      let changed = pending.withLock { pending in
        defer { pending.changed = [:] }
        return pending.changed
      }
      guard own != nil || !changed.isEmpty else { return nil }
      // Here, not under the disk's lock: a value may be held by somebody who waits for the disk.
      var encoded = changed.reduce(into: [:]) { $0[$1.key] = $1.value.fileForm(at: $1.key) }
      if let own, changed[own.keys] == nil {
        encoded[own.keys] = own.reference.fileForm(at: own.keys)
      }
      let (problem, left) = withDisk { disk in
        disk.changed = changed
        let lock = onDisk.lock()
        defer { withExtendedLifetime(lock) { disk.changed = [:] } }
        refresh(&disk)
        if let own, lacksValue(at: own.keys, disk) {
          disk.changed[own.keys] = disk.changed[own.keys] ?? own.reference
        }
        let problem = disk.problem ?? write(encoded, &disk)
        let ownProblem = own.flatMap { disk.problems[$0.keys] ?? disk.encodingErrors[$0.keys] }
        return (problem ?? ownProblem, disk.changed)
      }
      pending.withLock { $0.changed.merge(left) { newer, _ in newer } }
      return problem
    }
    if let problem { throw problem }
  }

  /// Writes the changed values that are not blocked, and removes them from `disk.changed`.
  ///
  /// - Returns: why that failed, which has been reported; `nil` if it did not fail.
  private func write(_ encoded: [[String]: SharedFileForm], _ disk: inout Disk) -> SharedError? {
    // What was read and not delivered yet: it replaces the value, or is refused.
    for (keys, reference) in disk.changed {
      guard let delivery = delivering.withLock({ $0[keys] }) else { continue }
      if reference.changeCounts.own == delivery.changes {
        disk.changed[keys] = nil
      } else {
        set(\.problems[keys], to: .conflict, &disk)
      }
    }
    var tree = disk.tree
    let mine = disk.changed.keys.filter { disk.problems[$0] == nil }
    for keys in mine {
      guard let form = encoded[keys] else { continue }
      if let value = form.value { tree = Value.setting(value, at: keys[...], in: tree) }
      set(\.encodingErrors[keys], to: form.problem, &disk)
    }
    if let tree, tree != disk.tree || disk.bytes == nil {
      let bytes = Array(tree.readableJSON.utf8)
      do throws(FileError) {
        try onDisk.write(bytes)
        (disk.bytes, disk.modified, disk.tree) = (bytes, onDisk.modificationTime, tree)
        watch(&disk)
      } catch {
        set(\.failure, to: .file(error), &disk)
        return disk.failure
      }
    }
    for keys in mine {
      if let form = encoded[keys] { disk.changed[keys]?.didFile(form.changes) }
      disk.changed[keys] = nil
    }
    disk.failure = nil
    return nil
  }

  /// Writes what has changed, at the end of the app.
  ///
  /// - Returns: the values that could not be written, each with its name, its JSON and the reason.
  func saveOrDescribe() -> [(name: String, text: String, reason: String)] {
    var reason: String?
    do throws(SharedError) { try save() } catch { reason = "\(error)" }
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
