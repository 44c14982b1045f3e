/// An action of one of the children in ``Destinations``.
///
/// Create one with the name of the case, as in `Destination.Action.add(.view(.saveTapped))`, and
/// match it by that name: `if case .delegate(.saved(let item)) = action.add`. In a test, name the
/// case as you name that of an enum: `receive(/Action.destination, Destination.Action.add)`.
@dynamicMemberLookup
public struct DestinationAction<Choice: Destinations>: FeatureAction {
  /// The key of its case; see ``DestinationTable``.
  let key: Int
  let content: any Sendable

  init(key: Int, content: any Sendable) {
    self.key = key
    self.content = content
  }

  /// A function that wraps an action of a case's child.
  public static subscript<Child>(
    dynamicMember path: KeyPath<Choice, DestinationCase<Child>>
  ) -> @Sendable (Child.Action) -> DestinationAction {
    let key = DestinationTable.key(path)
    return { DestinationAction(key: key, content: $0) }
  }

  /// The path to the actions of a case's child.
  public static subscript<Child>(
    dynamicMember path: KeyPath<Choice, DestinationCase<Child>>
  ) -> CasePath<DestinationAction, Child.Action> {
    let key = DestinationTable.key(path)
    return CasePath(
      embed: { DestinationAction(key: key, content: $0) },
      extract: { $0.key == key ? $0.content as? Child.Action : nil })
  }

  /// The action of a case's child; `nil` if it is another child's.
  public subscript<Child>(
    dynamicMember path: KeyPath<Choice, DestinationCase<Child>>
  ) -> Child.Action? {
    key == DestinationTable.key(path) ? content as? Child.Action : nil
  }
}

/// An action for one of several children.
protocol DestinationAnswer {
  var key: Int { get }
  var content: any Sendable { get }
}

extension DestinationAction: DestinationAnswer {}

extension DestinationAction: Equatable {
  /// Whether both are the same action of the same child; actions that are not `Equatable` are
  /// compared part by part, and parts that can't be compared by their dumps.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && looksEqual(left.content, right.content)
  }
}

extension DestinationAction: CustomReflectable {
  /// Shown as the case of an enum.
  public var customMirror: Mirror {
    let name = DestinationTable<Choice>.shared.name(key) ?? ""
    return Mirror(self, children: [(name, content)], displayStyle: .enum)
  }
}

extension CasePath {
  /// The path to the actions of one of several children that are presented at one place.
  ///
  /// `(/Action.destination).appending(\.add)` is for the controls of a screen that shows the child
  /// without `embed`.
  public func appending<Choice, Child>(
    _ path: KeyPath<Choice, DestinationCase<Child>>
  ) -> CasePath<Root, PresentationAction<Child.Action>>
  where Value == PresentationAction<DestinationAction<Choice>> {
    let own: CasePath<DestinationAction<Choice>, Child.Action> =
      DestinationAction<Choice>[dynamicMember: path]
    return CasePath<Root, PresentationAction<Child.Action>>(
      embed: { embed($0.map(own.embed)) },
      extract: {
        switch extract($0) {
        case nil: nil
        case .dismiss?: .dismiss
        case .presented(let action)?: own.extract(action).map { .presented($0) }
        }
      })
  }
}
