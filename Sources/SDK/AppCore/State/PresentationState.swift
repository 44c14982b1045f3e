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

  /// A presentation of nothing.
  @usableFromInline static var absent: PresentationState { PresentationState(box: nil) }

  private init(box: PresentationBox<State>?) { self.box = box }

  /// The child's state; `nil` if nothing is presented.
  ///
  /// Assigning a child's state as a whole begins a new presentation. For a child with an `id`, it
  /// does so only if the `id` differs; for an enum, only if the case or the `id` of its payload
  /// differs. A change in place, as in `state.editor?.text = ""`, continues the presentation.
  ///
  /// - Complexity: O(1), except that writing copies the state if the box is shared.
  public var wrappedValue: State? {
    _read {
      if let box {
        yield box.storage.pointee
      } else if MemoryLayout<State>.size <= 1024 {
        yield nil
      } else {
        // Even `nil` is as large as a child.
        let empty = PresentationBox<State>.empty()
        yield empty.storage.pointee
      }
    }
    _modify {
      // Yields the state in its box: a local copy of a large state would not fit on a small stack.
      let unique = makeUnique()
      defer { if unique.isEmpty { box = nil } }
      yield &unique.storage.pointee
    }
    set {
      // A new box: the replaced child keeps its own, since a scoped store may still show its last
      // state.
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
  /// Reading it by name, as in `state.editor?.text`, may first copy the child to the stack, which
  /// may be smaller than the child.
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
  /// - Returns: the result of `body`; `nil` if nothing is presented.
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

  // A separate function: it copies the whole value, and a function that may do so reserves the
  // stack for the copy in any case.
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

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}
