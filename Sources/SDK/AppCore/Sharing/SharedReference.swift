internal import Glibc
internal import Synchronization

/// Where a shared value is kept.
enum SharedHome: Sendable {
  case memory
  case file(SharedFile, keys: [String])
  /// Its key names a file in which it can't be kept.
  case nowhere(SharedError)
}

/// How often a shared value was changed in this process, and how many of the changes its file has.
struct ChangeCounts {
  var own = 0
  var filed = 0
  var areFiled: Bool { own == filed }
}

/// A type-erased ``SharedReference``.
protocol AnySharedReference: AnyObject, Sendable {
  var id: SharedID { get }
  var home: SharedHome { get }
  /// The storage that has created it; `nil` if it is gone.
  var storage: SharedStorage? { get }
  /// The value and its revision, which counts its changes in all processes that it was carried
  /// through.
  var moment: (value: any Sendable, revision: Int) { get }
  /// The encoded value; `nil` if it has no coding.
  func encoded() throws -> Value?
  /// How often the value was changed in this process, and how many of the changes its file has.
  var changeCounts: ChangeCounts { get }
  /// Notes that the file has the value as it was after so many changes.
  func didFile(_ changes: Int)
  /// Decodes a value of its file, which replaces the first `changes` changes.
  ///
  /// Values are numbered in the order in which they were read: an earlier one is not set after a
  /// later one.
  ///
  /// - Returns: a closure that sets it, or returns `false` if there are more changes by then.
  /// - Throws: `DecodingError` or ``NewerFile`` if the value does not fit.
  func delivery(
    of coded: Value, number: Int, replacing changes: Int
  ) throws -> @Sendable () -> Bool
  /// The type of the value.
  static var valueType: Any.Type { get }
  /// A stream with one element at once, and one after changes.
  func changes() -> EventStream<Void>
}

extension AnySharedReference {
  /// Why the value is not in its file; `nil` if it is, or is not meant to be.
  var error: SharedError? {
    switch home {
    case .memory: nil
    case .file(let file, let keys): file.error(at: keys)
    case .nowhere(let error): error
    }
  }

  /// Writes the value to its file now.
  func save() throws(SharedError) {
    switch home {
    case .memory: break
    case .file(let file, let keys): try file.save((self, keys))
    case .nowhere(let error): throw error
    }
  }

  /// Has the value written a moment later, or copied at the end of the app if it has no file.
  func saveLater() {
    switch home {
    case .memory: break
    case .file(let file, let keys): file.valueDidChange(self, at: keys)
    case .nowhere: storage?.keepForCopy(self)
    }
  }

  /// Has a value written that an earlier process has changed, if its file lacks it.
  func saveIfAbsent() {
    guard case .file(let file, let keys) = home else { return saveLater() }
    file.saveIfAbsent(self, at: keys)
  }

  /// The value as it is written at `keys` of its file.
  func fileForm(at keys: [String]) -> SharedFileForm {
    // Before the value: a change in between is written twice, and never taken for written.
    let changes = changeCounts.own
    do {
      let value = try encoded()
      // The file would be read as damaged: JSON has no such number, and the reader has a limit.
      if value?.hasInfinity == true {
        return SharedFileForm(
          changes: changes,
          problem: .notEncodable("it holds a number that is infinite or not a number"))
      }
      let limit = AppCore.Value.depthLimit - keys.count
      if value?.isDeeper(than: limit) == true {
        return SharedFileForm(
          changes: changes, problem: .notEncodable("it is nested more than \(limit) deep"))
      }
      return SharedFileForm(changes: changes, value: value)
    } catch {
      return SharedFileForm(changes: changes, problem: .notEncodable("\(error)"))
    }
  }
}

/// A value as it is written after so many changes, or why it can't be; neither without a coding.
struct SharedFileForm {
  let changes: Int
  var value: Value?
  var problem: SharedError.Cause?
}

/// A whole shared value, to which every ``Shared`` with its key refers.
final class SharedReference<Value: Sendable>: SharedSource, AnySharedReference {
  private struct Content {
    var value: Value
    var revision: Int
    var changeCounts = ChangeCounts()
    /// The number of the last value of the file.
    var deliveryNumber = 0
    var streams: [Int: EventStream<Void>.Continuation] = [:]
    var nextStream = 0
  }
  let id: SharedID
  let coding: SharedCoding<Value>?
  /// The storage, which notifies stores of changes.
  weak let storage: SharedStorage?
  let home: SharedHome
  // In locking order. A change holds `changing` all the time, and `content` only to get and set the
  // value: who reads it meanwhile gets the value before the change, and waits for nobody.
  private let changing = Mutex(())
  private let content: Mutex<Content>
  /// The thread that holds `changing`; 0 for none.
  private let changer = Atomic<UInt>(0)

  init(
    _ value: Value, id: SharedID, coding: SharedCoding<Value>?, revision: Int, home: SharedHome,
    in storage: SharedStorage
  ) {
    content = Mutex(Content(value: value, revision: revision))
    self.id = id
    self.coding = coding
    self.home = home
    self.storage = storage
  }

