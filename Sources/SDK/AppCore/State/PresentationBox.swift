internal import Synchronization

/// The heap box of one presentation; there is none if nothing is presented.
///
/// A child may be larger than the stack of the thread that uses it, so its state is created,
/// changed and released in place, and never passes through a stack frame.
@_fixed_layout
@usableFromInline
final class PresentationBox<State> {
  // A pointer: the state in a stored property would be moved to the stack before it is released. It
  // also avoids exclusivity checks: a child is reduced during an access to the box around it, and
  // the runtime walks the list of open accesses for each new one, so that n levels would cost n².
  // The compiler checks accesses to the presentation that owns the box.
  @usableFromInline let storage: UnsafeMutablePointer<State?>
  /// Stays the same when the box is copied, and when another child takes the place of this one.
  @exclusivity(unchecked) @usableFromInline private(set) var number: Int
  /// Changes when another child is assigned.
  @exclusivity(unchecked) @usableFromInline var edition: Int
  /// Receives the state when the box is released; set if a scoped store may still show it.
  @exclusivity(unchecked) private var heir: LastState<State>?

  /// Creates a box and moves a child into it.
  init(_ state: consuming State?) {
    storage = .allocate(capacity: 1)
    storage.initialize(to: state)
    number = Edition.next()
    edition = number
  }

  /// Creates an empty box.
  private init(empty: Void) {
    storage = .allocate(capacity: 1)
    OptionalLayout<State>.initializeToNil(storage)
    number = Edition.next()
    edition = number
  }

  static func empty() -> PresentationBox { PresentationBox(empty: ()) }

  /// Creates a copy that takes the place of `other` in the state that is being written.
  init(replacing other: PresentationBox) {
    storage = .allocate(capacity: 1)
    storage.initialize(from: other.storage, count: 1)
    number = other.number
    edition = other.edition
    heir = other.heir
    other.heir = nil
  }

  /// Makes this box, with a new child, the one that is presented in the place of `other`.
  func takeThePlace(of other: PresentationBox) {
    number = other.number
    heir = other.heir
    other.heir = nil
  }

  deinit {
    if let heir, heir.inherit(storage) { return }
    CallStack.release(storage)
  }

  var isEmpty: Bool { OptionalLayout<State>.isNil(storage) }

  /// The address of the child; the box must not be empty.
  @inlinable var value: UnsafeMutablePointer<State> {
    OptionalLayout<State>.payload(storage)
  }

  /// The object that receives the state when the box is released; created on first use.
  func lastState() -> LastState<State> {
    if let heir { return heir }
    let made = LastState<State>()
    heir = made
    return made
  }
}

extension PresentationBox: @unchecked Sendable where State: Sendable {}

/// The last state of a presented child that is gone.
@usableFromInline
final class LastState<State>: @unchecked Sendable {
  // Unchecked: `storage` is set once, under the lock, by whoever releases the state last.
  private let lock = Mutex(())
  private var storage: UnsafeMutablePointer<State?>?

  /// Takes ownership of a box's storage, unless it is empty.
  ///
  /// - Returns: whether it took it.
  fileprivate func inherit(_ new: UnsafeMutablePointer<State?>) -> Bool {
    guard !OptionalLayout<State>.isNil(new) else { return false }
    let old = lock.withLock { _ in
      let old = storage
      storage = new
      return old
    }
    if let old { CallStack.release(old) }
    return true
  }

  /// The address of the state; `nil` while its box still exists.
  var value: UnsafeMutablePointer<State>? {
    lock.withLock { _ in storage.map(OptionalLayout<State>.payload) }
  }

  deinit { if let storage { CallStack.release(storage) } }
}

/// A presented child as its scoped store sees it.
final class PresentedChild<State> {
  /// The version of the store at which the child was last looked up.
  private(set) var version = -1
  private weak var current: PresentationBox<State>?
  /// The child's last box, which a copy of the state may still retain.
  private weak var lastBox: PresentationBox<State>?
  private var lastState: LastState<State>?

  var box: PresentationBox<State>? { current }

  func see(_ box: PresentationBox<State>?, at version: Int) {
    self.version = version
    current = box
    guard let box else { return }
    lastBox = box
    lastState = box.lastState()
  }

  /// The address of the state of a child that is gone.
  var last: UnsafeMutablePointer<State> {
    guard let value = lastState?.value ?? lastBox?.value else {
      fatalError(
        """
        the store of a dismissed child was read, whose state, a \(State.self), was taken out where it \
        was, as by 'state.child.take()': assign 'nil' instead, and the store shows the last state
        """)
    }
    return value
  }
}
