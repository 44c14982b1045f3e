// Compiler errors for actions that may not be sent. `Emission` and `Action.View` already reject
// them; these overloads, which can't be called, only improve the message.

extension Effect where Action: FeatureAction {
  @available(
    *, unavailable,
    message: """
      effects send internal and delegate actions of their own feature only; to do something to a \
      child change its state, or call a method that both reducers share
      """
  )
  public static func send(_ action: Action) -> Self { .none }
}

extension Send where Action: FeatureAction {
  @available(
    *, unavailable,
    message: """
      effects send internal and delegate actions of their own feature only; to do something to a \
      child change its state, or call a method that both reducers share
      """
  )
  nonisolated(nonsending) public func callAsFunction(_ action: Action) async {}
}

extension Store where Action: FeatureAction {
  @available(
    *, unavailable,
    message: """
      a store is sent the feature's view actions only, as its screen would; scope it to send those \
      of a child
      """
  )
  @discardableResult
  public func send(_ action: Action) -> StoreTask { StoreTask(group: nil) }
}

extension ActionSender where Action: FeatureAction {
  @available(
    *, unavailable,
    message: """
      a store is sent the feature's view actions only, as its screen would; scope it to send those \
      of a child
      """
  )
  @discardableResult
  public func send(_ action: Action) async -> StoreTask { StoreTask(group: nil) }
}
