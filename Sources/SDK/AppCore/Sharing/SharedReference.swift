internal import Glibc
internal import Synchronization

/// A type-erased ``SharedReference``.
protocol AnySharedReference: AnyObject, Sendable {
  var id: SharedID { get }
  /// The number of times the value has changed, in all processes that it was carried through.
  var edition: Int { get }
  var document: SharedDocument? { get }
  /// The storage that has created it; `nil` if it is gone.
  var storage: SharedStorage? { get }
  /// Why the value can't be kept in a file at all; `nil` if it is, or is not meant to be.
  var refusal: SharedError? { get }
  /// The value and its edition, for a snapshot.
  var moment: (value: any Sendable, edition: Int) { get }
  /// The encoded value; `nil` if it has no coding.
  func encoded() throws -> Value?
  /// The type of the value.
  static var valueType: Any.Type { get }
  /// A stream with one element at once, and one after changes.
  func changes() -> EventStream<Void>
}

/// The place of a call of ``Shared/withLock(_:fileID:line:)``, for reports.
struct SharedSite: CustomStringConvertible {
  let fileID: StaticString
  let line: UInt

  var description: String { "\(fileID):\(line)" }
}

/// A whole shared value, to which every ``Shared`` with its key refers.
final class SharedReference<Value: Sendable>: SharedSource, AnySharedReference, @unchecked Sendable
{
  // Unchecked: `content` is behind `mutex`, and the rest is set before the reference is handed out.
  private struct Content {
    var value: Value
    var edition = 0
    var streams: [Int: EventStream<Void>.Continuation] = [:]
    var nextStream = 0
  }
  let id: SharedID
  let coding: SharedCoding<Value>?
  /// The storage, which notifies stores of changes.
  weak let storage: SharedStorage?
  private(set) var document: SharedDocument?
  private(set) var refusal: SharedError?
  // In locking order. A change holds `changing` all the time, and `mutex` only to get and set the
  // value: who reads it meanwhile gets the value before the change, and waits for nobody.
  private let changing = Mutex(())
  private let mutex = Mutex(())
  private var content: Content
  /// The thread that holds `changing`; 0 for none.
  private let changer = Atomic<UInt>(0)

  init(
    _ value: Value, id: SharedID, coding: SharedCoding<Value>?, edition: Int = 0,
    in storage: SharedStorage
  ) {
    content = Content(value: value, edition: edition)
    self.id = id
    self.coding = coding
    self.storage = storage
  }

  deinit {
    for stream in content.streams.values { stream.finish() }
  }

  var root: any AnySharedReference { self }
  static var valueType: Any.Type { Value.self }

  private func access<Result>(_ body: (inout Content) -> Result) -> Result {
    mutex.withLock { _ in body(&content) }
  }

  var current: Value { access { $0.value } }
  var edition: Int { access { $0.edition } }
  var moment: (value: any Sendable, edition: Int) { access { ($0.value, $0.edition) } }
  /// The edition of ``value``.
  var editionOfValue: Int { SharedView.current?.edition(of: self) ?? edition }

  var value: Value {
    if let view = SharedView.current { return view.value(of: self) }
    SharedTracker.willUse(self)
    return current
  }

  func value(in snapshot: SharedSnapshot) -> Value { snapshot.value(of: self) ?? current }

  func withLock<Result, Failure: Error>(
    at site: SharedSite, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let view = SharedView.current {
      var value = view.value(of: self)
      guard view.beginChange(of: self) else { return try lose(&value, at: site, body) }
      defer { view.endChange(to: value, of: self) }
      return try body(&value)
    }
    SharedTracker.willUse(self)
    var value = current
    let thread = UInt(pthread_self())
    guard changer.load(ordering: .relaxed) != thread else {
      return try lose(&value, at: site, body)
    }
    defer {
      DependencyTape.current?.sharedChanges += 1
      didChange()
    }
    return try changing.withLock { _ throws(Failure) in
      changer.store(thread, ordering: .relaxed)
      value = current
      defer {
        set(value)
        changer.store(0, ordering: .relaxed)
      }
      return try body(&value)
    }
  }

