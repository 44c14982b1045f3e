@_spi(Host) internal import AppCore
internal import Manifest
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Supervision
internal import Support

/// Saves an app's instances in its session, restores them from it, and keeps those that are suspended.
///
/// A suspended instance's feature has crashed repeatedly and is not called any more.
final class SessionKeeper {
  /// The session that outlives the process; `nil` if nothing is kept.
  let session: AppSession?
  let secrets: SecretTexts
  /// Computes what has changed since the last image.
  private var recorder: SessionRecorder?
  /// Saved instances that have no place in the app as it is now.
  private var unplaced: [SavedInstance] = []
  /// The identifiers that instances had before the app first continued from a past step.
  private var firstIDs: [InstanceID: InstanceID] = [:]
  private(set) var suspended: [InstanceID: SavedInstance] = [:]
  /// The states of suspended instances that the user has asked to see, as text.
  private var shownData: [InstanceID: String] = [:]
  /// The instances that were restored, by their identifiers in the previous process.
  private(set) var restoredIDs: [InstanceID: InstanceID] = [:]
  /// The app as it was restored, until it is written to the session.
  private var restored: AppState?
  /// Whether an app is shown before it is written again, if it is as it was restored: the image from
  /// which it came is as good until then.
  var showsRestoredFirst = false

  init(_ session: AppSession?) {
    self.session = session
    secrets = session?.secrets ?? SecretTexts()
    recorder = session.map { _ in SessionRecorder() }
  }

  /// Makes the manifest's secrets known to a session that is kept in a file.
  func addSecrets(of app: LoadedApp) {
    if session?.file != nil { secrets.add(given: app.givenSecrets) }
  }

  /// Writes what has changed since the last call to the session, if there is one.
  ///
  /// It is called before each screen is shown, so that whatever was seen is saved.
  ///
  /// - Complexity: O(*n*/64), where *n* is the number of instances, plus encoding the changed ones.
  func save(_ app: isolated App) {
    app.watch.remember(app.log)
    guard let session, let recorder, !(showsRestoredFirst && isAsRestored(app.state)) else {
      return
    }
    restored = nil
    let change = recorder.record(
      app.state, of: app.graph, app.current.imageIdentity, features: app.features,
      calls: app.calls, saved: { suspended[$0] })
    if !change.isEmpty { session.write(change) }
    session.file?.wait()
  }

  private func isAsRestored(_ state: AppState) -> Bool {
    restored.map {
      state.changes(since: $0) == ([], [])
        && state.waitingLink?.address == $0.waitingLink?.address
    } ?? false
  }

  /// Restores the instances of an image, as far as the manifest and the plugins still allow it.
  func restore(
    _ image: SessionImage, _ policy: RestartPolicy, in app: isolated App
  ) throws(AppLoadError) {
    let (plan, live): (SessionPlan, StateRestorer)
    do throws(SessionPlan.StartFailure) {
      (plan, live) = try app.current.plan(image, app.features, app.calls, policy.suspensions)
    } catch {
      throw .start(reason: error.reason)
    }
    let restoration = Replacement(plan.layout(live))
    follow(restoration, plan, of: image, suspended: live.suspended)
    app.store?.send(.restore(restoration))
    restored = app.state
    restoredIDs = plan.newIDs(restoration.ids)
    session?.didPlan(plan)
    if let link = image.moment.waitingLink { app.open(waiting: link) }
  }

  /// The running app as an image with placeholders for the states.
  func outline(of app: isolated App) -> SessionImage {
    var image = SessionImage(
      identity: app.current.imageIdentity,
      AppMoment(outlining: app.state, in: app.graph, orders: recorder?.orders ?? [:]) {
        suspended[$0]
      })
    for instance in unplaced { image.moment.instances[instance.id] = instance }
    return image
  }

