@_spi(Host) package import AppCore
@_spi(Host) package import Navigation

/// The features of a running app, asked what becomes of states that were saved.
///
/// Used on the app's store thread only.
package struct LiveFeatures: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]
  private let features: FeatureTable
  private let calls: CallRecorder
  private let suspensions: Suspensions
  /// The states that were had, by the key of their instance.
  package private(set) var states: [Int: InstanceState] = [:]
  /// The instances whose features are not called, by their numbers in the image, and what is kept of
  /// them.
  package private(set) var suspended: [UInt64: SavedInstance] = [:]

  /// - Parameters:
  ///   - identity: the app that was running.
  ///   - versions: the version of each plugin now, by its name.
  ///   - features: the app's features.
  ///   - calls: where what they do is noted.
  ///   - suspensions: the instances that come back without their feature being called.
  package init(
    identity: SessionIdentity, versions: [String: String], features: FeatureTable,
    calls: CallRecorder, suspensions: Suspensions = Suspensions()
  ) {
    featureVersions = identity.featureVersions
    self.versions = versions
    self.features = features
    self.calls = calls
    self.suspensions = suspensions
  }

  package mutating func restore(
    _ key: Int, _ saved: SavedInstance, node: Int
  ) -> RestoredState {
    let former = saved.encodedBy ?? featureVersions[saved.node]
    let plugin = former?.plugin ?? ""
    let value: Value
    switch saved.state {
    case .value(let own), .suspended(let own, _, _): value = own
    case .container, .notCoded: return .failed(reason: Reason.nowhere)
    }
    if let state = suspensions.state(of: saved, value, plugin: plugin) {
      var kept = saved.with(state)
      kept.encodedBy = former
      suspended[saved.id] = kept
      return .kept
    }
    let version = former?.version ?? ""
    do {
      guard let feature = try features.needed(node) else {
        return .failed(reason: Reason.nowhere)
      }
      let isSame = version == versions[plugin]
      let (state, isMigrated) = try calls.during(
        .takeOver, node: node, instance: InstanceID(number: saved.id)
      ) {
        try feature.restore(value, from: version, isSameVersion: isSame)
      }
      states[key] = state
      return isMigrated || !isSame ? .migrated(from: version) : .kept
    } catch {
      return .failed(reason: "its state can't be read: \(SessionPlan.words(error))")
    }
  }

  package mutating func make(_ key: Int, node: Int, arguments: Value) -> String? {
    do {
      guard let feature = try features.needed(node) else { return Reason.nowhere }
      states[key] = try calls.during(.initialState, node: node, instance: nil) {
        try feature.makeState(arguments)
      }
      return nil
    } catch {
      return SessionPlan.words(error)
    }
  }
}

extension SessionPlan {
  /// When each instance was presented, compared with others.
  ///
  /// - Parameter ids: what the instances of the layout are called, in its order.
  /// - Returns: the greater, the later; by instance.
  package func orders(of ids: [InstanceID]) -> [InstanceID: UInt64] {
    Dictionary(zip(ids, layout.entries.map(\.order)), uniquingKeysWith: { first, _ in first })
  }

  /// The layout with the states that were had.
  package func layout(_ states: [Int: InstanceState]) -> Layout {
    var layout = layout
    for (index, key) in keys.enumerated() {
      layout.entries[index].state = key.flatMap { states[$0] }
    }
    return layout
  }
}

/// The instances whose features are not called, because they have crashed again and again.
package struct Suspensions: Hashable, Sendable {
  /// Plugins that are not called at all, with the reason.
  package var plugins: [String: String] = [:]
  /// Instances, by their numbers in the image, with the reason.
  package var instances: [UInt64: String] = [:]

  package init() {}

  /// What is kept of an instance that is suspended; `nil` for one that continues.
  func state(
    of saved: SavedInstance, _ value: Value, plugin: String
  ) -> SavedInstance.State? {
    if let reason = plugins[plugin] {
      return .suspended(value, reason: reason, isPlugins: true)
    }
    if let reason = instances[saved.id] {
      return .suspended(value, reason: reason, isPlugins: false)
    }
    // It was suspended before; one of a plugin that was corrected continues.
    if case .suspended(_, _, isPlugins: false) = saved.state { return saved.state }
    return nil
  }
}
