@_spi(Host) internal import AppCore
@_spi(Host) package import Navigation

/// Computes the digests of steps, to compare them with those of a recording.
///
/// Features encode their states here, so it is used on the store's thread.
package final class StepDigester {
  private let calls: CallRecorder
  private var changed = ImageChange()
  private lazy var outliner = SessionRecorder { [unowned self] in changed = $0 }
  /// The last digest of each instance.
  private var known: [UInt64: UInt64] = [:]
  private let noFeatures = FeatureTable([])
  private let noIdentity = SessionIdentity(app: "", manifest: "", plugins: [], nodes: [])

  package init(calls: CallRecorder) { self.calls = calls }

  /// The digest of the changes since the last call, with the changed and removed instances.
  package func digest(
    of state: AppState, in graph: Graph, features: FeatureTable
  ) -> (digest: UInt64, changed: [SavedInstance], removed: [UInt64]) {
    changed = ImageChange()
    outliner.record(state, of: graph, noIdentity, features: noFeatures, calls: calls)
    var digests: [UInt64] = []
    var present: [SavedInstance] = []
    if changed.instances.count > 1 { changed.instances.sort { $0.id < $1.id } }
    for id in changed.removed { known[id] = nil }
    for outline in changed.instances {
      let digest = StateDigest.digest(
        outline.withoutRedaction(outline.redaction?.arguments),
        shown: shown(outline.id, state, features))
      // A reducer may write a state without changing it.
      guard known.updateValue(digest, forKey: outline.id) != digest else { continue }
      digests.append(digest)
      present.append(outline)
    }
    let digest = StateDigest.digest(
      changed: digests, removed: changed.removed, waitingLink: state.waitingLink?.address)
    return (digest, present, changed.removed)
  }

  /// The state of an instance as it is shown to people; `nil` if it has none or can't be encoded.
  private func shown(_ number: UInt64, _ state: AppState, _ features: FeatureTable) -> Value? {
    let id = InstanceID(number: number)
    guard let instance = state.instances[id], let own = instance.state,
      let feature = features[instance.node]
    else { return nil }
    let shown = calls.during(.encode, node: instance.node, instance: id) {
      try? feature.dump(own)
    }
    return shown.flatMap { $0.isRecordable ? $0 : nil }
  }

  /// An instance with its state, both without secrets, as a recording contains it.
  package func redacted(
    _ outline: SavedInstance, in state: AppState, features: FeatureTable
  ) -> SavedInstance {
    let id = InstanceID(number: outline.id)
    let plain = outline.withoutRedaction(outline.redaction?.arguments)
    guard let instance = state.instances[id], let own = instance.state,
      let feature = features[instance.node]
    else { return plain }
    let encoded = calls.during(.encode, node: instance.node, instance: id) {
      Result { (try feature.encode(own), try feature.dump(own)) }
    }
    switch encoded {
    case .success((let value, let shown)):
      guard
        let redacted = value == shown
          ? value : value.withoutSecrets(shownAs: shown, placeholder: SecretTexts.mark)
      else {
        return plain.with(.notEncodable(reason: "its secrets can't be told from the rest"))
      }
      return plain.with(.value(redacted))
    case .failure(let error):
      return plain.with(.notEncodable(reason: SessionPlan.words(error)))
    }
  }
}
