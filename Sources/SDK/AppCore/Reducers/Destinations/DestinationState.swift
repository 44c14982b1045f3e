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
  /// The child's state.
  private(set) var content: any Codable & Sendable

  init(key: Int, content: any Codable & Sendable) {
    self.key = key
    self.content = content
  }

  /// A function that wraps the state of a case's child.
  public static subscript<Child>(
    dynamicMember path: KeyPath<Choice, DestinationCase<Child>>
  ) -> @Sendable (Child.State) -> DestinationState {
    let key = DestinationTable.key(path)
    return { DestinationState(key: key, content: $0) }
  }

  /// The state of a case's child; `nil` while another child is shown.
  ///
  /// Setting it to `nil`, or while another one is shown, changes nothing and is reported: assign
  /// the whole destination instead. A child that is taken out in place, as by `take()`, is gone;
  /// that is reported, too.
  public subscript<Child>(
    dynamicMember path: KeyPath<Choice, DestinationCase<Child>>
  ) -> Child.State? {
    get { key == DestinationTable.key(path) ? content as? Child.State : nil }
    set {
      let isShown = key == DestinationTable.key(path)
      if isShown, let newValue {
        content = newValue
      } else if isShown || newValue != nil {
        reportMisuse(newValue)
      }
    }
    _modify {
      let isShown = key == DestinationTable.key(path)
      var child = isShown ? takeContent(Child.State.self) : nil
      defer {
        if isShown, let child {
          content = child
        } else if isShown || child != nil {
          reportMisuse(child)
        }
      }
      yield &child
    }
  }

  private func reportMisuse(_ new: Any?) {
    RuntimeIssue.report(
      new == nil
        ? "the state of a destination was set to nil: set the destination to nil"
        : "the state of a destination was set while another one is shown")
  }

  /// Takes the child's state out, if it is of this type: a second reference to what it holds would
  /// make a change copy it.
  private mutating func takeContent<Child>(_ type: Child.Type) -> Child? {
    guard content is Child else { return nil }
    var taken: any Codable & Sendable = Absent()
    swap(&taken, &content)
    return taken as? Child
  }

  /// Changes the child's state in place; `nil` if it is of another type.
  mutating func update<Child: Codable & Sendable, Result>(
    _ type: Child.Type, _ body: (inout Child) -> Result
  ) -> Result? {
    guard var child = takeContent(type) else { return nil }
    defer { content = child }
    return body(&child)
  }

  /// In the place of a child's state while that is changed.
  private struct Absent: Codable, Sendable {}
}

extension DestinationState: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && looksEqual(left.content, right.content)
  }
}

/// Whether two values of one type are equal; parts that can't be compared have to look the same.
func looksEqual(_ left: Any, _ right: Any) -> Bool {
  switch PartComparison.of(left, right) {
  case .equal: true
  case .different: false
  case .incomparable:
    StateDump.lines(left, depth: 1_000) == StateDump.lines(right, depth: 1_000)
  }
}

extension DestinationState: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FieldKey.self)
    let entries = DestinationTable<Choice>.shared.entries
    let names = container.allKeys
    guard names.count == 1, let entry = entries.first(where: { $0.name == names[0].stringValue })
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: """
            one of \(entries.map { "'\($0.name)'" }.joined(separator: ", ")) was expected, \
            not \(names.prefix(3).map { "'\($0.stringValue.prefix(40))'" }.joined(separator: ", "))
            """))
    }
    let content = try container.superDecoder(forKey: names[0])
    self.init(key: entry.key, content: try entry.content.state(from: content))
  }

  public func encode(to encoder: any Encoder) throws {
    guard let name else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "the destination has no such case"))
    }
    var container = encoder.container(keyedBy: FieldKey.self)
    try content.encode(to: container.superEncoder(forKey: FieldKey(stringValue: name)))
  }
}

extension DestinationState: CustomReflectable {
  /// Shown as the case of an enum.
  public var customMirror: Mirror {
    Mirror(self, children: [(name ?? "", content)], displayStyle: .enum)
  }

  private var name: String? { DestinationTable<Choice>.shared.name(key) }
}

/// The state of one of several children.
protocol DestinationChoice {
  var key: Int { get }
  /// The `id` of the child that is shown, if it has one.
  var childID: AnySendableHashable? { get }
  /// Whether the child is an alert or a dialog.
  var isEphemeral: Bool { get }
}

extension DestinationState: DestinationChoice {
  var childID: AnySendableHashable? {
    func id(_ child: some Identifiable) -> AnySendableHashable { AnySendableHashable(child.id) }
    return (content as? any Identifiable).map { id($0) }
  }

  var isEphemeral: Bool { content is any EphemeralState }

  /// The child's identity among all children that are ever shown at the same place.
  var element: ScopeElement { .presented(PresentationID(number: 0, tag: key, id: childID)) }
}
