@_spi(Host) internal import AppCore
internal import CrashReporting
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions

// An app that goes on where another process has ended.
extension App {
  /// Whether the app goes on where another process has ended.
  package var goesOn: Bool { outliving?.image != nil }

  /// Writes what has changed since the last time, before a screen is shown; nothing where the app has
  /// no session.
  ///
  /// - Complexity: O(n / 64) in how many instances there are, and that of coding those that changed.
  package func saveSession() {
    recorder?.record(
      state, of: graph, identity, features: features, calls: calls,
      saved: { suspended[$0] })
  }

  /// Shows the instances of an image, as far as the manifest and the plugins still have them.
  func resume(_ image: SessionImage, _ policy: RestartPolicy) throws(AppLoadError) {
    var live = LiveFeatures(
      identity: image.identity,
      versions: Dictionary(
        current.plugins.map { ($0.name, $0.member.info.version) },
        uniquingKeysWith: { first, _ in first }),
      features: features, calls: calls, suspensions: policy.suspensions)
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
      formerIDs[former] = id
      if let kept = live.suspended[former] { suspended[id] = kept }
    }
    outliving?.note(plan)
    keepLeftOver(plan, of: image)
    if let link = image.waitingLink { open(link) }
  }

  /// Keeps what has no place in the app as it is now, so that it comes back when it has one again.
  private func keepLeftOver(_ plan: SessionPlan, of image: SessionImage) {
    let leftOver = LeftOver(plan, of: image, formerIDs.mapValues(\.number))
    leftOverIdentity = leftOver.identity
    recorder = outliving.map { session in
      SessionRecorder(leftOver: leftOver.instances) { session.write($0) }
    }
  }

  /// How the app goes on after the crashes that there were.
  static func policy(after ends: [WorkerEnd], _ app: LoadedApp) -> RestartPolicy {
    RestartPolicy(
      after: ends,
      digests: Dictionary(
        app.plugins.map { ($0.name, $0.member.digest ?? "") },
        uniquingKeysWith: { first, _ in first }))
  }

  /// What images say of the app.
  var identity: SessionIdentity {
    SessionIdentity(
      app: graph.name, manifest: current.path,
      plugins: current.plugins.map {
        SessionIdentity.Plugin(
          name: $0.name, version: $0.member.info.version, digest: $0.member.digest ?? "")
      },
      nodes: graph.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) }
    ).adding(leftOverIdentity)
  }
}
