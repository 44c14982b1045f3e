internal import Synchronization

/// Holds the shared values of an app or a test.
///
/// It is a dependency. An app has one for its whole process. `TestStore` and `AppHarness` each
/// create their own, with files in memory unless the test sets a file system; it writes changes at
/// once. To use shared values in a test without these, set one around the whole test:
///
/// ```swift
/// func expectCount() {
///   withDependencies {
///     $0.sharedStorage = SharedStorage()
///   } operation: {
///     @Shared(.inMemory("count")) var count = 0
///     $count.withLock { $0 += 1 }
///     assert(count == 1)
///   }
/// }
/// ```
public final class SharedStorage: Sendable {
  private struct Content {
    var references: [SharedID: Holder] = [:]
    var files: [String: WeakFile] = [:]
    var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
    /// The plugin that used a file first, by path.
    var owners: [String: String] = [:]
    var counts = (changes: 0, additions: 0)
    /// The changed values that can't be kept in a file; retained, so that they can be copied.
    var unkept: [SharedID: any AnySharedReference] = [:]
    /// The errors that the app has not shown yet; `nil` if no app shows them.
    var newErrors: [SharedError]?

    mutating func add(_ reference: any AnySharedReference, in image: UInt?) {
      references[reference.id] = Holder(reference, image)
      counts.additions += 1
    }
  }
  private let content = Mutex(Content())
  let tracker = SharedTracker()
  /// The files for a test that sets no file system; `nil` in an app.
  private let ownFiles: FileSystem?
  /// How long changes are collected before a file is written; `nil` writes them at once.
  private let delay: Duration?
  /// Whether the later of two revisions counts for values in files, too.
  private let isReplaying: Bool

  /// Creates a separate storage, for a test.
  public convenience init() { self.init(files: .inMemory(), delay: nil) }

  init(files: FileSystem?, delay: Duration?, isReplaying: Bool = false) {
    ownFiles = files
    self.delay = delay
    self.isReplaying = isReplaying
  }

  /// Creates a storage for states of a recording, whose values in files are those of the states.
  @_spi(Host) public static func replaying() -> SharedStorage {
    SharedStorage(files: .inMemory(), delay: nil, isReplaying: true)
  }

  /// The storage of apps.
  static let process = SharedStorage(files: nil, delay: .milliseconds(100))

  /// The path of the app's settings file; `nil` in a process without a host.
  @_spi(Host) public static let settingsFile = Guarded<String?>(nil)

  static var current: SharedStorage { DependencyValues.current.sharedStorage }

  // MARK: References

  /// The value that a key names in an image; created if there is none yet.
  func reference<Value: Sendable>(
    _ key: SharedKey<Value>, _ image: UInt, default value: () -> Value
  ) -> SharedReference<Value> {
    let id = key.id(in: image)
    let holder = content.withLock { $0.references[id] }
    guard let holder, let found = holder.reference else {
      return add(make(value(), id, key.coding), in: image)
    }
    if let known = found as? SharedReference<Value> { return known }
    guard holder.image != image else {
      RuntimeIssue.report(
        """
        the key \(id) is used with two types, \(type(of: found).valueType) and \(Value.self)
          - give one of them another key; until then it has a value of its own
        """)
      return make(value(), .unnamed(), key.coding)
    }
    // Another build of the plugin has changed the type.
    let carried = try? found.encoded().flatMap { try key.coding?.decode($0) }
    return replace(found, by: make(carried ?? value(), id, key.coding), in: image)
  }

  /// Creates a value without a key.
  func unnamed<Value: Sendable>(_ value: Value) -> SharedReference<Value> {
    add(make(value, .unnamed(), nil), in: nil)
  }

