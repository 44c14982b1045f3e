/// A child's state that may be absent, behind one reference on the heap.
///
/// However large or deeply nested the child is, the parent holds one word. The box is shared by
/// copies until one of them is written.
///
/// ```swift
/// struct State { @Presented var editor: Editor.State? }
/// ```
///
/// `$editor` is the presentation itself, which ``Reducer/ifLet(_:action:child:fileID:line:)-(WritableKeyPath<State,PresentationState<ChildState>>,_,_,_,_)``
/// takes.
@propertyWrapper
public struct PresentationState<State> {
  private var box: PresentationBox<State>?

  /// A presentation of `wrappedValue`.
  public init(wrappedValue: State?) {
    if wrappedValue != nil { box = PresentationBox(wrappedValue, PresentationIdentity()) }
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
  private mutating func makeUnique() {
    guard box != nil else {
      box = PresentationBox(nil, PresentationIdentity())
      return
    }
    if !isKnownUniquelyReferenced(&box) {
      box = box.map { PresentationBox($0.state, $0.identity) }
    }
  }

  /// The presentation itself.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// Whether nothing is presented.
  public var isEmpty: Bool { box?.state == nil }

  /// Tells one presentation from the next: it changes when nothing was presented in between, or
  /// when the child's own `id` does.
  var presentationID: AnySendableHashable? {
    guard let box, let state = box.state else { return nil }
    let own = (state as? any Identifiable).map { hashableID($0) }
    return AnySendableHashable([AnyHashable(box.identity), AnyHashable(own)])
  }
}

/// A property of a state that may be absent, as in `@Presented var editor: Editor.State?`.
public typealias Presented = PresentationState

/// A value's own identifier.
private func hashableID(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }

/// Stays the same while a presentation does, though its box is copied when it is written.
///
/// It is part of the names of the child's effects, which keep it: its address alone could be that of
/// the next presentation.
private final class PresentationIdentity: Hashable, Sendable {
  static func == (left: PresentationIdentity, right: PresentationIdentity) -> Bool {
    left === right
  }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The heap box of one presentation.
private final class PresentationBox<State> {
  var state: State?
  let identity: PresentationIdentity

  init(_ state: State?, _ identity: PresentationIdentity) {
    self.state = state
    self.identity = identity
  }

  deinit { DeepStack.release(&state) }
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