  /// Runs `body` on a copy of the value, which is being changed by the caller's caller.
  private func lose<Result, Failure: Error>(
    _ copy: inout Value, at site: SharedSite, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    Issue.report(
      """
      \(site): the shared value \(id) was changed within its own 'withLock'; that change is lost
        - change the argument of the outer closure instead
      """)
    return try body(&copy)
  }

  private func set(_ value: Value, edition: Int? = nil) {
    let streams = access { content in
      content.value = value
      content.edition = edition ?? content.edition + 1
      return content.streams.values
    }
    for stream in streams { stream.yield(()) }
  }

  private func didChange() {
    document?.valueDidChange(self)
    if refusal != nil { storage?.keepForCopy(self) }
    storage?.valueDidChange()
  }

  /// Sets a value that was read from a file or carried over; it is not written to the file.
  func take(_ value: Value, edition: Int? = nil) {
    if changer.load(ordering: .relaxed) == UInt(pthread_self()) {
      // The change that this thread is making comes later, and replaces it.
      set(value, edition: edition)
    } else {
      changing.withLock { _ in set(value, edition: edition) }
    }
    storage?.valueDidChange()
  }

  func encoded() throws -> AppCore.Value? { try coding?.encode(current) }

  /// Marks the value as one that can't be kept in a file.
  func refuse(_ error: SharedError) { refusal = error }

  /// Keeps the value in a file from now on; a value that is already in the file replaces it.
  func keep(in document: SharedDocument) {
    self.document = document
    document.begin(
      encode: { [weak self] in try self?.encoded() },
      take: { [weak self] coded in
        guard let self, let coding else { return {} }
        let value = try coding.decode(coded)
        if let field = try coding.encode(value).fieldMissing(from: coded) {
          throw NewerFile(field: field)
        }
        return { [weak self] in self?.take(value) }
      })
  }

  func changes() -> EventStream<Void> {
    EventStream(keepingNewest: 1) { continuation in
      let number = access { content in
        content.nextStream += 1
        content.streams[content.nextStream] = continuation
        continuation.yield(())
        return content.nextStream
      }
      continuation.onTermination { [weak self] in
        self?.access { _ = $0.streams.removeValue(forKey: number) }
      }
    }
  }
}

/// Encodes and decodes a shared value; separate, since not every shared value is `Codable`.
struct SharedCoding<Value: Sendable>: Sendable {
  let encode: @Sendable (Value) throws -> AppCore.Value
  let decode: @Sendable (AppCore.Value) throws -> Value
}

extension SharedCoding where Value: Codable {
  static var codable: Self {
    Self(
      encode: { try ValueEncoder().encode($0) },
      decode: { coded in
        guard case .object(let fields) = coded, let defaults = Schema.defaults(of: Value.self)
        else { return try ValueDecoder().decode(Value.self, from: coded) }
        return try ValueDecoder().decode(
          Value.self, from: .object(defaults.merging(fields) { $1 }))
      })
  }
}

/// A value behind a lock.
final class Guarded<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value {
    get { mutex.withLock { $0 } }
    set { mutex.withLock { $0 = newValue } }
  }
}

extension Value {
  /// The path of a field that `file` has and this value lacks, as in `window.width`; `nil` if none.
  func fieldMissing(from file: Value, at path: String = "") -> String? {
    switch (self, file) {
    case (.object(let own), .object(let fields)):
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) where value != .null {
        let place = path.isEmpty ? name : "\(path).\(name)"
        guard let known = own[name] else { return place }
        if let missing = known.fieldMissing(from: value, at: place) { return missing }
      }
      return nil
    case (.array(let own), .array(let elements)) where own.count == elements.count:
      for (index, value) in elements.enumerated() {
        // A set is encoded in a different order each time.
        guard let missing = own[index].fieldMissing(from: value, at: "\(path)[\(index)]"),
          !own.contains(where: { $0.fieldMissing(from: value) == nil })
        else { continue }
        return missing
      }
      return nil
    default: return nil
    }
  }
}
