/// Finds child actions that would be ignored because the reducer has no operator for the child.
@usableFromInline
final class UnclaimedActions<Action> {
  private let metadata: EnumMetadata
  private let claims: [(Action) -> Bool]

  /// `nil` if `Action` has no cases for child actions.
  @usableFromInline
  init?(_ claims: [(Action) -> Bool]) {
    guard let metadata = EnumMetadata(Action.self) else { return nil }
    let children = metadata.cases.map { entry -> Bool in
      guard let payload = entry.payload else { return false }
      return unlabelled(payload) is any ChildActions.Type
    }
    guard children.contains(true) else { return nil }
    self.metadata = metadata
    self.claims = claims
  }

  /// Reports `action` if it is a child action and no operator handles it, and returns whether it did.
  func reports(_ action: Action, tag: Int) -> Bool {
    guard let payload = metadata.cases[tag].payload,
      let kind = unlabelled(payload) as? any ChildActions.Type,
      !claims.contains(where: { $0(action) })
    else { return false }
    let name = metadata.cases[tag].name
    RuntimeIssue.report(
      """
      an action came for the child '\(name)', which no '\(kind.operatorName)' of the reducer of \
      '\(_typeName(Action.self, qualified: false))' runs; it changed nothing
        action: \(StateDump.line(action))
        - the reducer has a case for the child's actions and no operator for the child: add \
      '.\(kind.operatorName)(\(kind.example(name)), action: /Action.\(name)) { … }' to it
      """)
    return true
  }
}

/// A type of child actions, which an operator handles.
protocol ChildActions {
  /// The name of the operator.
  static var operatorName: String { get }
  /// The operator's argument for the state of the child `name`, as source code.
  static func example(_ name: String) -> String
}

extension PresentationAction: ChildActions {
  static var operatorName: String { "ifLet" }
  static func example(_ name: String) -> String { "\\.$\(name)" }
}

extension StackAction: ChildActions {
  static var operatorName: String { "forEach" }
  static func example(_ name: String) -> String { "\\.\(name)" }
}

extension IdentifiedAction: ChildActions {
  static var operatorName: String { "forEach" }
  static func example(_ name: String) -> String { "\\.\(name)" }
}