  deinit {
    for stream in content.withLock({ $0.streams.values }) { stream.finish() }
  }

  var root: any AnySharedReference { self }
  static var valueType: Any.Type { Value.self }

  var current: Value { content.withLock { $0.value } }
  var revision: Int { content.withLock { $0.revision } }
  var changeCounts: ChangeCounts { content.withLock { $0.changeCounts } }
  var moment: (value: any Sendable, revision: Int) { content.withLock { ($0.value, $0.revision) } }

  var value: Value {
    if let view = SharedView.current { return view.value(of: self) }
    SharedTracker.willUse(self)
    return current
  }

  func value(in snapshot: SharedSnapshot) -> Value { snapshot.value(of: self) ?? current }

  func withLock<Result, Failure: Error>(
    _ fileID: StaticString, _ line: UInt, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let view = SharedView.current {
      var value = view.value(of: self)
      guard case .expecting(let expected) = view else { return try body(&value) }
      guard expected.change({ $0.beginChange(of: self) }) else {
        return try lose(&value, fileID, line, body)
      }
      defer { expected.change { $0.endChange(to: value, of: self) } }
      return try body(&value)
    }
    SharedTracker.willUse(self)
    var value = current
    let thread = UInt(pthread_self())
    guard changer.load(ordering: .relaxed) != thread else {
      return try lose(&value, fileID, line, body)
    }
    defer {
      DependencyTape.current?.sharedChanges += 1
      saveLater()
      storage?.valueDidChange()
    }
    return try changing.withLock { _ throws(Failure) in
      changer.store(thread, ordering: .relaxed)
      value = current
      defer {
        set(value, isOwn: true)
        changer.store(0, ordering: .relaxed)
      }
      return try body(&value)
    }
  }

  /// Runs `body` on a copy of the value, which is being changed by the caller's caller.
  private func lose<Result, Failure: Error>(
    _ copy: inout Value, _ fileID: StaticString, _ line: UInt,
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    RuntimeIssue.report(
      """
      \(fileID):\(line): the shared value \(id) was changed within its own 'withLock'; that change is lost
        - change the argument of the outer closure instead
      """)
    return try body(&copy)
  }

  private func set(_ value: Value, revision: Int? = nil, isOwn: Bool = false) {
    let streams = content.withLock { content in
      content.value = value
      if isOwn { content.changeCounts.own += 1 }
      content.revision = revision ?? content.revision + 1
      return content.streams.values
    }
    for stream in streams { stream.yield(()) }
  }

  /// Sets a value that was carried over; it is not written to the file.
  func replaceValue(_ value: Value, revision: Int? = nil) {
    if changer.load(ordering: .relaxed) == UInt(pthread_self()) {
      // The change that this thread is making comes later, and replaces it.
      set(value, revision: revision)
    } else {
      changing.withLock { _ in set(value, revision: revision) }
    }
    storage?.valueDidChange()
  }

  func encoded() throws -> AppCore.Value? { try coding?.encode(current) }

  func didFile(_ changes: Int) {
    content.withLock { $0.changeCounts.filed = max($0.changeCounts.filed, changes) }
  }

  func delivery(
    of coded: AppCore.Value, number: Int, replacing changes: Int
  ) throws -> @Sendable () -> Bool {
    guard let coding else { return { true } }
    let value = try coding.decode(coded)
    if let field = try coding.encode(value).fieldMissing(from: coded) {
      throw NewerFile(field: field)
    }
    return { self.deliver(value, number: number, replacing: changes) }
  }

  private func deliver(_ value: Value, number: Int, replacing changes: Int) -> Bool {
    // This thread is changing the value.
    guard changer.load(ordering: .relaxed) != UInt(pthread_self()) else { return false }
    let isTaken = changing.withLock { _ in
      let (isTaken, isLatest) = content.withLock { content in
        guard content.changeCounts.own == changes else { return (false, false) }
        guard content.deliveryNumber < number else { return (true, false) }
        content.deliveryNumber = number
        content.changeCounts.filed = changes
        return (true, true)
      }
      if isLatest { set(value) }
      return isTaken
    }
    if isTaken { storage?.valueDidChange() }
    return isTaken
  }

  func changes() -> EventStream<Void> {
    EventStream(keepingNewest: 1) { continuation in
      let number = content.withLock { content in
        content.nextStream += 1
        content.streams[content.nextStream] = continuation
        continuation.yield(())
        return content.nextStream
      }
      continuation.onTermination { [weak self] in
        _ = self?.content.withLock { $0.streams.removeValue(forKey: number) }
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
      encode: {
        let encoded = try ValueEncoder().encode($0)
        guard Value.self is any Defaulted.Type, !encoded.isWhole(Value.self) else { return encoded }
        return encoded.addingNulls(for: Schema.defaultedNames(of: Value.self))
      },
      decode: {
        try ValueDecoder().decodeDefaulted(Value.self, from: $0.addingDefaults(of: Value.self))
      })
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
