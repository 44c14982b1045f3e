/// What a ``Shared`` or ``SharedReader`` refers to: a whole shared value, or a part of one.
class SharedSource<Value: Sendable>: @unchecked Sendable {
  // Unchecked: subclasses guard what is mutable.

  /// The reference whose value this is, or is a part of.
  var root: any AnySharedReference { fatalError("a subclass says it") }

  /// The value, as ``SharedView`` has it on this task, or else as it is now.
  var value: Value { fatalError("a subclass says it") }

  func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result { fatalError("a subclass says it") }

  /// The value in a snapshot; the one that it has now where the snapshot lacks it.
  func value(in snapshot: SharedSnapshot) -> Value { fatalError("a subclass says it") }
}

/// A part of a shared value: a property, an element, or what an optional holds.
final class SharedPart<Whole: Sendable, Value: Sendable>: SharedSource<Value>, @unchecked Sendable {
  // Unchecked: nothing is mutable but `last`, which has a lock of its own.
  private let whole: SharedSource<Whole>
  private let get: @Sendable (Whole) -> Value?
  /// Changes the part in place; `false` where it is not there.
  private let update: (@Sendable (inout Whole, (inout Value) -> Void) -> Bool)?
  /// The last value that the part had.
  private let last: Guarded<Value>

  /// - Parameters:
  ///   - whole: what it is a part of.
  ///   - last: the value of the part now.
  ///   - get: reads the part; `nil` where it is not there any more.
  ///   - update: changes the part in place, and says whether it is there; `nil` for a part that is
  ///     only read.
  init(
    of whole: SharedSource<Whole>, last: Value, get: @escaping @Sendable (Whole) -> Value?,
    update: (@Sendable (inout Whole, (inout Value) -> Void) -> Bool)?
  ) {
    self.whole = whole
    self.last = Guarded(last)
    self.get = get
    self.update = update
  }

  override var root: any AnySharedReference { whole.root }

  override var value: Value { part(of: whole.value) }

  override func value(in snapshot: SharedSnapshot) -> Value { part(of: whole.value(in: snapshot)) }

  private func part(of whole: Whole) -> Value {
    guard let value = get(whole) else { return last.value }
    last.value = value
    return value
  }

  override func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    func run(_ value: inout Value) {
      do throws(Failure) {
        outcome = .success(try body(&value))
      } catch {
        outcome = .failure(error)
      }
    }
    whole.withLock { whole in _ = update?(&whole, run) }
    if let outcome { return try outcome.get() }
    Issue.report(
      """
      a part of the shared value \(root.id) was changed after it had been removed; the change is lost
        - let go of '$shared[id:]' when the element is removed, or ask for it again
      """)
    var value = last.value
    return try body(&value)
  }
}
