@_spi(Host) internal import AppCore
internal import AppCoreHost
internal import Navigation
internal import Shell
internal import Support

// Leaving asks, whichever way a person leaves.
extension App {
  /// Sends the back action of the screen in front, if it has one, and waits for what comes of it.
  ///
  /// - Returns: whether the screen is gone, or has no such action.
  func leaveFront() async -> Bool {
    guard let id = state.current, let action = screen?.back else { return true }
    store?.send(.instance(id, action))
    let account = store?.activityAccount
    await wait(until: { state.instances[id] == nil }) {
      _ = await account?.settled(within: Self.patience)
    }
    return state.instances[id] == nil
  }

  /// Whether opening a link leaves the screen in front now: it is one of this app, and waits for
  /// nothing.
  func leavesFront(_ link: String) -> Bool {
    guard let plan = try? graph.plan(link, json: { try? Value(json: $0) }) else { return false }
    guard let needs = plan.needs else { return true }
    return state.instances.ids.contains { state.instances[$0]?.node == needs }
  }
}
