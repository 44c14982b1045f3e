internal import Synchronization

/// A shared value's place in a file: all of it, or the part under some keys.
final class SharedDocument: Sendable {
  typealias Encode = @Sendable () throws -> Value?
  /// Decodes a value, and returns what hands it on.
  typealias Take = @Sendable (Value) throws -> @Sendable () -> Void
  let file: SharedFile
  let keys: [String]
  private let coding = Mutex<(encode: Encode, take: Take)?>(nil)

  init(_ file: SharedFile, at keys: [String]) {
    self.file = file
    self.keys = keys
  }

  /// Takes the value that is in the file, and follows the file.
  func begin(encode: @escaping Encode, take: @escaping Take) {
    coding.withLock { $0 = (encode, take) }
    file.add(self)
  }

  func encode() throws -> Value? { try coding.withLock { $0?.encode }?() }
  func take(_ value: Value) throws -> @Sendable () -> Void {
    try coding.withLock { $0?.take }?(value) ?? {}
  }

  func valueDidChange(_ owner: any AnyObject & Sendable) { file.valueDidChange(self, owner) }
  func save() throws(SharedError) { try file.save(self) }
}

/// A JSON file with shared values.
///
/// Its rules:
/// 1. it is read when its first value is used, and whenever somebody else has changed it.
/// 2. a changed value is written a moment later, together with others that were changed meanwhile.
///    Before that the file is read again, so that what others have changed besides is kept.
/// 3. a file, or a part of it, that can't be used is not overwritten. That ends when the file is
///    changed again or removed.
final class SharedFile: Sendable {
  /// A value that is not in the file yet; retained, so that it is not lost.
  private struct Change {
    let document: SharedDocument
    let owner: any AnyObject & Sendable
    private(set) var encoded: Result<Value, any Error>?

    init(document: SharedDocument, owner: any AnyObject & Sendable) {
      self.document = document
      self.owner = owner
    }

    mutating func encode() {
      do {
        encoded = try document.encode().map { value in
          // JSON has no such number: it would be read as damage.
          value.hasInfinity ? .failure(SharedError.InfiniteNumber()) : .success(value)
        }
      } catch {
        encoded = .failure(error)
      }
    }
  }

  private struct Pending {
    var changed: [[String]: Change] = [:]
    var isScheduled = false
  }

  private struct Disk {
    /// What the file held the last time; `nil` where there was none.
    var bytes: [UInt8]?
    var tree: Value?
    var isRead = false
    var documents: [[String]: WeakDocument] = [:]
    /// Why the whole file is not used.
    var problem: SharedError?
    /// Why parts of it are not used.
    var problems: [[String]: SharedError] = [:]
    /// The values that are being saved.
    var changed: [[String]: Change] = [:]
    /// What hands on new values, once the disk is no longer locked.
    var deliveries: [@Sendable () -> Void] = []
    /// The last failure to write, which was reported.
    var failure: SharedError?
    var watch: (any AnyObject & Sendable)?
  }

  private struct WeakDocument {
    weak var document: SharedDocument?
  }

  let path: String
  private let files: any FileSystem.Implementation
  private let delay: Duration?
  // In the order in which they are locked. Who changes a value locks `pending` alone, and who uses one
  // for the first time the disk, maybe while another value is locked; so no value is locked under
  // `disk`.
  private let saving = Mutex(())
  private let disk = Mutex(Disk())
  private let pending = Mutex(Pending())

  init(_ path: String, in files: FileSystem, delay: Duration?) {
    self.path = path
    self.files = files.files
    self.delay = delay
  }

  private func withDisk<Result>(_ body: (inout Disk) -> Result) -> Result {
    let (result, deliveries) = disk.withLock { [body] disk in
      let result = body(&disk)
      defer { disk.deliveries = [] }
      return (result, disk.deliveries)
    }
    for deliver in deliveries { deliver() }
    return result
  }

  func add(_ document: SharedDocument) {
    withDisk { disk in
      disk.documents[document.keys] = WeakDocument(document: document)
      if !disk.isRead {
        disk.isRead = true
        watch(&disk)
        refresh(&disk)
      } else if let tree = disk.tree {
        offer(tree, to: document, &disk)
      }
    }
  }

