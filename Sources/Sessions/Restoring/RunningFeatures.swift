@_spi(Host) package import AppCore
package import Diagnostics
@_spi(Host) package import Navigation

/// The features of a running app, asked what becomes of its instances under another graph.
///
/// An instance whose feature stays continues as it is; one of another build is taken over by it, and one
/// that was left over is read as after a restart. Used on the app's store thread only.
package struct RunningFeatures: SessionFeatures {
  /// What an app is before and after.
  package struct Transition {
    let state: AppState
    let former: FeatureTable
    let features: FeatureTable
    /// The names of the plugins whose features stay.
    let kept: Set<String>
    /// The version of each plugin before, by its name.
    let formerVersions: [String: String]

    /// - Parameters:
    ///   - state: the app's state.
    ///   - former: the features that it has.
    ///   - features: the features that it is to have.
    ///   - kept: the names of the plugins whose features stay.
    ///   - formerVersions: the version of each plugin before, by its name.
    package init(
      of state: AppState, from former: FeatureTable, to features: FeatureTable, kept: Set<String>,
      formerVersions: [String: String]
    ) {
      self.state = state
      self.former = former
      self.features = features
      self.kept = kept
      self.formerVersions = formerVersions
    }
  }

  private let transition: Transition
  private let graph: Graph
  private let versions: [String: String]
  private let calls: CallRecorder
  /// What reads states that are written down.
  package private(set) var saved: LiveFeatures
  private var own: [Int: InstanceState] = [:]
  /// The instances that continue with their effects, by their numbers.
  package private(set) var running: Set<UInt64> = []
  /// Why nothing may be changed: a state that can't be carried over.
  package private(set) var rejection: Rejection?

  /// - Parameters:
  ///   - transition: what the app is before and after.
  ///   - graph: the graph that it is to have.
  ///   - identity: the app that runs, with what of it was left over.
  ///   - versions: the version of each plugin now, by its name.
  ///   - calls: where what they do is noted.
  ///   - suspensions: the plugins that are not called.
  package init(
    _ transition: Transition, graph: Graph, identity: SessionIdentity, versions: [String: String],
    calls: CallRecorder, suspensions: Suspensions
  ) {
    self.transition = transition
    self.graph = graph
    self.versions = versions
    self.calls = calls
    saved = LiveFeatures(
      identity: identity, versions: versions, features: transition.features, calls: calls,
      suspensions: suspensions)
  }

  /// The states that were had, by the key of their instance.
  package var states: [Int: InstanceState] { own.merging(saved.states) { first, _ in first } }

  package mutating func restore(
    _ key: Int, _ saved: SavedInstance, node: Int
  ) -> RestoredState {
    let id = InstanceID(number: saved.id)
    guard !saved.isLeftOver, let instance = transition.state.instances[id],
      let state = instance.state, let former = transition.former[instance.node],
      let plugin = graph.plugin(of: node)
    else {
      let restored = self.saved.restore(key, saved, node: node)
      if self.saved.suspended[saved.id] != nil { running.insert(saved.id) }
      return restored
    }
    do {
      guard let feature = try transition.features.needed(node) else {
        return .failed(reason: Reason.nowhere)
      }
      guard !transition.kept.contains(plugin) else {
        own[key] = state
        running.insert(saved.id)
        return .kept
      }
      let (old, new) = (transition.formerVersions[plugin] ?? "", versions[plugin] ?? "")
      own[key] = try calls.during(.takeOver, node: node, instance: id) {
        try feature.takeOver(state, of: former, versions: (old, new))
      }
      return old == new ? .kept : .migrated(from: old)
    } catch {
      let reason = SessionPlan.words(error)
      rejection =
        rejection ?? .stateNotCarried(id, node: graph.nodes[node].name, reason: reason)
      return .failed(reason: reason)
    }
  }

  package mutating func make(_ key: Int, node: Int, arguments: Value) -> String? {
    saved.make(key, node: node, arguments: arguments)
  }
}

extension SessionPlan {
  /// The layout of an app that runs, with the states that were had.
  ///
  /// - Parameters:
  ///   - states: the states, by the key of their instance.
  ///   - running: the instances that continue with their effects, by their numbers.
  /// - Returns: the layout.
  package func layout(
    _ states: [Int: InstanceState], running: Set<UInt64>
  ) -> Layout {
    var layout = layout(states)
    for (index, former) in ids.enumerated() {
      guard let former, former < LeftOver.firstNumber, layout.entries[index].origin != .made else {
        continue
      }
      layout.entries[index].id = InstanceID(number: former)
      if running.contains(former) { layout.entries[index].origin = .running }
    }
    return layout
  }
}
