internal import Synchronization

/// The heap box of one presentation; there is none if nothing is presented.
///
/// A child may be larger than the stack of the thread that uses it: so its state is created,
/// changed and released in place, and never passes through a stack frame.
@_fixed_layout
@usableFromInline
final class PresentationBox<State> {
  // By its address: in a stored property the state would be moved over the stack before it is
  // released. Nor is exclusivity checked: a child is reduced inside an access to the box around it,
  // the runtime keeps those that are open in a list and walks it for each new one, so that n levels
  // would cost n². The presentation that owns the box is checked by the compiler.
  @usableFromInline let storage: UnsafeMutablePointer<State?>
  /// Stays the same while the presentation does, though its box is copied when it is written.
  @exclusivity(unchecked) @usableFromInline private(set) var number: Int
  /// Changes when another child is assigned.
  @exclusivity(unchecked) @usableFromInline var edition: Int
  /// Gets the state when the box goes; there where somebody may still want to see it.
  @exclusivity(unchecked) private var heir: LastState<State>?

  /// A box with a child that is moved into it.
  init(_ state: consuming State?) {
    storage = .allocate(capacity: 1)
    storage.initialize(to: state)
    number = Edition.next()
    edition = number
  }

  /// A box with nothing in it yet.
  private init(empty: Void) {
    storage = .allocate(capacity: 1)
    OptionalLayout<State>.initializeToNil(storage)
    number = Edition.next()
    edition = number
  }

  static func empty() -> PresentationBox { PresentationBox(empty: ()) }

  /// A copy, which takes the place of `other` in the state that is being written.
  init(replacing other: PresentationBox) {
    storage = .allocate(capacity: 1)
    storage.initialize(from: other.storage, count: 1)
    number = other.number
    edition = other.edition
    heir = other.heir
    other.heir = nil
  }

  /// Makes this new child the one that is presented where `other` was.
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

  /// The child, where there is one.
  @inlinable var value: UnsafeMutablePointer<State> {
    OptionalLayout<State>.payload(storage)
  }

  /// What will show the state when it is gone.
  func lastState() -> LastState<State> {
    if let heir { return heir }
    let made = LastState<State>()
    heir = made
    return made
  }
}

extension PresentationBox: @unchecked Sendable where State: Sendable {}

/// The state that a presented child had last, once it is gone.
@usableFromInline
final class LastState<State>: @unchecked Sendable {
  // Unchecked: `storage` is set once, under the lock, by whoever releases the state last.
  private let lock = Mutex(())
  private var storage: UnsafeMutablePointer<State?>?

  /// Takes over what a box held.
  ///
  /// - Returns: whether it did.
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

  /// The state; `nil` if its box is still there.
  var value: UnsafeMutablePointer<State>? {
    lock.withLock { _ in storage.map(OptionalLayout<State>.payload) }
  }

  deinit { if let storage { CallStack.release(storage) } }
}

/// A presented child as its scoped store sees it.
final class PresentedChild<State> {
  /// The change of the store at which the child was looked up.
  private(set) var version = -1
  private weak var current: PresentationBox<State>?
  /// The box that the child had last, which a copy of the state may still hold.
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

  /// The state of a child that is gone.
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
