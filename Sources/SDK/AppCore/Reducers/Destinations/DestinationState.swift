/// The state of one of the children in ``Destinations``.
///
/// Create one with the name of the case, as in `Destination.State.add(ItemForm.State())`, and read
/// and change it by that name: `state.destination?.add?.name = "Milk"`. The child's state is `nil`
/// while another child is shown. It is stored behind one reference to the heap, however large it
/// is.
///
/// It is encoded as an object with one field, named for the case. Two values are equal if their
/// cases and their children's states are equal; states that are not `Equatable` are compared by
/// their dumps.
@dynamicMemberLookup
public struct DestinationState<Choice: Destinations>: Sendable {
  /// The key of its case; see ``DestinationTable``.
  let key: Int
  private var content: any DestinationContent

  init(key: Int, content: any DestinationContent) {
    self.key = key
    self.content = content
  }

  /// A function that wraps the state of a case's child.
  public static subscript<Child>(
    dynamicMember path: KeyPath<Choice, Case<Child>>
  ) -> @Sendable (Child.State) -> DestinationState {
    let key = DestinationTable.key(path)
    return { DestinationState(key: key, content: ChildContent($0)) }
  }

  /// The state of a case's child; `nil` while another child is shown.
  ///
  /// Setting it to `nil`, or while another one is shown, changes nothing and is reported: assign
  /// the whole destination instead. A child that is taken out in place, as by `take()`, is gone;
  /// that is reported, too.
  public subscript<Child>(
    dynamicMember path: KeyPath<Choice, Case<Child>>
  ) -> Child.State? {
    get { key == DestinationTable.key(path) ? child(Child.State.self) : nil }
    set {
      let isShown = key == DestinationTable.key(path)
      if isShown, let newValue {
        content = ChildContent(newValue)
      } else if isShown || newValue != nil {
        reportMisuse(newValue)
      }
    }
    _modify {
      guard key == DestinationTable.key(path), var own = content as? ChildContent<Child.State>
      else {
        var absent: Child.State?
        yield &absent
        if absent != nil { reportMisuse(absent) }
        return
      }
      // Released meanwhile: a second reference to the box would make the change copy it.
      content = NoContent()
      defer { content = own }
      yield &own.presentation.wrappedValue
      if own.presentation.isEmpty { reportMisuse(Child.State?.none) }
    }
  }

  private func reportMisuse(_ new: Any?) {
    RuntimeIssue.report(
      new == nil
        ? "the state of a destination was set to nil: set the destination to nil"
        : "the state of a destination was set while another one is shown")
  }

  /// The child's state, if it is of this type.
  func child<State: Codable & Sendable>(_ type: State.Type) -> State? {
    (content as? ChildContent<State>)?.presentation.wrappedValue
  }

  /// Changes the child's state in place; `nil` if it is of another type.
  mutating func update<State: Codable & Sendable, Result>(
    _ type: State.Type, _ body: (inout State) -> Result
  ) -> Result? {
    guard var own = content as? ChildContent<State> else { return nil }
    // Released meanwhile: a second reference to the box would make the change copy it.
    content = NoContent()
    defer { content = own }
    return own.presentation.update(body)
  }
}

extension DestinationState: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.content.isEqual(to: right.content)
  }
}

extension DestinationState: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FieldKey.self)
    let table = DestinationTable<Choice>.shared
    let names = container.allKeys
    guard names.count == 1, let entry = table.entry(named: names[0].stringValue) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: """
            one of \(table.entries.map { "'\($0.name)'" }.joined(separator: ", ")) was expected, \
            not \(names.prefix(3).map { "'\($0.stringValue.prefix(40))'" }.joined(separator: ", "))
            """))
    }
    let content = try container.superDecoder(forKey: names[0])
    self.init(key: entry.key, content: try entry.content.content(from: content))
  }

  public func encode(to encoder: any Encoder) throws {
    guard let name else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "the destination has no such case"))
    }
    var container = encoder.container(keyedBy: FieldKey.self)
    try container.encode(content, as: FieldKey(stringValue: name))
  }
}

extension DestinationState: CustomReflectable {
  /// Shown as the case of an enum.
  public var customMirror: Mirror {
    Mirror(self, children: [(name ?? "", content.shown)], displayStyle: .enum)
  }

  private var name: String? { DestinationTable<Choice>.shared.name(key) }
}

/// The state of one of several children.
protocol DestinationChoice {
  var key: Int { get }
  /// The `id` of the child that is shown, if it has one.
  var childID: PresentedID? { get }
  /// Whether the child is an alert or a dialog.
  var isEphemeral: Bool { get }
}

extension DestinationState: DestinationChoice {
  var childID: PresentedID? { content.id }
  var isEphemeral: Bool { content.isEphemeral }

  /// The child's identity among all children that are ever shown at the same place.
  var element: ScopeElement {
    .identified(AnySendableHashable(DestinationIdentity(key: key, id: content.id)))
  }
}

private struct DestinationIdentity: Hashable {
  let key: Int
  let id: PresentedID?
}

extension KeyedEncodingContainer where Key == FieldKey {
  fileprivate mutating func encode(_ content: some DestinationContent, as name: Key) throws {
    try content.encode(to: superEncoder(forKey: name))
  }
}

// MARK: The child's state

/// The state of a child of any type.
protocol DestinationContent: Encodable, Sendable {
  var id: PresentedID? { get }
  var isEphemeral: Bool { get }
  /// The value that a dump shows.
  var shown: Any { get }
  func isEqual(to other: any DestinationContent) -> Bool
}

/// The state of a child in a heap box, inspected in place: it may be larger than the stack.
struct ChildContent<State: Codable & Sendable>: DestinationContent {
  var presentation: PresentationState<State>

  init(_ state: State) { presentation = PresentationState(wrappedValue: state) }

  var id: PresentedID? {
    guard let type = State.self as? any Identifiable.Type, let box = presentation.box else {
      return nil
    }
    return PresentedKind<State>.id(type, at: box.value)
  }
  var isEphemeral: Bool { State.self is any EphemeralState.Type }
  var shown: Any { presentation.wrappedValue as Any }

  func isEqual(to other: any DestinationContent) -> Bool {
    guard let other = other as? ChildContent<State> else { return false }
    guard let box = presentation.box, let otherBox = other.presentation.box, box !== otherBox else {
      return presentation.box === other.presentation.box
    }
    guard let type = State.self as? any Equatable.Type else {
      return StateDump.lines(shown, depth: 1_000) == StateDump.lines(other.shown, depth: 1_000)
    }
    func isEqual<Known: Equatable>(_ type: Known.Type) -> Bool {
      UnsafeRawPointer(box.value).assumingMemoryBound(to: Known.self).pointee
        == UnsafeRawPointer(otherBox.value).assumingMemoryBound(to: Known.self).pointee
    }
    return isEqual(type)
  }

  func encode(to encoder: any Encoder) throws {
    try presentation.wrappedValue?.encode(to: encoder)
  }
}

/// A placeholder for a child's state while that is changed.
private struct NoContent: DestinationContent {
  var id: PresentedID? { nil }
  var isEphemeral: Bool { false }
  var shown: Any { self }
  func isEqual(to other: any DestinationContent) -> Bool { false }
  func encode(to encoder: any Encoder) throws {}
}
