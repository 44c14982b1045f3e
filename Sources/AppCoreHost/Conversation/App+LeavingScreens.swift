@_spi(Host) internal import AppCore
internal import Navigation
internal import Shell
internal import Support

// A screen's back action runs whichever command leaves the screen.
extension App {
  /// Sends the back action of the current screen, if it has one, and waits until its instance is
  /// gone or the app has settled, for ``timeout`` at most.
  ///
  /// - Returns: whether the instance is gone, or the screen has no back action.
  func leaveCurrentScreen() async -> Bool {
    guard let id = state.current, let action = screen?.back else { return true }
    store?.send(.instance(id, action))
    let account = store?.activityAccount
    await wait(until: { state.instances[id] == nil }) {
      _ = await account?.settled(within: Self.timeout)
    }
    return state.instances[id] == nil
  }

  /// Whether opening a link leaves the current screen now: the link is valid, and the node that it
  /// needs, if any, has an instance.
  func leavesCurrentScreen(_ link: String) -> Bool {
    guard let plan = try? graph.plan(link, json: { try? Value(json: $0) }) else { return false }
    guard let needs = plan.needs else { return true }
    return state.instances.ids.contains { state.instances[$0]?.node == needs }
  }
}
