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
  public init(wrappedValue: consuming State?) {
    let box = PresentationBox(wrappedValue)
    if !box.isEmpty { self.box = box }
  }

  /// Nothing is presented.
  @usableFromInline static var absent: PresentationState { PresentationState(box: nil) }

  private init(box: PresentationBox<State>?) { self.box = box }

  /// The child's state; `nil` if nothing is presented.
  ///
  /// Another child's state, assigned as a whole, is another presentation; so is one with another
  /// `id`, for a child that has one, or in another case, for an enum. What is changed in place, as in
  /// `state.editor?.text = ""`, stays the presentation it is.
  ///
  /// - Complexity: reading is constant, and so is writing while the box is not shared.
  public var wrappedValue: State? {
    _read {
      if let box {
        yield box.storage.pointee
      } else if MemoryLayout<State>.size <= 1024 {
        yield nil
      } else {
        // Even nothing is as large as a child.
        let empty = PresentationBox<State>.empty()
        yield empty.storage.pointee
      }
    }
    _modify {
      // The state itself is handed out, in its box: a local copy of a large one would not fit a
      // small stack.
      let unique = makeUnique()
      defer { if unique.isEmpty { box = nil } }
      yield &unique.storage.pointee
    }
    set {
      // In a box of its own: a child that goes does so with its box, whose last state a scoped store
      // may still show.
      let new = PresentationBox(newValue)
      if new.isEmpty {
        box = nil
      } else {
        if let box { new.takeThePlace(of: box) }
        box = new
      }
    }
  }

  /// Ensures a uniquely referenced box, which may be empty.
  @discardableResult
  @inlinable
  mutating func makeUnique() -> PresentationBox<State> {
    if isKnownUniquelyReferenced(&box), let box { return box }
    return takeOwnBox()
  }

  @usableFromInline
  mutating func takeOwnBox() -> PresentationBox<State> {
    let unique = box.map { PresentationBox(replacing: $0) } ?? .empty()
    box = unique
    return unique
  }

  /// The presentation itself.
  public var projectedValue: PresentationState {
    get { self }
    set { self = newValue }
  }

  /// Whether nothing is presented.
  public var isEmpty: Bool { box == nil }

  /// A property of the child, read in place.
  ///
  /// Reading it by name, as in `state.editor?.text`, may copy the child to the stack first, which
  /// matters for one that is larger than that.
  ///
  /// ```swift
  /// struct Editor { struct State { var text = "" } }
  /// struct State { @Presented var editor: Editor.State? }
  ///
  /// func text(_ state: State) -> String? { state.$editor.read(\.text) }
  /// ```
  ///
  /// - Returns: the property; `nil` if nothing is presented.
  public func read<Value>(_ property: KeyPath<State, Value>) -> Value? {
    box.map { UnsafePointer($0.value).read(property) }
  }

  /// Changes the child in place.
  ///
  /// - Returns: what `body` returned; `nil` if nothing is presented.
  @inlinable
  public mutating func update<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard box != nil else { return nil }
    return try body(&makeUnique().value.pointee)
  }
}

extension UnsafePointer {
  /// A property of the content, read in place.
  func read<Value>(_ property: KeyPath<Pointee, Value>) -> Value {
    pointer(to: property)?.pointee ?? computed(property)
  }

  // By itself: this one copies all of it, and a function that may do that needs the stack for it
  // whether it does or not.
  @inline(never)
  private func computed<Value>(_ property: KeyPath<Pointee, Value>) -> Value {
    pointee[keyPath: property]
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
@frozen
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
