@_spi(Host) public import AppCore

// Paths to the actions of children, however deep, for `send` and `receive`.

extension CasePath {
  /// The path to an element's actions: `(/Action.rows)[id: 2]`.
  public subscript<ID, Child>(id id: ID) -> CasePath<Root, Child>
  where Value == IdentifiedAction<ID, Child> {
    appending(
      CasePath<Value, Child>(
        embed: { .element(id: id, action: $0) },
        extract: { action in
          guard case .element(id, let child) = action else { return nil }
          return child
        }))
  }

  /// The path to a stack element's actions: `(/Action.path)[id: 0]`.
  public subscript<Element, Child>(id id: StackElementID) -> CasePath<Root, Child>
  where Value == StackAction<Element, Child> {
    appending(
      CasePath<Value, Child>(
        embed: { .element(id: id, action: $0) },
        extract: { action in
          guard case .element(id, let child) = action else { return nil }
          return child
        }))
  }

  /// The path into a case of a presented child's action.
  ///
  /// ```swift
  /// let editor = (/Action.path)[id: 0].appending(/Page.Action.editor)
  /// await store.receive(editor.appending(/Editor.Action.saved))
  /// ```
  public func appending<Child, Inner>(_ inner: CasePath<Child, Inner>) -> CasePath<Root, Inner>
  where Value == PresentationAction<Child> {
    appending(
      CasePath<Value, Inner>(
        embed: { .presented(inner.embed($0)) },
        extract: { action in
          guard case .presented(let child) = action else { return nil }
          return inner.extract(child)
        }))
  }
}

/// The path of a case without a payload: `receive(/Action.Internal.ticked)`.
@_disfavoredOverload
public prefix func / <Root: Sendable>(root: Root) -> CasePath<Root, Void> { CasePath(case: root) }

/// The path into a case of a child's internal action, as in
/// `receive(/Action.child, /Child.Internal.loaded)`.
@_disfavoredOverload
public prefix func / <Child: FeatureAction, Value>(
  embed: @escaping @Sendable (Value) -> Child.Internal
) -> CasePath<Child, Value> {
  CasePath(Child.internal).appending(CasePath(embed))
}

/// The path into a case of a child's delegate action, as in
/// `receive(/Action.child, /Child.Delegate.saved)`.
@_disfavoredOverload
public prefix func / <Child: FeatureAction, Value>(
  embed: @escaping @Sendable (Value) -> Child.Delegate
) -> CasePath<Child, Value> {
  CasePath(Child.delegate).appending(CasePath(embed))
}

/// The path of a child's internal action without a payload.
@_disfavoredOverload
public prefix func / <Child: FeatureAction>(action: Child.Internal) -> CasePath<Child, Void> {
  CasePath(Child.internal).appending(CasePath(case: action))
}

/// The path of a child's delegate action without a payload.
@_disfavoredOverload
public prefix func / <Child: FeatureAction>(action: Child.Delegate) -> CasePath<Child, Void> {
  CasePath(Child.delegate).appending(CasePath(case: action))
}

extension CasePath {
  /// The case, for people: `.loaded(…)`.
  var cases: String {
    if let none = () as? Value { return describe(embed(none)) }
    let names = EnumCase.names(of: self)
    return names.isEmpty
      ? "one of the given case, which carries \(Value.self)"
      : names.map { ".\($0)(…)" }.joined(separator: " or ")
  }

  /// The case around a child's, for people: `.child(.loaded(…))`.
  func cases(around child: String) -> String {
    cases.split(separator: "…", omittingEmptySubsequences: false).joined(separator: child)
  }
}
