internal import Synchronization

/// A child's state that may be absent, behind one reference on the heap.
///
/// However large or deeply nested the child is, the parent holds one word. The box is shared by
/// copies until one of them is written.
///
/// ```swift
/// struct Editor { struct State { var text = "" } }
/// struct State { @Presented var editor: Editor.State? }
///
/// func open(_ state: inout State) { state.editor = Editor.State() }
/// func close(_ state: inout State) { state.editor = nil }
/// ```
///
/// `$editor` is the presentation itself, which ``Reducer/ifLet(_:action:child:fileID:line:)-(WritableKeyPath<State,PresentationState<ChildState>>,_,_,_,_)``
/// takes.
@frozen
@propertyWrapper
public struct PresentationState<State> {
  @usableFromInline var box: PresentationBox<State>?

  /// A presentation of `wrappedValue`.
  public init(wrappedValue: State?) { box = wrappedValue.map { PresentationBox($0) } }

  private init(box: PresentationBox<State>?) { self.box = box }

  /// A presentation of nothing.
  @usableFromInline static var absent: PresentationState { PresentationState(box: nil) }

  /// The child's state; `nil` if nothing is presented.
  ///
  /// Assigning a child's state as a whole begins a new presentation. For a child with an `id`, it
  /// does so only if the `id` differs; for an enum, only if the case or the `id` of its payload
  /// differs. A change in place, as in `state.editor?.text = ""`, continues the presentation.
  ///
  /// - Complexity: O(1), except that writing copies the state if the box is shared.
  public var wrappedValue: State? {
    get { box?.state }
    _modify {
      let unique = makeUnique()
      defer { if unique.state == nil { box = nil } }
      yield &unique.state
    }
    set {
      guard let newValue else {
        willDismiss()
        box = nil
        return
      }
      // A new box: the replaced child keeps its own, since a scoped store may still show its last
      // state.
      box = PresentationBox(newValue, inPlaceOf: box)
    }
  }

  /// Ensures a uniquely referenced box, which may be empty.
  private mutating func makeUnique() -> PresentationBox<State> {
    if isKnownUniquelyReferenced(&box), let box { return box }
    return makeCopy()
  }

  @inline(never)
  private mutating func makeCopy() -> PresentationBox<State> {
    let copy = box.map { PresentationBox(copying: $0) } ?? PresentationBox(nil)
    box = copy
    return copy
  }

  /// The presentation itself.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// Changes when another child is assigned; `nil` if nothing is presented.
  @usableFromInline var assignment: Int? { box?.assignment }

  /// Keeps the child's state for the stores that are scoped to it; called before it is dismissed.
  ///
  /// A dismissal that is not announced, as with the parent's state, also keeps it, when the box is
  /// released; but then the state of an abandoned copy may be taken for it.
  @usableFromInline func willDismiss() { box?.keepLastState() }

  /// Whether nothing is presented.
  public var isEmpty: Bool { box == nil }

  /// Changes the child in place.
  ///
  /// - Returns: the result of `body`; `nil` if nothing is presented.
  @inline(__always)
  public mutating func update<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard box != nil else { return nil }
    return try makeUnique().state.update(body)
  }
}

extension Optional {
  /// Runs `body` on the value in place; `nil` if there is none.
  @inline(__always)
  mutating func update<Result>(_ body: (inout Wrapped) throws -> Result) rethrows -> Result? {
    guard self != nil else { return nil }
    // swift-format-ignore: NeverForceUnwrap
    return try body(&self!)
  }
}

/// The heap box of one presentation; there is none if nothing is presented.
@usableFromInline
final class PresentationBox<State> {
  // Unchecked: written through a unique reference, to which the writer has exclusive access. A child
  // is reduced during an access to its parent's box, and the runtime walks the list of open accesses
  // for each new one, so that n levels would cost n².
  @exclusivity(unchecked) fileprivate(set) var state: State?
  /// Stays the same when the box is copied, and when another child takes the place of this one.
  let number: Int
  /// Changes when another child is assigned.
  let assignment: Int
  /// Receives the state when the box is released; set if a scoped store may still show it.
  ///
  /// Copies of the box share it, since nobody knows which of them is the store's. It is set once, on
  /// the store's thread, where another thread may copy the box.
  private let heir = AtomicLazyReference<LastState<State>>()
  /// When the box was known to be the store's, or made as a copy, in the terms of its heir.
  private let age = Atomic(0)
  /// Whether it was known to be the store's.
  private let wasSeen = Atomic(false)

