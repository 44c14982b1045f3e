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
@propertyWrapper
public struct PresentationState<State> {
  @usableFromInline var box: PresentationBox<State>?

  /// A presentation of `wrappedValue`.
  public init(wrappedValue: State?) {
    if wrappedValue != nil { box = PresentationBox(wrappedValue, Edition.next()) }
  }

  /// The child's state; `nil` where nothing is presented.
  ///
  /// - Complexity: reading is constant, and so is writing while the box is not shared.
  public var wrappedValue: State? {
    get { box?.state }
    _modify {
      // The state itself is handed out, in its box: a local copy of a large one would not fit a
      // small stack.
      makeUnique()
      defer { if box?.state == nil { box = nil } }
      // swift-format-ignore: NeverForceUnwrap
      yield &box!.state
    }
    set {
      guard newValue != nil else {
        box = nil
        return
      }
      makeUnique()
      box?.state = newValue
    }
  }

  /// Makes sure of a box that nobody else refers to; it may be empty.
  mutating func makeUnique() {
    guard box != nil else {
      box = PresentationBox(nil, Edition.next())
      return
    }
    if !isKnownUniquelyReferenced(&box) {
      box = box.map { PresentationBox($0.state, $0.number) }
    }
  }

  /// The presentation itself.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// Whether nothing is presented.
  public var isEmpty: Bool { box?.state == nil }

  /// A presentation with a box of its own in which nothing is.
  static func probe() -> PresentationState {
    var probe = PresentationState(wrappedValue: nil)
    probe.box = PresentationBox(nil, Edition.next())
    return probe
  }

  /// Whether both refer to one box.
  func isSame(as other: PresentationState) -> Bool { box === other.box }

  /// What stays the same while the presentation does; 0 where nothing is presented.
  var number: Int {
    guard let box, box.state != nil else { return 0 }
    return box.number
  }

  /// Where the child stands, in a box that nobody else refers to; `nil` where nothing is presented.
  var child: UnsafeMutableRawPointer? {
    mutating get {
      guard box?.state != nil else { return nil }
      makeUnique()
      return box?.start
    }
  }

  /// What the child says it is; `nil` where nothing but its box tells it from another.
  func own(by identifier: PresentationIdentifier<State>) -> PresentationID.Own? {
    box.flatMap { identifier.own(&$0.state) }
  }

  /// Tells one presentation from the next: it changes when nothing was presented in between, when
  /// the child's own `id` does, or when the child is an enum that is in another case.
  ///
  /// - Complexity: constant; nothing is copied or allocated, unless the child has an `id`.
  func presentationID(by identifier: PresentationIdentifier<State>) -> PresentationID? {
    number == 0 ? nil : PresentationID(number: number, own: own(by: identifier))
  }
}

/// A property of a state that may be absent, as in `@Presented var editor: Editor.State?`.
public typealias Presented = PresentationState

/// What a presentation's box is, whatever is in it.
///
/// But for a moment in which a presentation is changed, there is something in it.
@usableFromInline
class PresentationBoxBase {
  final let number: Int
  /// Where the child's state is.
  final let start: UnsafeMutableRawPointer

  fileprivate init(_ number: Int, _ start: UnsafeMutableRawPointer) {
    self.number = number
    self.start = start
  }
}

/// The heap box of one presentation.
@usableFromInline
final class PresentationBox<State>: PresentationBoxBase {
  // By its address, so that it is let go of where it stands: in a stored property it would be moved
  // over the stack first, which may be smaller than the state.
  //
  // Nor does the runtime look after accesses to it. A child is reduced, and let go, inside an access
  // to the box around it; the runtime keeps those that are open in a list, which it walks for each
  // new one: the cost of n levels would be n². The presentation that owns the box is checked by the
  // compiler.
  private var storage: UnsafeMutablePointer<State?> {
    start.assumingMemoryBound(to: State?.self)
  }

  var state: State? {
    _read { yield storage.pointee }
    _modify { yield &storage.pointee }
  }

  init(_ state: State?, _ number: Int) {
    let storage = UnsafeMutablePointer<State?>.allocate(capacity: 1)
    storage.initialize(to: state)
    // Of an optional, this is where what is in it stands.
    super.init(number, UnsafeMutableRawPointer(storage))
  }

  deinit { CallStack.release(storage) }
}

extension PresentationState: Sendable where State: Sendable {}
extension PresentationBox: @unchecked Sendable where State: Sendable {}

extension PresentationState: Equatable where State: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.wrappedValue == right.wrappedValue
  }
}

extension PresentationState: Hashable where State: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension PresentationState: CustomReflectable {
  /// Shown as the optional it stands for.
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
  /// An absent field is a presentation of nothing; synthesized decoding comes here.
  public func decode<State: Decodable>(
    _ type: PresentationState<State>.Type, forKey key: Key
  ) throws -> PresentationState<State> {
    PresentationState(wrappedValue: try decodeIfPresent(State.self, forKey: key))
  }
}

/// The actions of a child that may be absent.
public enum PresentationAction<Action: Sendable>: Sendable {
  /// The child is to go.
  case dismiss
  /// An action of the child.
  case presented(Action)
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}
