public import AppCore

extension TestStore {
  /// Asserts that the next action that effects have sent is a child's action of a given case.
  ///
  /// ```swift
  /// await store.receive(/Action.counter, /Counter.Action.Internal.loaded) { $0.counter.count = 1 }
  /// ```
  ///
  /// - Parameters:
  ///   - path: the case with the child's actions.
  ///   - child: the case of the child's action, or of its internal or delegate action.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive<Child, Value>(
    _ path: CasePath<Action, Child>, _ child: CasePath<Child, Value>,
    timeout limit: Duration? = nil, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases(around: child.cases)) {
        path.extract($0).flatMap(child.extract) != nil
      }, limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is an element's action of a given case.
  ///
  /// ```swift
  /// await store.receive(/Action.rows, 2, /Row.Action.loaded) { $0.rows[id: 2]?.isLoaded = true }
  /// ```
  ///
  /// - Parameters:
  ///   - path: the case with the elements' actions.
  ///   - id: the element.
  ///   - child: the case of the element's action.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive<ID: Hashable & Sendable, Child, Value>(
    _ path: CasePath<Action, IdentifiedAction<ID, Child>>, _ id: ID,
    _ child: CasePath<Child, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases(around: "id: \(id), \(child.cases)")) { action in
        guard case .element(id, let action)? = path.extract(action) else { return false }
        return child.extract(action) != nil
      }, limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is a stack element's, of a given case.
  ///
  /// - Parameters:
  ///   - path: the case with the stack's actions.
  ///   - id: the element.
  ///   - child: the case of the element's action.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive<Element, Child, Value>(
    _ path: CasePath<Action, StackAction<Element, Child>>, _ id: StackElementID,
    _ child: CasePath<Child, Value>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases(around: "id: \(id), \(child.cases)")) { action in
        guard case .element(id, let action)? = path.extract(action) else { return false }
        return child.extract(action) != nil
      }, limit, update, TestSite(fileID, filePath, line, column))
  }

  /// Asserts that the next action that effects have sent is a presented child's, of a given case.
  ///
  /// - Parameters:
  ///   - path: the case with the child's actions.
  ///   - child: the case of the child's action.
  ///   - limit: how long to wait in real time; by default ``timeout``.
  ///   - update: applies the expected changes to the state; without it, the state must not change.
  ///   - fileID: the call site.
  ///   - filePath: the call site.
  ///   - line: the call site.
  ///   - column: the call site.
  public func receive<Child, Value>(
    _ path: CasePath<Action, PresentationAction<Child>>, _ child: CasePath<Child, Value>,
    timeout limit: Duration? = nil, assert update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      ActionMatcher(path.cases(around: child.cases)) { action in
        guard case .presented(let action)? = path.extract(action) else { return false }
        return child.extract(action) != nil
      }, limit, update, TestSite(fileID, filePath, line, column))
  }
}
