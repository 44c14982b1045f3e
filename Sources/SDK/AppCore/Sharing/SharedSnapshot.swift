internal import Synchronization

/// The shared values of a storage at one moment.
///
/// A state holds references to shared values, so a copy of the state does not preserve the values.
@_spi(Host)
public struct SharedSnapshot: Sendable {
  fileprivate struct Entry: Sendable {
    let reference: any AnySharedReference
    let value: any Sendable
    let revision: Int
    /// What the value was when a test began to track it.
    var original: (any Sendable)?
  }
  fileprivate var entries: [ObjectIdentifier: Entry] = [:]

  public init() {}

  init(
    _ references: [any AnySharedReference],
    original: (any AnySharedReference) -> (any Sendable)? = { _ in nil }
  ) {
    for reference in references {
      let (value, revision) = reference.moment
      entries[ObjectIdentifier(reference)] = Entry(
        reference: reference, value: value, revision: revision, original: original(reference))
    }
  }

  /// Whether there is none.
  public var isEmpty: Bool { entries.isEmpty }

  func value<Value: Sendable>(of reference: SharedReference<Value>) -> Value? {
    entries[ObjectIdentifier(reference)]?.value as? Value
  }

  func revision(of reference: any AnySharedReference) -> Int? {
    entries[ObjectIdentifier(reference)]?.revision
  }

  fileprivate mutating func set<Value: Sendable>(
    _ value: Value, of reference: SharedReference<Value>
  ) {
    entries[ObjectIdentifier(reference)] = Entry(
      reference: reference, value: value, revision: (revision(of: reference) ?? 0) + 1)
  }

  /// Adds the values that this snapshot lacks because they were created later, as they were then.
  public mutating func add(newIn other: SharedSnapshot) {
    for (id, entry) in other.entries where entries[id] == nil {
      entries[id] = Entry(
        reference: entry.reference, value: entry.original ?? entry.value, revision: entry.revision)
    }
  }

  /// Runs `body` with the shared values of this snapshot; what it changes is changed only here.
  public mutating func expecting<Result>(_ body: () throws -> Result) rethrows -> Result {
    let expected = Guarded(ExpectedValues(self))
    defer { self = expected.value.snapshot }
    return try SharedView.bind(.expecting(expected), body)
  }

  /// Runs `body`, in which `==` compares shared values in `left` with those in `right`.
  public static func comparing<Result>(
    _ left: SharedSnapshot, _ right: SharedSnapshot, _ body: () throws -> Result
  ) rethrows -> Result {
    try SharedView.bind(.comparing(left, right), body)
  }

  /// Whether `old`, with the shared values of this snapshot, differs from `new`, with those of another.
  ///
  /// - Complexity: that of `==`, and if that finds no difference, O(*n*), where *n* is the number of
  ///   values in `new`.
  func differ<Value: Equatable>(_ old: Value, from new: Value, in now: SharedSnapshot) -> Bool {
    Self.comparing(self, now) {
      if old != new { return true }
      // Arrays, boxes and presentations with one buffer are equal, whatever has changed in the
      // shared values that they refer to.
      return SharedValueHolders.contain(in: new) { holder in
        guard revision(of: holder.root) != now.revision(of: holder.root) else { return false }
        return (holder as? any Equatable)?.differsFromItself ?? false
      }
    }
  }

  /// The values that differ in `other`, sorted by name, each with its value here and there.
  public func changes(
    to other: SharedSnapshot, areEqual: (Any, Any) -> Bool
  ) -> [(name: String, old: Any, new: Any)] {
    var found: [(name: String, old: Any, new: Any)] = []
    for (id, entry) in entries {
      guard let now = other.entries[id], !areEqual(entry.value, now.value) else { continue }
      found.append(("\(entry.reference.id)", entry.value, now.value))
    }
    return found.sorted { $0.name < $1.name }
  }
}

/// Detects that a value, or a shared value in it, has changed since an observer was last called.
struct SharedChangeDetector {
  private let storage: SharedStorage
  private var changes: Int
  private var snapshot: SharedSnapshot

  init(_ storage: SharedStorage) {
    self.storage = storage
    changes = storage.counts.changes
    snapshot = storage.snapshot()
  }

  /// Whether an old value, with the shared values of its time, differs from a new one; afterwards
  /// its time is now.
  ///
  /// - Complexity: O(*n*), where *n* is the number of shared values and of those in the new value, if
  ///   any shared value has changed; otherwise that of `==`.
  mutating func differ<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
    guard case let changes = storage.counts.changes, changes != self.changes else {
      return old != new
    }
    let now = storage.snapshot()
    defer { (self.changes, snapshot) = (changes, now) }
    return snapshot.differ(old, from: new, in: now)
  }
}

extension Equatable {
  /// Whether a shared value is another one on the two sides of a comparison.
  fileprivate var differsFromItself: Bool { self != self }
}

/// Determines the shared values that code on the current task sees.
enum SharedView {
  /// Values that a test expects, and may change.
  case expecting(Guarded<ExpectedValues>)
  /// Two sides of a comparison.
  case comparing(SharedSnapshot, SharedSnapshot)

  @TaskLocal private static var bound: SharedView?
  /// Whether a view was ever bound in this process; until then, there is no need to read the task
  /// local, which takes about 30 ns.
  private static let isUsed = Atomic(false)

  static var current: SharedView? { isUsed.load(ordering: .relaxed) ? bound : nil }

  static func bind<Result>(_ view: SharedView, _ body: () throws -> Result) rethrows -> Result {
    isUsed.store(true, ordering: .relaxed)
    return try $bound.withValue(view, operation: body)
  }

  /// The values that the closure of a test expects, while it runs.
  static var expected: SharedSnapshot? {
    if case .expecting(let expected)? = current { expected.value.snapshot } else { nil }
  }

  static var isExpecting: Bool { expected != nil }

  func value<Value: Sendable>(of reference: SharedReference<Value>) -> Value {
    Self.expected?.value(of: reference) ?? reference.current
  }
}

/// The values that a test's closure expects.
struct ExpectedValues: Sendable {
  fileprivate(set) var snapshot: SharedSnapshot
  /// The values whose `withLock` is running.
  private var changing: Set<ObjectIdentifier> = []

  fileprivate init(_ snapshot: SharedSnapshot) { self.snapshot = snapshot }

  /// Begins a change of a value; returns `false` if it is being changed already.
  mutating func beginChange(of reference: any AnySharedReference) -> Bool {
    changing.insert(ObjectIdentifier(reference)).inserted
  }

  mutating func endChange<Value: Sendable>(to value: Value, of reference: SharedReference<Value>) {
    snapshot.set(value, of: reference)
    changing.remove(ObjectIdentifier(reference))
  }
}
