@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation

/// Computes the digests of steps, to compare them with those of a recording.
///
/// Features encode their states here, so it is used on the store's thread.
package final class StepDigester {
  private let calls: CallRecorder
  private let outliner = SessionRecorder()
  /// The last digest of each instance.
  private var known: [InstanceID: UInt64] = [:]

  package init(calls: CallRecorder) { self.calls = calls }

  /// The digest of the changes since the last call, with the changed and removed instances.
  package func digest(
    of state: AppState, in graph: Graph, features: FeatureTable
  ) -> (digest: UInt64, changed: [SavedInstance], removed: [InstanceID]) {
    let change = outliner.outline(state, of: graph).state
    var digests: [UInt64] = []
    var present: [SavedInstance] = []
    for id in change.removed { known[id] = nil }
    for outline in change.wholeInstances.sorted(by: { $0.id < $1.id }) {
      let digest = StateDigest.digest(
        outline.withoutRedaction(outline.redaction?.arguments),
        shown: shown(outline.id, state, features))
      // A reducer may write a state without changing it.
      guard known.updateValue(digest, forKey: outline.id) != digest else { continue }
      digests.append(digest)
      present.append(outline)
    }
    let digest = StateDigest.digest(
      changed: digests, removed: change.removed, waitingLink: state.waitingLink?.address)
    return (digest, present, change.removed)
  }

  /// The state of an instance as it is shown to people; `nil` if it has none or can't be encoded.
  private func shown(_ id: InstanceID, _ state: AppState, _ features: FeatureTable) -> Value? {
    guard let instance = state.instances[id], let own = instance.state,
      let feature = features[instance.node]
    else { return nil }
    let shown = calls.during(.encode, node: instance.node, instance: id) {
      try? feature.dump(own)
    }
    return shown.flatMap { $0.isShallower() ? $0 : nil }
  }

  /// An instance with its state, both without secrets, as a recording contains it.
  package func redacted(
    _ outline: SavedInstance, in state: AppState, features: FeatureTable
  ) -> SavedInstance {
    let plain = outline.withoutRedaction(outline.redaction?.arguments)
    guard let instance = state.instances[outline.id], instance.state != nil,
      let feature = features[instance.node]
    else { return plain }
    return plain.with(
      EncodedState(of: outline.id, instance, by: feature, calls)
        .open(placeholder: SecretTexts.mark))
  }
}
