@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Supervision
internal import Support

// Saving an app's session, and restoring it in another process.
extension App {
  /// Whether the app was restored from the image of a previous process.
  package var wasRestored: Bool { appSession?.image != nil }

  /// Writes what has changed since the last call to the session, if there is one.
  ///
  /// It is called before each screen is shown, so that whatever was seen is saved.
  ///
  /// - Complexity: O(*n*/64), where *n* is the number of instances, plus encoding the changed ones.
  package func saveSession() {
    recorder?.record(
      state, of: graph, identity, features: features, calls: calls,
      saved: { suspended[$0] })
    appSession?.wait()
  }

  /// Restores the instances of an image, as far as the manifest and the plugins still allow it.
  func resume(_ image: SessionImage, _ policy: RestartPolicy) throws(AppLoadError) {
    var live = StateRestorer(
      identity: image.identity,
      versions: current.versions, features: features, calls: calls, suspensions: policy.suspensions)
    let plan: SessionPlan
    do {
      plan = try SessionPlan.make(of: image, in: graph, &live)
    } catch {
      throw .start(reason: error.reason)
    }
    let restoration = Restoration(plan.layout(live.states))
    store?.send(.restore(restoration))
    for (former, id) in zip(plan.ids, restoration.ids) {
      guard let former else { continue }
      restoredIDs[former] = id
      if let kept = live.suspended[former] { suspended[id] = kept }
    }
    appSession?.note(plan)
    leftOver = LeftOver.instances(plan, of: image, restoredIDs.mapValues(\.number))
    recorder = appSession.map { session in
      SessionRecorder(leftOver: leftOver, orders: plan.orders(of: restoration.ids)) {
        session.write($0)
      }
    }
    if let link = image.waitingLink { open(link) }
  }

  /// The policy for restarting an app after its previous crashes.
  static func policy(after ends: [WorkerCrash], _ app: LoadedApp) -> RestartPolicy {
    RestartPolicy(
      after: ends,
      digests: Dictionary(
        app.plugins.map { ($0.name, $0.member.digest ?? "") },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The identity of the app for its image.
  var identity: SessionIdentity {
    let present = graph.presentNodes
    let all = Self.identity(of: current)
    return SessionIdentity(
      app: all.app, manifest: all.manifest, plugins: all.plugins,
      nodes: present.map { all.nodes[$0] })
  }

  /// The identity of an app with all of its nodes, by their indexes; unused ones are included.
  static func identity(of app: LoadedApp) -> SessionIdentity {
    SessionIdentity(
      app: app.graph.name, manifest: FilePath.absolute(app.path),
      plugins: app.plugins.map {
        SessionIdentity.Plugin(
          name: $0.name, version: $0.member.info.version, digest: $0.member.digest ?? "")
      },
      nodes: app.graph.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) })
  }

  /// Names another app in reports of crashes, here and in the supervisor.
  func identify(as loaded: LoadedApp) {
    nameNodes(of: loaded.graph)
    appSession?.note(Self.identity(of: loaded))
  }

  /// The running app as an image with placeholders for the states.
  func outline() -> SessionImage {
    var image = SessionImage(identity: identity)
    image.instances = SessionRecorder.outline(
      of: state, in: graph, orders: recorder?.orders ?? [:]
    ) { suspended[$0] }
    for instance in leftOver { image.instances[instance.id] = instance }
    return image
  }

  /// Replaces everything by what was planned.
  func replace(
    by loaded: LoadedApp, _ factory: FeatureFactory, _ plan: SessionPlan, of image: SessionImage,
    _ states: RunningFeatures, _ replacement: ManifestReplacement,
    _ store: Store<AppState, AppAction>
  ) {
    var image = image
    SessionRecorder.complete(
      &image.instances, plan.dropped, of: state, in: graph, features: features, calls: calls)
    (current, self.factory) = (loaded, factory)
    store.send(.adopt(replacement))
    var ids: [UInt64: InstanceID] = [:]
    for (former, id) in zip(plan.ids, replacement.ids) { if let former { ids[former] = id } }
    suspended = [:]
    for (former, kept) in states.saved.suspended {
      if let id = ids[former] { suspended[id] = kept }
    }
    shownData = shownData.filter { suspended[$0.key] != nil }
    leftOver = LeftOver.instances(plan, of: image, ids.mapValues(\.number))
    recorder?.forgetAll(leftOver: leftOver, orders: plan.orders(of: replacement.ids))
  }
}
