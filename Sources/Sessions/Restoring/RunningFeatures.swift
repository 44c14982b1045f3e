@_spi(Host) package import AppCore
@_spi(Host) package import Navigation
package import Support

/// Carries the states of a running app over to a changed manifest, or to another build of a plugin.
///
/// An instance whose plugin is unchanged keeps its state; that of another build is converted by its
/// new feature; a left-over one is decoded as after a restart. Used on the app's store thread only.
package struct RunningFeatures: SessionFeatures {
  /// A running app before and after a change of its manifest.
  package struct Transition {
    let state: AppState
    let former: FeatureTable
    let features: FeatureTable
    /// The names of the unchanged plugins.
    let kept: Set<String>
    /// The versions of the plugins before the change, by their names.
    let formerVersions: [String: String]

    /// - Parameters:
    ///   - state: the app's state.
    ///   - former: its features before the change.
    ///   - features: its features after the change.
    ///   - kept: the names of the unchanged plugins.
    ///   - formerVersions: the versions of the plugins before the change, by their names.
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
  /// Restores the states of left-over and suspended instances.
  package private(set) var saved: StateRestorer
  /// The states of the other instances, by their keys.
  private var own: [Int: InstanceState] = [:]
  /// The instances that continue with their effects, by their numbers.
  package private(set) var running: Set<UInt64> = []
  /// How many instances continue in another build of their plugin.
  package private(set) var convertedCount = 0
  /// The first state that can't be carried over, for which the change must be rejected.
  package private(set) var rejection: Rejection?

  /// - Parameters:
  ///   - transition: the app before and after the change.
  ///   - graph: the new graph.
  ///   - identity: the identity of the running app.
  ///   - versions: the versions of the plugins after the change, by their names.
  ///   - calls: records the calls of features.
  ///   - suspensions: the plugins whose features must not be called.
  package init(
    _ transition: Transition, graph: Graph, identity: SessionIdentity, versions: [String: String],
    calls: CallRecorder, suspensions: Suspensions
  ) {
    self.transition = transition
    self.graph = graph
    self.versions = versions
    self.calls = calls
    saved = StateRestorer(
      identity: identity, versions: versions, features: transition.features, calls: calls,
      suspensions: suspensions)
  }

  /// All states, by the keys of their instances.
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
      convertedCount += 1
      return old == new ? .kept : .migrated(from: old)
    } catch {
      let reason = SessionPlan.words(error)
      rejection =
        rejection
        ?? .stateNotCarried(
          id, node: graph.nodes[node].name,
          reason: reason + (Self.remedy(error).map { "\n" + $0 } ?? ""))
      return .failed(reason: reason)
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
    saved.make(key, node: node, arguments: arguments)
  }
}

extension SessionPlan {
  /// The layout of a running app, whose live instances keep their identifiers.
  ///
  /// - Parameters:
  ///   - states: the states, by the keys of their instances.
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
