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
    self.path(key: DestinationTable.key(path))
  }

  /// The action of a case's child; `nil` if it is another child's.
  public subscript<Child>(
    dynamicMember path: KeyPath<Choice, DestinationCase<Child>>
  ) -> Child.Action? {
    key == DestinationTable.key(path) ? content as? Child.Action : nil
  }

  fileprivate static func path<Child: Sendable>(
    key: Int
  ) -> CasePath<DestinationAction, Child> {
    CasePath(
      embed: { DestinationAction(key: key, content: $0) },
      extract: { $0.key == key ? $0.content as? Child : nil })
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
  /// compared by their dumps.
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
    appending(key: DestinationTable.key(path))
  }

  func appending<Choice, Child: Sendable>(
    key: Int
  ) -> CasePath<Root, PresentationAction<Child>>
  where Value == PresentationAction<DestinationAction<Choice>> {
    let own: CasePath<DestinationAction<Choice>, Child> = DestinationAction.path(key: key)
    return CasePath<Root, PresentationAction<Child>>(
      embed: {
        switch $0 {
        case .dismiss: embed(.dismiss)
        case .presented(let action): embed(.presented(own.embed(action)))
        }
      },
      extract: {
        switch extract($0) {
        case nil: nil
        case .dismiss?: .dismiss
        case .presented(let action)?: own.extract(action).map { .presented($0) }
        }
      })
  }
}