  /// Hands a value on that is in the file; what is no object on the way to it is not overwritten.
  private func offer(_ tree: Value, to document: SharedDocument, _ disk: inout Disk) {
    if let value = tree[at: document.keys] {
      give(value, to: document, &disk)
    } else if let place = tree.obstacle(on: document.keys) {
      let name = place.isEmpty ? "the file" : "'\(place.joined(separator: "."))'"
      block(.damaged("\(name) is not an object"), document.keys, &disk)
    } else {
      disk.problems[document.keys] = nil
    }
  }

  private func watch(_ disk: inout Disk) {
    guard disk.watch == nil else { return }
    disk.watch = files.watch(path) { [weak self] in self?.fileDidChange() }
  }

  // MARK: Changes by others

  private func fileDidChange() {
    // Files in memory say so on the thread that writes them, which may be at it in here.
    let deliveries = disk.withLockIfAvailable { disk in
      refresh(&disk)
      defer { disk.deliveries = [] }
      return disk.deliveries
    }
    guard let deliveries else {
      Task { withDisk { refresh(&$0) } }
      return
    }
    for deliver in deliveries { deliver() }
    if pending.withLock({ !$0.changed.isEmpty }) { schedule() }
  }

  /// Reads the file, and hands on what is new in it.
  private func refresh(_ disk: inout Disk) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try files.read(path)
    } catch {
      guard error.isNotFound else { return block(.file(error), &disk) }
      (disk.bytes, disk.tree, disk.problem, disk.problems) = (nil, nil, nil, [:])
      return
    }
    guard bytes != disk.bytes || disk.problem?.isOfFile == true else { return }
    // A file that could not be read for a while, and is as it was, is none that somebody has repaired.
    let wasBlocked = disk.problem.map { !($0.isOfFile && bytes == disk.bytes) } ?? false
    disk.bytes = bytes
    let tree: Value
    do throws(JSONError) {
      tree = try Value(json: bytes)
    } catch {
      return block(.damaged("\(error)"), &disk)
    }
    let old = disk.tree
    disk.tree = tree
    disk.problem = nil
    for (keys, entry) in disk.documents {
      guard let document = entry.document else { continue }
      guard let new = tree[at: keys] else {
        offer(tree, to: document, &disk)
        continue
      }
      // A file that was repaired, or saved once more, is used, as the report has said.
      let isAwaited = disk.problems[keys] != nil || wasBlocked
      guard new != old?[at: keys] || isAwaited else { continue }
      let isChangedHere = disk.changed[keys] != nil || pending.withLock { $0.changed[keys] != nil }
      if isChangedHere, !isAwaited {
        block(.conflict, keys, &disk)
      } else {
        disk.changed[keys] = nil
        pending.withLock { $0.changed[keys] = nil }
        give(new, to: document, &disk)
      }
    }
  }

  private func give(_ value: Value, to document: SharedDocument, _ disk: inout Disk) {
    do {
      disk.deliveries.append(try document.take(value))
      disk.problems[document.keys] = nil
    } catch let error as NewerFile {
      block(
        .newer(field: (document.keys + [error.field]).joined(separator: ".")), document.keys, &disk)
    } catch {
      block(.damaged(Self.text(error)), document.keys, &disk)
    }
  }

  private func block(_ cause: SharedError.Cause, _ disk: inout Disk) {
    let problem = SharedError(path: path, cause: cause)
    if disk.problem != problem { problem.report() }
    disk.problem = problem
  }

  private func block(_ cause: SharedError.Cause, _ keys: [String], _ disk: inout Disk) {
    let problem = SharedError(path: path, cause: cause)
    if disk.problems[keys] != problem { problem.report() }
    disk.problems[keys] = problem
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

  func valueDidChange(_ document: SharedDocument, _ owner: any AnyObject & Sendable) {
    pending.withLock { $0.changed[document.keys] = Change(document: document, owner: owner) }
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
  /// - Parameter document: the one that somebody waits for.
  /// - Throws: why that one was not written.
  func save(_ document: SharedDocument?) throws(SharedError) {
    let problem = saving.withLock { _ -> SharedError? in
      var changed = pending.withLock { pending in
        defer { pending.changed = [:] }
        return pending.changed
      }
      guard !changed.isEmpty else { return nil }
      // Here, not under the disk's lock: a value may be held by somebody who waits for the disk.
      for keys in changed.keys { changed[keys]?.encode() }
      let (problem, left) = withDisk { disk in
        disk.changed = changed
        refresh(&disk)
        let problem = disk.problem ?? write(&disk)
        defer { disk.changed = [:] }
        return (problem ?? document.flatMap { disk.problems[$0.keys] }, disk.changed)
      }
      pending.withLock { $0.changed.merge(left) { newer, _ in newer } }
      return problem
    }
    if let problem { throw problem }
  }

  /// Writes the values that may be written, which are no longer changed then.
  ///
  /// - Returns: why that failed; it is reported.
  private func write(_ disk: inout Disk) -> SharedError? {
    var tree = disk.tree
    var failure: SharedError?
    let mine = disk.changed.filter { disk.problems[$0.key] == nil }
    for (keys, change) in mine {
      switch change.encoded {
      case .success(let value): tree = Value.setting(value, at: keys[...], in: tree)
      case .failure(let error):
        failure = SharedError(path: path, cause: .notEncodable("\(error)"))
      case nil: continue
      }
    }
    if let tree, tree != disk.tree || disk.bytes == nil {
      let bytes = Array(tree.readableJSON.utf8)
      do throws(FileError) {
        try writeWithFolder(bytes)
        (disk.bytes, disk.tree) = (bytes, tree)
        watch(&disk)
      } catch {
        return fail(SharedError(path: path, cause: .file(error)), &disk)
      }
    }
    for keys in mine.keys { disk.changed[keys] = nil }
    return fail(failure, &disk)
  }

  /// Reports a failure to write, unless it was the last one already.
  private func fail(_ failure: SharedError?, _ disk: inout Disk) -> SharedError? {
    if let failure, failure != disk.failure { failure.report() }
    disk.failure = failure
    return failure
  }

  private func writeWithFolder(_ bytes: [UInt8]) throws(FileError) {
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
  /// - Returns: what could not be written: a name, its text, and the reason.
  func saveOrDescribe() -> [(name: String, text: String, reason: String)] {
    var reason: String?
    do throws(SharedError) { try save(nil) } catch { reason = "\(error)" }
    let left = pending.withLock { $0.changed }
    return left.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { keys, change in
      let problem = disk.withLock { $0.problems[keys] }.map { "\($0)" }
      guard let value = try? change.document.encode() else { return nil }
      let name = keys.last ?? path.split(separator: "/").last.map(String.init) ?? path
      return (
        "the shared value '\(name)'", value.readableJSON, problem ?? reason ?? "it was not written"
      )
    }
  }
}

extension SharedError {
  /// Whether the file itself could not be read.
  fileprivate var isOfFile: Bool { if case .file = cause { true } else { false } }
}

extension SharedError {
  /// A value holds a number that JSON can't write.
  fileprivate struct InfiniteNumber: Error, CustomStringConvertible {
    var description: String { "it holds a number that is infinite or not a number" }
  }
}

extension Value {
  fileprivate subscript(at keys: [String]) -> Value? {
    keys.reduce(Optional(self)) { $0?[$1] }
  }

  /// What stands in the way of a value at some keys: the place of something that is not an object.
  fileprivate func obstacle(on keys: [String]) -> [String]? {
    var value = self
    for (index, key) in keys.enumerated() {
      guard case .object(let fields) = value else { return Array(keys[..<index]) }
      guard let next = fields[key] else { return nil }
      value = next
    }
    return nil
  }

  fileprivate var hasInfinity: Bool {
    switch self {
    case .double(let number): !number.isFinite
    case .array(let values): values.contains { $0.hasInfinity }
    case .object(let fields): fields.values.contains { $0.hasInfinity }
    case .null, .bool, .int, .string: false
    }
  }

  /// `tree` with a value at a place; what is on the way there and is not an object is replaced.
  fileprivate static func setting(
    _ value: Value, at keys: ArraySlice<String>, in tree: Value?
  ) -> Value {
    guard let key = keys.first else { return value }
    var fields: [String: Value] = [:]
    if case .object(let known)? = tree { fields = known }
    fields[key] = setting(value, at: keys.dropFirst(), in: fields[key])
    return .object(fields)
  }
}
