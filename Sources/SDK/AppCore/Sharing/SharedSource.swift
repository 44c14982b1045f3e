/// What a ``Shared`` or ``SharedReader`` refers to: a whole shared value, or a part of one.
protocol SharedSource<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// The whole shared value that this is, or is a part of.
  var root: any AnySharedReference { get }

  /// The value in the task's ``SharedView``; without one, the current value.
  var value: Value { get }

  /// Changes the value; reports of a change that is lost name the place of the call.
  func withLock<Result, Failure: Error>(
    _ fileID: StaticString, _ line: UInt, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result

  /// The value in a snapshot; the current one if the snapshot lacks it.
  func value(in snapshot: SharedSnapshot) -> Value
}

/// A part of a shared value: a property, an element, or the wrapped value of an optional.
final class SharedPart<Whole: Sendable, Value: Sendable>: SharedSource {
  private let whole: any SharedSource<Whole>
  /// Reads the part; `nil` if it no longer exists.
  private let get: @Sendable (Whole) -> Value?
  /// Changes the part in place; returns `false` if the part no longer exists.
  private let update: (@Sendable (inout Whole, (inout Value) -> Void) -> Bool)?
  /// The part's last known value.
  private let last: Guarded<Value>

  /// Creates a part, whose value is `last` now; `update` is `nil` for a read-only one.
  init(
    of whole: any SharedSource<Whole>, last: Value, get: @escaping @Sendable (Whole) -> Value?,
    update: (@Sendable (inout Whole, (inout Value) -> Void) -> Bool)?
  ) {
    self.whole = whole
    self.last = Guarded(last)
    self.get = get
    self.update = update
  }

  var root: any AnySharedReference { whole.root }

  var value: Value { part(of: whole.value) }

  func value(in snapshot: SharedSnapshot) -> Value { part(of: whole.value(in: snapshot)) }

  private func part(of whole: Whole) -> Value {
    guard let value = get(whole) else { return last.value }
    // An older value may be seen through a view.
    if SharedView.current == nil { last.value = value }
    return value
  }

  func withLock<Result, Failure: Error>(
    _ fileID: StaticString, _ line: UInt, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    func run(_ value: inout Value) {
      do throws(Failure) {
        outcome = .success(try body(&value))
      } catch {
        outcome = .failure(error)
      }
    }
    whole.withLock(fileID, line) { whole in _ = update?(&whole, run) }
    if let outcome { return try outcome.get() }
    RuntimeIssue.report(
      """
      \(fileID):\(line): a part of the shared value \(root.id) was changed after it had been removed; the \
      change is lost
        - let go of '$shared[id:]' when the element is removed, or ask for it again
      """)
    var value = last.value
    return try body(&value)
  }
}
