public import AppCore

// What tests of The Composable Architecture write otherwise, so that the compiler says what to write
// here.
extension TestStore {
  @available(
    *, unavailable,
    message:
      "a case is written '/Action.loaded', not '\\.loaded', and a child's '/Action.child, /Child.Action.loaded'"
  )
  public func receive(
    _ path: KeyPath<CaseKeyPaths, CaseKeyPaths>, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil
  ) async {}

  @available(
    *, unavailable,
    message:
      "a case is written '/Action.loaded', not '\\.loaded', and a child's '/Action.child, /Child.Action.loaded'"
  )
  public func receive<Value>(
    _ path: KeyPath<CaseKeyPaths, CaseKeyPaths>, _ value: Value, timeout limit: Duration? = nil,
    assert update: ((inout State) throws -> Void)? = nil
  ) async {}

  @available(
    *, unavailable,
    message: "send the action itself, 'send(.tapped)', and a child's 'send(/Action.child, .tapped)'"
  )
  public func send(
    _ path: KeyPath<CaseKeyPaths, CaseKeyPaths>,
    assert update: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask { fatalError("unavailable") }

  @available(
    *, unavailable,
    message: "send the action itself, 'send(.tapped)', and a child's 'send(/Action.child, .tapped)'"
  )
  public func send<Value>(
    _ path: KeyPath<CaseKeyPaths, CaseKeyPaths>, _ value: Value,
    assert update: ((inout State) throws -> Void)? = nil
  ) async -> TestStoreTask { fatalError("unavailable") }
}