  /// The shared value of a decoded state: the known one, updated if it is older, or a new one.
  func restored<Value: Codable & Sendable>(
    _ id: SharedID, _ value: Value, revision: Int
  ) -> SharedReference<Value> {
    let found = content.withLock { $0.references[id]?.reference }
    if let known = found as? SharedReference<Value> {
      // Decoding a state starts with its defaults, so a known value of revision 0 may be just a
      // default. A value in a file with a later revision is kept: it is the file's.
      if id.isInFile && !isReplaying ? known.revision == 0 : revision > known.revision {
        known.replaceValue(value, revision: revision)
        if isReplaying {
          known.saveLater()
        } else if revision > 1 {
          known.saveIfAbsent()
        }
      }
      return known
    }
    let new = make(value, id, .codable, revision: revision)
    let kept = found.map { replace($0, by: new, in: nil) } ?? add(new, in: nil)
    if isReplaying, id.isInFile {
      // What a file in memory has is older.
      kept.replaceValue(value, revision: revision)
      kept.saveLater()
    } else if revision > 1 {
      // It was changed, and the process may have crashed before the change was written.
      kept.saveIfAbsent()
    }
    return kept
  }

  private func make<Value: Sendable>(
    _ value: Value, _ id: SharedID, _ coding: SharedCoding<Value>?, revision: Int = 0
  ) -> SharedReference<Value> {
    SharedReference(
      value, id: id, coding: coding, revision: revision, home: home(of: id), in: self)
  }

  /// Adds a value, unless another thread was first.
  private func add<Value: Sendable>(
    _ new: SharedReference<Value>, in image: UInt?
  ) -> SharedReference<Value> {
    begin(new)
    let kept = content.withLock { content in
      if let first = content.references[new.id]?.reference as? SharedReference<Value> {
        return first
      }
      content.add(new, in: image)
      if content.references.count % 256 == 0 {
        content.references = content.references.filter { $0.value.reference != nil }
      }
      return new
    }
    // Each of several threads has made its own reference follow the file; only one of them stays.
    if case .file(let file, let keys) = kept.home { file.follow(kept, at: keys) }
    return kept
  }

  private func replace<Value: Sendable>(
    _ old: any AnySharedReference, by new: SharedReference<Value>, in image: UInt?
  ) -> SharedReference<Value> {
    if case .file(let file, _) = old.home { try? file.save() }
    begin(new)
    content.withLock { $0.add(new, in: image) }
    return new
  }

  /// Reads a new value from its file, and tracks it.
  private func begin(_ new: any AnySharedReference) {
    switch new.home {
    case .memory: break
    case .file(let file, let keys): file.add(new, at: keys)
    case .nowhere(let error): report(error)
    }
    if case .unnamed = new.id.place {} else { tracker.add(new) }
  }

  /// All values at this moment.
  @_spi(Host) public func snapshot() -> SharedSnapshot {
    let own = content.withLock { $0.references.values.compactMap(\.reference) }
    return SharedSnapshot(own + tracker.references, original: tracker.original(of:))
  }

  /// Removes a value, so that its key names a new one.
  func forget(_ reference: any AnySharedReference) {
    content.withLock { content in
      guard content.references[reference.id]?.reference === reference else { return }
      content.references[reference.id] = nil
    }
  }

  /// Adds a value that another storage has created, unless its key names one already.
  func keep(_ reference: any AnySharedReference) {
    content.withLock { content in
      guard content.references[reference.id]?.reference == nil else { return }
      content.add(reference, in: nil)
    }
  }

  // MARK: Files

  private func home(of id: SharedID) -> SharedHome {
    switch id.place {
    case .memory, .unnamed: return .memory
    case .file(let path):
      guard path.hasPrefix("/") else {
        return .nowhere(SharedError(path: path, cause: .relativePath))
      }
      let owner = content.withLock { content in
        let owner = content.owners[path] ?? id.plugin
        content.owners[path] = owner
        return owner
      }
      guard owner == id.plugin else {
        return .nowhere(SharedError(path: path, cause: .otherPlugin(owner)))
      }
      return .file(file(path), keys: [])
    case .setting(let key):
      guard let path = ownFiles == nil ? Self.settingsFile.value : "/settings.json" else {
        return .nowhere(SharedError(path: key, cause: .noSettingsFile))
      }
      return .file(file(path), keys: id.plugin.isEmpty ? [key] : [id.plugin, key])
    }
  }