  /// Adapts to a replacement according to a plan of an image, when it is carried out.
  ///
  /// That is within the step, whose record has to say what is suspended. The image of a past step
  /// does not have the unplaced instances, which stay so.
  func follow(
    _ replacement: Replacement, _ plan: SessionPlan, of image: SessionImage,
    suspended: [InstanceID: SavedInstance], isPast: Bool = false
  ) {
    replacement.willContinue = { [self] ids in
      didReplace(plan, of: image, suspended: suspended, ids: ids, isPast: isPast)
    }
  }

  private func didReplace(
    _ plan: SessionPlan, of image: SessionImage, suspended: [InstanceID: SavedInstance],
    ids: [InstanceID], isPast: Bool
  ) {
    var newIDs = plan.newIDs(ids)
    self.suspended = suspended.renumbered(newIDs)
    shownData = shownData.filter { self.suspended[$0.key] != nil }
    if isPast { addAliases(to: &newIDs) }
    unplaced = plan.unplaced(from: image, newIDs, besides: isPast ? unplaced : [])
    recorder?.forgetAll(unplaced: unplaced, orders: plan.orders(of: ids))
  }

  /// Adds the new identifiers of instances by those that unplaced ones know them by.
  ///
  /// An instance has another identifier after each ``Timeline/continueFromShown(in:)``.
  private func addAliases(to newIDs: inout [InstanceID: InstanceID]) {
    var continued: [InstanceID: InstanceID] = [:]
    for (former, id) in newIDs {
      let first = firstIDs[former] ?? former
      firstIDs[id] = first
      continued[first] = id
    }
    for parent in unplaced.compactMap(\.parent) where newIDs[parent] == nil {
      newIDs[parent] = continued[firstIDs[parent] ?? parent]
    }
  }
}

extension [InstanceID: SavedInstance] {
  /// The instances by their new identifiers, without those that have none.
  func renumbered(_ newIDs: [InstanceID: InstanceID]) -> Self {
    [InstanceID: SavedInstance](
      uniqueKeysWithValues: compactMap { former, kept in newIDs[former].map { ($0, kept) } })
  }
}

extension SessionPlan {
  func newIDs(_ ids: [InstanceID]) -> [InstanceID: InstanceID] {
    var found: [InstanceID: InstanceID] = [:]
    for (former, id) in zip(self.ids, ids) { if let former { found[former] = id } }
    return found
  }
}

// Suspended instances.
extension SessionKeeper {
  /// The screen that stands in for that of a suspended instance; `nil` if it is not suspended.
  func standIn(for id: InstanceID, in app: isolated App) -> ScreenContent? {
    let past = app.timeline.rewound
    guard case .suspended(_, let reason, _)? = (past?.suspended ?? suspended)[id]?.state,
      let node = app.shownState.instances[id].map({ app.graph.nodes[$0.node] })
    else { return nil }
    return Screen<StandInAction>(node.title ?? node.name) { screen in
      screen.text("'\(node.feature ?? "")' is suspended: \(reason).", style: .warning)
      screen.text("Its data is kept, and everything else continues.")
      screen.button("Retry", id: "retry", action: .chosen)
      screen.button("Show its data", id: "data", action: .chosen)
      screen.button("Back", id: "back", action: .chosen)
      if past == nil, let data = shownData[id] { screen.text(data) }
    }.content
  }

  /// Carries out a control of the current instance's stand-in; returns whether there is such a control,
  /// `nil` if the instance is not suspended.
  func activate(control: Int, in app: isolated App) -> Bool? {
    guard let id = app.state.current, let kept = suspended[id] else { return nil }
    switch StandInControl(rawValue: control) {
    case .retry?:
      let plugin = app.state.instances[id].flatMap { app.graph.plugin(of: $0.node) }
      if case .suspended(_, _, isWholePlugin: true) = kept.state, let plugin {
        wake(plugin: plugin, in: app)
      } else {
        wake(id, in: app)
      }
    case .data?: shownData[id] = data(of: id, kept, in: app)
    case .back?: _ = app.navigate(.back)
    case nil: return false
    }
    return true
  }