  /// Creates a box for a child that is assigned, as the one that is presented in the place of
  /// `other`.
  init(_ state: State?, inPlaceOf other: PresentationBox? = nil) {
    self.state = state
    assignment = UniqueNumber.next()
    number = other?.number ?? assignment
    if let other { inherit(from: other) }
  }

  /// Creates a copy that takes the place of `other` in the state that is being written.
  init(copying other: PresentationBox) {
    state = other.state
    number = other.number
    assignment = other.assignment
    inherit(from: other)
  }

  deinit { leaveState() }

  private func inherit(from other: PresentationBox) {
    guard let heir = other.heir.load() else { return }
    age.store(heir.nextAge(), ordering: .relaxed)
    _ = self.heir.storeIfNil(heir)
  }

  /// The object that receives the state when the box is released, which is now the store's.
  func lastState() -> LastState<State> {
    let heir = heir.load() ?? heir.storeIfNil(LastState())
    if age.load(ordering: .relaxed) != heir.newestAge {
      age.store(heir.nextAge(), ordering: .relaxed)
    }
    wasSeen.store(true, ordering: .relaxed)
    return heir
  }

  /// Hands the state to the heir, unless that has got a newer one.
  func leaveState() {
    guard let heir = heir.load(), let state else { return }
    heir.set(state, age: age.load(ordering: .relaxed))
  }

  /// Hands the state to the heir because its child is dismissed: as the newest, if that happens in
  /// the store.
  func keepLastState() {
    guard let heir = heir.load(), let state else { return }
    heir.set(
      state,
      age: wasSeen.load(ordering: .relaxed) ? heir.nextAge() : age.load(ordering: .relaxed))
  }
}

extension PresentationBox: @unchecked Sendable where State: Sendable {}

/// The last state of a presented child that is gone, for its scoped store.
///
/// Each box that the child was in hands its state over: that of the store, and those of copies of the
/// store's state, in any order. The newest box counts.
final class LastState<State>: @unchecked Sendable {
  // Unchecked: `stored` is guarded by the lock, since any thread may release a box last.
  private let lock = Mutex(())
  private var stored: (state: State, age: Int)?
  private let newest = Atomic(0)

  var newestAge: Int { newest.load(ordering: .relaxed) }

  func nextAge() -> Int { newest.add(1, ordering: .relaxed).newValue }

  /// Stores the state of a box, unless a newer one has stored its own.
  func set(_ state: State, age: Int) {
    let former = lock.withLock { _ -> (state: State, age: Int)? in
      guard age > stored?.age ?? .min else { return nil }
      defer { stored = (state, age) }
      return stored
    }
    // Released outside of the lock: the end of a state may run arbitrary code.
    withExtendedLifetime(former) {}
  }

  /// The last state; a copy that is released later no longer changes it.
  func settled() -> State? {
    lock.withLock { _ in
      stored?.age = nextAge()
      return stored?.state
    }
  }
}

/// A property of a state that may be absent, as in `@Presented var editor: Editor.State?`.
public typealias Presented = PresentationState

extension PresentationState: Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.wrappedValue == right.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension PresentationState: CustomReflectable {
  /// Shows the state, in the form of an optional.
  public var customMirror: Mirror {
    let children = wrappedValue.map { [Mirror.Child(label: "some", value: $0)] } ?? []
    return Mirror(self, children: children, displayStyle: .optional)
  }
}

extension PresentationState: Decodable where State: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(State?.self))
  }
}

extension PresentationState: Encodable where State: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an absent field as a presentation of nothing; synthesized decoding calls this.
  public func decode<State: Decodable>(
    _ type: PresentationState<State>.Type, forKey key: Key
  ) throws -> PresentationState<State> {
    PresentationState(wrappedValue: try decodeIfPresent(State.self, forKey: key))
  }
}

/// The actions of a child that may be absent.
@frozen
public enum PresentationAction<Action: Sendable>: Sendable {
  /// The child is to be dismissed.
  case dismiss
  /// An action of the child.
  case presented(Action)
}

extension PresentationAction {
  func map<Other>(_ transform: (Action) -> Other) -> PresentationAction<Other> {
    switch self {
    case .dismiss: .dismiss
    case .presented(let action): .presented(transform(action))
    }
  }
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}
