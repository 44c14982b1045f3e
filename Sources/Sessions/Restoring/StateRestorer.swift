@_spi(Host) package import AppCore
@_spi(Host) package import Navigation

/// Restores saved states by calling the features of a running app.
///
/// Used on the app's store thread only.
package struct StateRestorer: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]
  private let features: FeatureTable
  private let calls: CallRecorder
  private let suspensions: Suspensions
  /// The restored and created states, by the keys of their instances.
  package private(set) var states: [Int: InstanceState] = [:]
  /// The suspended instances, by their numbers in the image.
  package private(set) var suspended: [UInt64: SavedInstance] = [:]

  /// - Parameters:
  ///   - identity: the identity in the image.
  ///   - versions: the current versions of the plugins, by their names.
  ///   - features: the app's features.
  ///   - calls: records the calls of features.
  ///   - suspensions: the plugins and instances whose features must not be called.
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
    case .container, .notEncodable: return .failed(reason: Reason.nowhere)
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
  /// The order in which the instances of the layout were presented.
  ///
  /// - Parameter ids: the identifiers of the instances, in the order of the layout.
  /// - Returns: a number for each instance, greater for those that were presented later.
  package func orders(of ids: [InstanceID]) -> [InstanceID: UInt64] {
    Dictionary(zip(ids, layout.entries.map(\.order)), uniquingKeysWith: { first, _ in first })
  }

  /// The layout with the states of its instances.
  ///
  /// - Parameter states: the states, by the keys of their instances.
  /// - Returns: the layout.
  package func layout(_ states: [Int: InstanceState]) -> Layout {
    var layout = layout
    for (index, key) in keys.enumerated() {
      layout.entries[index].state = key.flatMap { states[$0] }
    }
    return layout
  }
}

/// The plugins and instances that are suspended because they have crashed repeatedly.
package struct Suspensions: Hashable, Sendable {
  /// The reasons for suspended plugins, by their names.
  package var plugins: [String: String] = [:]
  /// The reasons for suspended instances, by their numbers in the image.
  package var instances: [UInt64: String] = [:]

  package init() {}

  /// The state to keep of an instance that is suspended; `nil` for one that is not.
  func state(
    of saved: SavedInstance, _ value: Value, plugin: String
  ) -> SavedInstance.State? {
    if let reason = plugins[plugin] {
      return .suspended(value, reason: reason, isWholePlugin: true)
    }
    if let reason = instances[saved.id] {
      return .suspended(value, reason: reason, isWholePlugin: false)
    }
    // An instance that was suspended on its own stays so; one suspended with its plugin continues.
    if case .suspended(_, _, isWholePlugin: false) = saved.state { return saved.state }
    return nil
  }
}