  func isSuspended(_ plugin: String, in app: isolated App) -> Bool {
    app.factory?.suspended[plugin] != nil
      || suspended.keys.contains { id in
        app.state.instances[id].flatMap { app.graph.plugin(of: $0.node) } == plugin
      }
  }

  /// Ends the suspension of a plugin and of its instances, if there is any.
  func wake(plugin: String, in app: isolated App) {
    session?.worker?.didRetry(plugin)
    app.factory?.wake(plugin)
    for id in suspended.keys.sorted()
    where app.state.instances[id].flatMap({ app.graph.plugin(of: $0.node) }) == plugin {
      wake(id, in: app)
    }
  }

  private func wake(_ id: InstanceID, in app: isolated App) {
    guard let kept = suspended[id], case .suspended(let value, _, let isWholePlugin) = kept.state,
      let node = app.state.instances[id]?.node
    else { return }
    do {
      guard let feature = try app.features.needed(node) else { return }
      let state = try app.calls.during(.takeOver, node: node, instance: id) {
        try restore(value, of: kept, by: feature, in: app.current)
      }
      suspended[id] = nil
      shownData[id] = nil
      app.store?.send(.resume(id, state))
    } catch {
      suspended[id] = kept.with(
        .suspended(
          value, reason: "its state can't be read: \(describe(error))",
          isWholePlugin: isWholePlugin)
      )
    }
  }

  /// The state of a suspended instance as JSON without secrets, or why it can't be shown.
  private func data(of id: InstanceID, _ kept: SavedInstance, in app: isolated App) -> String {
    guard case .suspended(let value, _, _) = kept.state, let node = app.state.instances[id]?.node
    else { return "" }
    do {
      guard let feature = try app.factory?.feature(of: node) else { return "" }
      // Decoded and encoded by the feature, because only its types tell what is secret.
      let data = try app.calls.during(.takeOver, node: node, instance: id) {
        try feature.dump(restore(value, of: kept, by: feature, in: app.current))
      }
      return data.json
    } catch {
      return "It can't be shown: \(describe(error))"
    }
  }

  /// Decodes the saved state of an instance, migrating it if another version has encoded it.
  private func restore(
    _ value: Value, of kept: SavedInstance, by feature: LoadedFeature, in app: LoadedApp
  ) throws -> InstanceState {
    let version = kept.encodedBy?.version ?? ""
    let isSame = kept.encodedBy.map { app.versions[$0.plugin] == version } ?? false
    return try feature.restore(value, from: version, isSameVersion: isSame).state
  }
}

private enum StandInControl: Int {
  case retry
  case data
  case back
}

/// The type of their actions, which are not sent: the app handles the controls.
private enum StandInAction: FeatureAction {
  enum View: Codable, Sendable { case chosen }
  case view(View)
}

extension LoadedApp {
  /// The identity of the app with all of its nodes, by their indexes; unused ones are included.
  var identity: SessionIdentity {
    SessionIdentity(
      app: graph.name, manifest: FilePath.absolute(path),
      plugins: plugins.map {
        SessionIdentity.Plugin(
          name: $0.name, version: $0.member.info.version, digest: $0.member.digest ?? "",
          buildID: $0.member.prepared?.buildID,
          fileDigest: $0.member.prepared?.digests.map { "\($0.file)" },
          file: $0.member.prepared?.copies.first)
      },
      nodes: graph.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) },
      version: report.manifest?.version?.value, lock: lock)
  }

  /// The identity of the app for its image, with the nodes that it has now.
  var imageIdentity: SessionIdentity {
    var image = identity
    image.nodes = graph.presentNodes.map { image.nodes[$0] }
    return image
  }

  func restartPolicy(after ends: [WorkerCrash]) -> RestartPolicy {
    RestartPolicy(after: ends, digests: identity.digests)
  }
}
