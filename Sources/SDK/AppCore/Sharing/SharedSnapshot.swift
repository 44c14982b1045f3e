internal import Synchronization

/// The shared values of a storage at one moment.
///
/// A state holds references to shared values, so that a copy of it says nothing of what they were.
@_spi(Host)
public struct SharedSnapshot: Sendable {
  fileprivate struct Entry: Sendable {
    let reference: any AnySharedReference
    let value: any Sendable
  }
  fileprivate var entries: [ObjectIdentifier: Entry] = [:]

  /// A snapshot of nothing.
  public init() {}

  init(_ references: [any AnySharedReference]) {
    for reference in references {
      entries[ObjectIdentifier(reference)] = Entry(
        reference: reference, value: reference.erasedValue)
    }
  }

  func value<Value: Sendable>(of reference: SharedReference<Value>) -> Value? {
    entries[ObjectIdentifier(reference)]?.value as? Value
  }

  fileprivate mutating func set<Value: Sendable>(
    _ value: Value, of reference: SharedReference<Value>
  ) {
    entries[ObjectIdentifier(reference)] = Entry(reference: reference, value: value)
  }

  /// Adds the values of references that this snapshot lacks, which were made since.
  public mutating func add(newIn other: SharedSnapshot) {
    entries.merge(other.entries) { own, _ in own }
  }

  /// Runs `body`, for which shared values are what they are here; what it changes is changed here
  /// alone.
  public mutating func expecting<Result>(_ body: () throws -> Result) rethrows -> Result {
    let expected = ExpectedValues(self)
    defer { self = expected.snapshot }
    return try SharedView.bind(.expecting(expected), body)
  }

  /// Runs `body`, in which `==` compares shared values in `left` with those in `right`.
  public static func comparing<Result>(
    _ left: SharedSnapshot, _ right: SharedSnapshot, _ body: () throws -> Result
  ) rethrows -> Result {
    try SharedView.bind(.comparing(left, right), body)
  }

  /// Each value that is another one in `other`: its name, and what it is here and there.
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

/// The shared values of a storage when an observer was last told.
struct SharedMoment {
  private let storage: SharedStorage
  private var edition: Int
  private var snapshot: SharedSnapshot

  init(_ storage: SharedStorage) {
    self.storage = storage
    edition = storage.edition
    snapshot = storage.snapshot()
  }

  /// Whether a value of then and one of now differ; the moment is this one from now on.
  ///
  /// - Complexity: O(n) in the shared values where any of them has changed, else that of `==`.
  mutating func differ<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
    guard case let edition = storage.edition, edition != self.edition else { return old != new }
    let now = storage.snapshot()
    defer { (self.edition, snapshot) = (edition, now) }
    return SharedSnapshot.comparing(snapshot, now) { old != new }
  }
}

/// What shared values are for the code that runs on this task.
enum SharedView {
  /// Values that a test expects, and may change.
  case expecting(ExpectedValues)
  /// Two sides of a comparison.
  case comparing(SharedSnapshot, SharedSnapshot)

  @TaskLocal private static var bound: SharedView?
  /// Whether there has ever been one in this process: reading a task local takes some 30 ns.
  private static let isUsed = Atomic(false)

  static var current: SharedView? { isUsed.load(ordering: .relaxed) ? bound : nil }

  static func bind<Result>(_ view: SharedView, _ body: () throws -> Result) rethrows -> Result {
    isUsed.store(true, ordering: .relaxed)
    return try $bound.withValue(view, operation: body)
  }

  func value<Value: Sendable>(of reference: SharedReference<Value>) -> Value {
    switch self {
    case .expecting(let expected): expected.snapshot.value(of: reference) ?? reference.current
    case .comparing: reference.current
    }
  }

  func expect<Value: Sendable>(_ value: Value, of reference: SharedReference<Value>) {
    if case .expecting(let expected) = self { expected.set(value, of: reference) }
  }
}

/// The values that a test's closure expects.
final class ExpectedValues: Sendable {
  private let content: Mutex<SharedSnapshot>

  init(_ snapshot: SharedSnapshot) { content = Mutex(snapshot) }

  var snapshot: SharedSnapshot { content.withLock { $0 } }

  func set<Value: Sendable>(_ value: Value, of reference: SharedReference<Value>) {
    content.withLock { $0.set(value, of: reference) }
  }
}
