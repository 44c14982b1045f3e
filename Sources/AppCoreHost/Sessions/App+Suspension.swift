@_spi(Host) package import AppCore
@_spi(Host) internal import Navigation
internal import Sessions
internal import Supervision

// Suspended instances: their features have crashed repeatedly, and are not called any more.
extension App {
  /// The content of the current screen, or of the stand-in for a suspended instance.
  package var content: ScreenContent? {
    guard rewound == nil, let id = state.current, let shown = suspendedScreen(id) else {
      return screen?.content
    }
    return shown.content
  }

  /// Carries out a control of a suspended instance's screen.
  ///
  /// - Returns: whether there is such a control; `nil` if the current instance is not suspended.
  func activateSuspended(control: Int) -> Bool? {
    guard let id = state.current, let kept = suspended[id] else { return nil }
    switch SuspendedScreen.Choice(rawValue: control) {
    case .retry?: retry(id, kept)
    case .data?: shownData[id] = data(of: id, kept)
    case .back?: _ = navigate(.back)
    case nil: return false
    }
    return true
  }

  private func suspendedScreen(_ id: InstanceID) -> SuspendedScreen? {
    guard case .suspended(_, let reason, _)? = suspended[id]?.state,
      let node = state.instances[id].map({ graph.nodes[$0.node] })
    else { return nil }
    return SuspendedScreen(
      title: node.title ?? node.name, feature: node.feature ?? "", reason: reason,
      data: shownData[id])
  }

  /// Ends the suspension of an instance, or of its whole plugin if that is suspended.
  private func retry(_ id: InstanceID, _ kept: SavedInstance) {
    guard case .suspended(_, _, let isWholePlugin) = kept.state,
      let node = state.instances[id]?.node
    else {
      return
    }
    guard isWholePlugin, let plugin = graph.plugin(of: node) else {
      wake(id)
      return
    }
    wake(plugin: plugin)
  }

  /// Ends the suspension of a plugin and of its instances.
  ///
  /// - Returns: whether the plugin or one of its instances was suspended.
  package func resume(plugin: String) -> Bool {
    guard
      factory?.suspended[plugin] != nil
        || suspended.keys.contains(where: { id in
          state.instances[id].flatMap { graph.plugin(of: $0.node) } == plugin
        })
    else { return false }
    wake(plugin: plugin)
    return true
  }

  /// Ends the suspension of a plugin and of its instances, if there is any.
  func wake(plugin: String) {
    appSession?.note(retried: plugin)
    factory?.wake(plugin)
    for id in suspended.keys.sorted(by: { $0.number < $1.number }) {
      guard let node = state.instances[id]?.node, graph.plugin(of: node) == plugin else { continue }
      wake(id)
    }
  }

  private func wake(_ id: InstanceID) {
    guard let kept = suspended[id], case .suspended(let value, _, let isWholePlugin) = kept.state,
      let node = state.instances[id]?.node
    else { return }
    do {
      guard let feature = try features.needed(node) else { return }
      let state = try calls.during(.takeOver, node: node, instance: id) {
        try restore(value, of: kept, by: feature)
      }
      suspended[id] = nil
      shownData[id] = nil
      store?.send(.restore(Restoration(id, state)))
    } catch {
      suspended[id] = kept.with(
        .suspended(
          value, reason: "its state can't be read: \(description(of: error))",
          isWholePlugin: isWholePlugin)
      )
    }
  }

  /// The state of a suspended instance as JSON without secrets, or why it can't be shown.
  private func data(of id: InstanceID, _ kept: SavedInstance) -> String {
    guard case .suspended(let value, _, _) = kept.state, let node = state.instances[id]?.node else {
      return ""
    }
    do {
      guard let feature = try factory?.feature(of: node) else { return "" }
      // Decoded and encoded by the feature, because only its types tell what is secret.
      let data = try calls.during(.takeOver, node: node, instance: id) {
        try feature.dump(restore(value, of: kept, by: feature))
      }
      return data.json
    } catch {
      return "It can't be shown: \(description(of: error))"
    }
  }

  /// Decodes the saved state of an instance, migrating it if another version has encoded it.
  private func restore(
    _ value: Value, of kept: SavedInstance, by feature: LoadedFeature
  ) throws -> InstanceState {
    guard let encodedBy = kept.encodedBy else {
      return try feature.restore(value, from: "", isSameVersion: false).state
    }
    return try feature.restore(
      value, from: encodedBy.version,
      isSameVersion: current.versions[encodedBy.plugin] == encodedBy.version
    ).state
  }
}

/// The screen that stands in for that of a suspended instance.
struct SuspendedScreen {
  /// The choices of the user, in the order of the controls.
  enum Choice: Int, CaseIterable {
    case retry
    case data
    case back
  }

  /// The type of the controls' actions; they are not sent, because the app handles the controls.
  private enum Action: FeatureAction {
    enum View: Codable, Sendable { case chosen }
    case view(View)
  }

  let title: String
  let feature: String
  let reason: String
  /// The instance's state as text, once the user has asked for it.
  let data: String?

  var content: ScreenContent {
    Screen<Action>(title) { screen in
      screen.text("'\(feature)' is suspended: \(reason).", style: .warning)
      screen.text("Its data is kept, and everything else continues.")
      screen.button("Retry", id: "retry", action: .chosen)
      screen.button("Show its data", id: "data", action: .chosen)
      screen.button("Back", id: "back", action: .chosen)
      if let data { screen.text(data) }
    }.content
  }
}
