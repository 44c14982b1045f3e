@_spi(Host) package import AppCore
@_spi(Host) package import Navigation
package import Support

/// Restores states by calling the features of an app: saved ones, and those of a running app whose
/// manifest is replaced.
///
/// A running instance whose plugin is unchanged keeps its state; that of another build is converted
/// by its new feature. All others are decoded. Used on the app's store thread only.
package struct StateRestorer: SessionFeatures {
  /// A running app before its manifest is replaced, with the versions of its plugins, the names of
  /// those that stay the same, and the graph that replaces its own.
  package typealias RunningApp = (
    state: AppState, features: FeatureTable, versions: [String: String], unchanged: Set<String>,
    newGraph: Graph
  )

  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]
  private let features: FeatureTable
  private let calls: CallRecorder
  private let suspensions: Suspensions
  fileprivate let running: RunningApp?
  /// The restored and created states, by the keys of their instances.
  package private(set) var states: [Int: InstanceState] = [:]
  package private(set) var suspended: [InstanceID: SavedInstance] = [:]
  /// The running instances that continue with their effects.
  package private(set) var continuing: Set<InstanceID> = []
  /// How many running instances continue in another build of their plugin.
  package private(set) var convertedCount = 0
  /// The first running state that can't be carried over, for which the change must be rejected.
  package private(set) var rejection: Rejection?

  /// Creates a restorer for an image with this identity.
  ///
  /// `versions` are the current versions of the plugins, by their names; `running` is the app of
  /// which the image is, or `nil` if its process has ended.
  package init(
    identity: SessionIdentity, versions: [String: String], features: FeatureTable,
    calls: CallRecorder, suspensions: Suspensions = Suspensions(), from running: RunningApp? = nil
  ) {
    featureVersions = identity.featureVersions
    self.versions = versions
    self.features = features
    self.calls = calls
    self.suspensions = suspensions
    self.running = running
  }

  package mutating func restore(
    _ key: Int, _ saved: SavedInstance, node: Int
  ) -> RestoreOutcome {
    if let running, !saved.id.isUnplaced, let instance = running.state.instances[saved.id],
      let state = instance.state, let former = running.features[instance.node],
      let plugin = running.newGraph.plugin(of: node)
    {
      return carryOver(state, of: saved.id, from: former, in: running, plugin, key, node: node)
    }
    let former = saved.encodedBy ?? featureVersions[saved.node]
    guard let value = saved.state.value else { return .nowhere }
    if let state = suspensions.state(of: saved, value, encodedBy: former) {
      var kept = saved.with(state)
      kept.encodedBy = former
      suspended[saved.id] = kept
      continuing.insert(saved.id)
      return .kept
    }
    let version = former?.version ?? ""
    do {
      guard let feature = try features.needed(node) else { return .nowhere }
      let isSame = version == versions[former?.plugin ?? ""]
      let (state, isMigrated) = try calls.during(.takeOver, node: node, instance: saved.id) {
        try feature.restore(value, from: version, isSameVersion: isSame)
      }
      states[key] = state
      return isMigrated || !isSame ? .migrated(from: version) : .kept
    } catch {
      return .madeAnew(reason: "its state can't be read: \(describe(error))")
    }
  }

  private mutating func carryOver(
    _ state: InstanceState, of id: InstanceID, from former: LoadedFeature, in running: RunningApp,
    _ plugin: String, _ key: Int, node: Int
  ) -> RestoreOutcome {
    do {
      guard let feature = try features.needed(node) else { return .nowhere }
      guard !running.unchanged.contains(plugin) else {
        states[key] = state
        continuing.insert(id)
        return .kept
      }
      let (old, new) = (running.versions[plugin] ?? "", versions[plugin] ?? "")
      states[key] = try calls.during(.takeOver, node: node, instance: id) {
        try feature.takeOver(state, of: former, versions: (old, new))
      }
      convertedCount += 1
      return old == new ? .kept : .migrated(from: old)
    } catch {
      let reason = describe(error)
      rejection =
        rejection
        ?? .stateNotCarried(
          id, node: running.newGraph.nodes[node].name,
          reason: reason + (Self.remedy(error).map { "\n" + $0 } ?? ""))
      return .madeAnew(reason: reason)
    }
  }

  /// The remedy for a state that can't be decoded; `nil` for an error that the feature throws.
  private static func remedy(_ error: any Error) -> String? {
    switch error {
    case DecodingError.keyNotFound(_, let context) where context.codingPath.isEmpty:
      "let the feature's State be 'Defaulted', with a default for each property, or give the feature a "
        + "'migrate'"
    case is DecodingError: "give the feature a 'migrate' that brings the former state to this form"
    default: nil
    }
  }

  package mutating func make(_ key: Int, node: Int, arguments: Value) -> String? {
    do {
      guard let feature = try features.needed(node) else { return RestoreOutcome.unknownPlace }
      states[key] = try calls.during(.initialState, node: node, instance: nil) {
        try feature.makeState(arguments)
      }
      return nil
    } catch {
      return describe(error)
    }
  }
}