  private func file(_ path: String) -> SharedFile {
    let dependencies = DependencyValues.current
    let chosen = isReplaying ? nil : dependencies.chosenFileSystem
    let files = chosen ?? ownFiles ?? dependencies.fileSystem
    return content.withLock { content in
      if let known = content.files[path]?.file { return known }
      let new = SharedFile(
        path, in: files, delay: delay, errorsDidChange: { [weak self] in self?.valueDidChange() }
      ) { [weak self] in self?.report($0) }
      content.files[path] = WeakFile(file: new)
      return new
    }
  }

  /// Writes all changes that are not in their files yet, and blocks the thread meanwhile; values
  /// that can't be written are copied by ``EmergencyCopy``.
  @_spi(Host) public func saveAll() async {
    let files = content.withLock { $0.files.values.compactMap(\.file) }
    for file in files {
      for (name, text, reason) in file.saveOrDescribe() {
        await DependencyValues.current.emergencyCopy(of: text, named: name, because: reason)
      }
    }
    let unkept = content.withLock { content in
      defer { content.unkept = [:] }
      return content.unkept.values.sorted { $0.id.description < $1.id.description }
    }
    for reference in unkept {
      guard let value = try? reference.encoded(), let error = reference.error else { continue }
      let name = error.path.split(separator: "/").last.map(String.init) ?? error.path
      await DependencyValues.current.emergencyCopy(
        of: value.readableJSON, named: "the shared value '\(name)'", because: "\(error)")
    }
  }

  // MARK: Errors

  private func report(_ error: SharedError) {
    let isShown = content.withLock { content in
      content.newErrors?.append(error)
      return content.newErrors != nil
    }
    // A test has a handler; elsewhere the app shows it with its next screen.
    if !isShown || RuntimeIssue.handler != nil { error.report() }
    valueDidChange()
  }

  /// Keeps a value that can't be in a file until the end of the app, when a copy of it is written.
  func keepForCopy(_ reference: any AnySharedReference) {
    content.withLock { $0.unkept[reference.id] = reference }
  }

  /// The errors since the last call; from the first call on, they are not printed.
  @_spi(Host) public func takeNewErrors() -> [SharedError] {
    content.withLock { content in
      defer { content.newErrors = [] }
      return content.newErrors ?? []
    }
  }

  // MARK: Changes

  /// How often any value has changed, and how many were added: if both are the same, a snapshot is.
  @_spi(Host) public var counts: (changes: Int, additions: Int) {
    content.withLock { $0.counts }
  }

  func valueDidChange() {
    let listeners = content.withLock { content in
      content.counts.changes += 1
      return Array(content.listeners.values)
    }
    for listener in listeners { listener() }
  }

  func addListener(_ owner: AnyObject, _ body: @escaping @Sendable () -> Void) {
    content.withLock { $0.listeners[ObjectIdentifier(owner)] = body }
  }

  func removeListener(_ owner: AnyObject) {
    _ = content.withLock { $0.listeners.removeValue(forKey: ObjectIdentifier(owner)) }
  }
}

extension SharedStorage {
  private struct WeakFile {
    weak var file: SharedFile?
  }

  /// Holds a value: strongly if it has a key in memory, so that it lives as long as the storage;
  /// others weakly, since they are in files or end with their last use.
  private struct Holder {
    private(set) weak var reference: (any AnySharedReference)?
    private let kept: (any AnySharedReference)?
    /// The address of the image of the code that used it first; `nil` for a value that was carried
    /// over.
    let image: UInt?

    init(_ reference: any AnySharedReference, _ image: UInt?) {
      self.reference = reference
      if case .memory = reference.id.place { kept = reference } else { kept = nil }
      self.image = image
    }
  }
}

extension DependencyValues {
  /// The storage of shared values.
  public var sharedStorage: SharedStorage {
    get { self[SharedStorageKey.self] }
    set { self[SharedStorageKey.self] = newValue }
  }

  /// The storage that was set explicitly; `nil` if none was.
  @_spi(Host) public static var ownSharedStorage: SharedStorage? {
    current.chosen(SharedStorageKey.self)
  }

  /// The same, for a store, which follows it whether its features use it or not.
  @_spi(Host) public var sharedValues: SharedStorage { chosen(SharedStorageKey.self) ?? .process }
}

private enum SharedStorageKey: DependencyKey {
  static var liveValue: SharedStorage { .process }
}