extension SessionPlan {
  /// The order in which the instances of the layout, which have these identifiers, were presented.
  package func orders(of ids: [InstanceID]) -> [InstanceID: UInt64] {
    Dictionary(zip(ids, layout.entries.map(\.order)), uniquingKeysWith: { first, _ in first })
  }

  /// The layout with the states that were restored; running instances keep their identifiers.
  package func layout(_ restored: StateRestorer) -> Layout {
    var layout = layout
    for (index, (id, key)) in zip(ids, keys).enumerated() {
      layout.entries[index].state = key.flatMap { restored.states[$0] }
      guard restored.running != nil, let id, !id.isUnplaced, layout.entries[index].origin != .made
      else { continue }
      layout.entries[index].id = id
      if restored.continuing.contains(id) { layout.entries[index].origin = .running }
    }
    return layout
  }
}

package struct Suspensions: Hashable, Sendable {
  package var plugins: [String: String] = [:]
  /// The reasons for suspended instances, as they are in the image.
  package var instances: [InstanceID: String] = [:]

  package init() {}

  /// The state to keep of an instance that is suspended; `nil` for one that is not.
  func state(
    of saved: SavedInstance, _ value: Value, encodedBy feature: SavedInstance.FeatureVersion?
  ) -> SavedInstance.State? {
    if !plugins.isEmpty, let reason = feature.flatMap({ plugins[$0.plugin] }) {
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

/// Tells from the plugins' versions and the shapes of their states whether states can be restored,
/// without running their code.
///
/// What is unknown, a trial of the plan finds out.
package struct StateCompatibility: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]
  private let hasSameState: (String) -> Bool?

  /// `hasSameState` says whether a feature's state has the shape that it had; `nil` if that is not
  /// known.
  package init(
    identity: SessionIdentity, versions: [String: String],
    hasSameState: @escaping (_ feature: String) -> Bool? = { _ in nil }
  ) {
    featureVersions = identity.featureVersions
    self.versions = versions
    self.hasSameState = hasSameState
  }

  package func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoreOutcome {
    guard let former = saved.encodedBy ?? featureVersions[saved.node] else { return .nowhere }
    let version = versions[former.plugin]
    let isSameVersion = former.version == version
    switch hasSameState(former.feature) {
    case false? where isSameVersion:
      return .unknown(
        reason: "its state has another shape under the same version, \(former.version); whether it "
          + "can be read is known only when the plugin's code is run")
    case _ where isSameVersion: return .kept
    case true?:
      // A shape does not tell all: not the size of an integer, nor what the feature's code refuses.
      return .unknown(
        reason: "its state has the same shape as in \(former.version), but whether "
          + "\(version ?? "its plugin") can read it only the feature's own coding tells")
    default:
      return .unknown(
        reason: "whether \(version ?? "its plugin") can read the state that \(former.version) has "
          + "written is known only when its code is run")
    }
  }

  package func make(_ key: Int, node: Int, arguments: Value) -> String? { nil }
}
