@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
package import Sessions
internal import Support

/// The result of reducing the actions of a recording again.
package struct ReplayOutcome: Sendable {
  /// The first step after which the app differs from the recording.
  package struct Divergence: Sendable {
    package let step: RecordedStep
    /// The differences, field by field, from the recorded values to those of now.
    package let changes: [FieldChange]
    /// Why the action could not be reduced at all; `nil` if it was.
    package let reason: String?
  }

  /// How many steps changed the same as when they were recorded.
  package var verified = 0
  /// How many steps could not be compared, such as because of a secret.
  ///
  /// After each of them, the app was restored from the recording.
  package var unverified = 0
  package var divergence: Divergence?
  /// What the recording says besides its steps, up to where the check came.
  package var facts = RecordingFacts()

  /// The fault at which reading stopped, or the first altered line; `nil` if there is neither.
  package var problem: RecordingProblem? { facts.problem ?? facts.alteration }

  package var steps: Int { verified + unverified + (divergence == nil ? 0 : 1) }
}

/// Reduces and compares the steps of a recording, in order.
final class ReplayCheck {
  private let app: LoadedApp
  private let features: FeatureTable
  private let calls: CallRecorder
  /// The build of the recorded app at the current step.
  private var header: RecordingHeader
  private let router: Router
  private let outliner = SessionRecorder()
  private var digests: [InstanceID: UInt64] = [:]
  private var state = AppState()
  /// The instances of which a secret was left out before the current step.
  private var redacted: Set<InstanceID> = []
  /// Whether the app was ever restored from the recording: new instances would otherwise get other
  /// numbers than the recorded ones.
  private var wasRestored = false

  init(
    _ app: LoadedApp, _ features: FeatureTable, _ calls: CallRecorder, _ header: RecordingHeader
  ) {
    self.app = app
    self.features = features
    self.calls = calls
    self.header = header
    router = Router(graph: app.graph, features: features, calls: calls)
  }

  private var graph: Graph { app.graph }

  func run(_ reader: RecordingReader) -> ReplayOutcome {
    var outcome = ReplayOutcome()
    while outcome.divergence == nil, let step = reader.next(), reader.facts.alteration == nil {
      if let build = step.build { header = build }
      defer { redacted = reader.moment.redacted }
      var result = Result.same
      if let former = reader.former, let loss = restore(former, nil) {
        result = .different([], reason: "the app before the step can't be restored: \(loss)")
      } else {
        result = reduce(step, reader.moment)
      }
      if case .unknown = result, let loss = restore(reader.moment, step.change) {
        result = .different([], reason: "the app after the step can't be restored: \(loss)")
      }
      switch result {
      case .same: outcome.verified += 1
      case .unknown: outcome.unverified += 1
      case .different(let changes, let reason):
        outcome.divergence = ReplayOutcome.Divergence(step: step, changes: changes, reason: reason)
      }
    }
    outcome.facts = reader.facts
    return outcome
  }

  private enum Result {
    case same
    /// The step can't be compared.
    case unknown
    case different([FieldChange], reason: String?)
  }

  private func reduce(_ step: RecordedStep, _ recorded: AppMoment) -> Result {
    guard step.skipped == 0, !step.hasSecret, !step.sharedStateChanged, let encoded = step.action,
      encoded != "report"
    else { return .unknown }
    let new = Set(
      step.change.wholeInstances.map(\.id).filter { state.instances[$0] == nil })
    let action: AppAction
    do throws(InstanceError) {
      guard let found = try self.action(encoded, step) else { return .unknown }
      action = found
    } catch {
      return .different([], reason: error.description)
    }
    if wasRestored {
      state.prepareInstances(CreationOrder(new, recorded, graph).order())
    }
    let tape = DependencyTape(playing: step.readings)
    _ = tape.during { router.reduce(into: &state, action: action) }
    return compare(step, recorded, new: new)
  }

  /// The action of a step; `nil` if it can't be created from the recording.
  private func action(_ encoded: Value, _ step: RecordedStep) throws(InstanceError) -> AppAction? {
    guard let id = step.instance else {
      switch encoded {
      case "begin": return .navigate(.begin)
      case "back": return .navigate(.back)
      case "dismiss": return .navigate(.dismiss)
      case "end": return .end
      default: break
      }
      if case .string(let name)? = encoded["select"] {
        guard let node = graph.index(of: name) else {
          throw InstanceError("the manifest has no node '\(name)'")
        }
        return .navigate(.select(node: node))
      }
      for word in ["open", "openWaiting"] {
        guard case .string(let address)? = encoded[word] else { continue }
        do throws(Rejection) {
          let plan = try graph.plan(address) { try? Value(json: $0) }
          return .navigate(word == "open" ? .open(plan) : .openWaiting(plan))
        } catch {
          throw InstanceError(error.message)
        }
      }
      return nil
    }
    // Neither the instance nor its node exists any more.
    guard let node = state.node(of: id) ?? step.node.flatMap({ graph.index(of: $0) }) else {
      return nil
    }
    do {
      guard let feature = try features.needed(node) else { return nil }
      if let action = try? feature.action(encoded) { return .instance(id, action) }
      // A form binds properties, so that actions can name them, when it is shown, and here nothing is.
      if let own = state.instances[id]?.state {
        _ = calls.during(.screen, node: node, instance: id) { feature.screen(own) }
      }
      return try feature.action(encoded).map { .instance(id, $0) }
    } catch {
      throw InstanceError("the action does not fit '\(graph.nodes[node].name)': \(error)")
    }
  }

  /// Compares the app after a step with the recorded one.
  ///
  /// `recorded` is the recorded app after the step, and `new` are the instances that it created.
  private func compare(
    _ step: RecordedStep, _ recorded: AppMoment, new: Set<InstanceID>
  ) -> Result {
    let (digest, changed) = digest()
    guard digest != step.digest else { return .same }
    // With instances that only the recorded step changed, which are as they were before the step.
    let ids = changed.union(step.change.ids)
    var now = recorded
    // One that was recorded as suspended would stay as it was recorded.
    for id in ids { now.instances[id] = nil }
    now.encode(
      ids, of: state, in: graph, features: features, calls: calls, placeholder: SecretTexts.mark)
    for id in ids { now.instances[id] = now.instances[id]?.withoutSecrets }
    now.waitingLink = state.waitingLink?.address
    let changes = recorded.changes(to: now, of: ids)
    // The recording contains no secrets, so what depends on one can't be compared.
    let involved = ids.union(step.instance.map { [$0] } ?? [])
    if recorded.waitingLink == SecretTexts.mark
      || involved.contains(where: { dependsOnSecret($0, recorded) })
    {
      return .unknown
    }
    // An initial state may depend on something outside, such as a file.
    let areBeginnings = changes.allSatisfy { change in
      !change.path.isEmpty && !change.path.hasPrefix("(")
        && change.instance.map(new.contains) == true
    }
    return areBeginnings && !changes.isEmpty ? .unknown : .different(changes, reason: nil)
  }

  /// The digest of the changes since the last call, with the changed and removed instances.
  private func digest() -> (digest: UInt64, ids: Set<InstanceID>) {
    let change = outliner.outline(state, of: graph).state
    var changed: [UInt64] = []
    var ids = Set(change.removed)
    for id in change.removed { digests[id] = nil }
    for outline in change.wholeInstances.sorted(by: { $0.id < $1.id }) {
      let digest = StateDigest.digest(
        outline.withoutRedaction(outline.redaction?.arguments), shown: shown(outline.id))
      // A reducer may write a state without changing it.
      guard digests.updateValue(digest, forKey: outline.id) != digest else { continue }
      changed.append(digest)
      ids.insert(outline.id)
    }
    let digest = StateDigest.digest(
      changed: changed, removed: change.removed, waitingLink: state.waitingLink?.address)
    return (digest, ids)
  }

  /// The state of an instance as it is shown to people; `nil` if it has none or can't be encoded.
  private func shown(_ id: InstanceID) -> Value? {
    guard let (_, instance, own, feature) = state.feature(of: id, features) else { return nil }
    let shown = calls.during(.encode, node: instance.node, instance: id) {
      try? feature.dump(own)
    }
    return shown.flatMap { $0.isShallower() ? $0 : nil }
  }

  /// Whether an instance may depend on a secret, which is not in the recording.
  private func dependsOnSecret(_ id: InstanceID, _ recorded: AppMoment) -> Bool {
    if redacted.contains(id) || recorded.redacted.contains(id) { return true }
    if case .notEncodable? = recorded.instances[id]?.state { return true }
    let plugin = state.instances[id].flatMap {
      features[$0.node]?.info.name.prefix { $0 != "." }
    }
    return plugin.map { header.secretPlugins.contains(String($0)) } ?? false
  }

  /// Restores the app from the recording; returns why not all of it can be restored.
  ///
  /// `change` leads to the recorded app, if that is known.
  private func restore(_ moment: AppMoment, _ change: StateChange?) -> String? {
    defer { _ = digest() }
    if let change, restoreStates(change, moment) { return nil }
    wasRestored = true
    let (plan, live): (SessionPlan, StateRestorer)
    do throws(SessionPlan.StartFailure) {
      let image = SessionImage(identity: header.identity, moment)
      (plan, live) = try app.plan(image, features, calls)
    } catch {
      return error.reason
    }
    var layout = plan.layout(live)
    for (index, id) in plan.ids.enumerated() { layout.entries[index].id = id }
    let waitingLink = moment.waitingLink.flatMap { link in
      try? graph.plan(link) { try? Value(json: $0) }
    }
    var ids: [InstanceID] = []
    state = AppState(
      showing: layout, waitingLink: waitingLink, in: graph, features: features, calls: calls,
      ids: &ids)
    // A state without its secrets, or that was not encoded, is not expected to fit.
    return plan.losses { id in
      guard !moment.redacted.contains(id), let instance = moment.instances[id] else { return false }
      if case .notEncodable = instance.state { return false }
      return true
    }
  }

  /// Restores only the changed states; returns `false` if something else has changed.
  private func restoreStates(_ change: StateChange, _ moment: AppMoment) -> Bool {
    guard change.removed.isEmpty, change.waitingLink == nil else { return false }
    for change in change.instances {
      guard case .state(let id, _) = change, let value = moment.instances[id]?.state.value,
        let feature = state.instances[id].flatMap({ features[$0.node] }),
        let own = try? feature.decode(value)
      else { return false }
      state.setState(own, of: id)
    }
    return true
  }
}

/// The order in which a step created its new instances, as far as their places show it.
///
/// A container comes with the root of its first tab and with its background instances. Whatever is
/// above or over one of these was created later.
private struct CreationOrder {
  private let moment: AppMoment
  private let graph: Graph
  /// The instances that came with a container, with their ranks among these.
  private var parts: [InstanceID: [(rank: Int, id: InstanceID)]] = [:]
  /// The other new instances, by the new instance that they are above, over or in a tab of;
  /// `nil` stands for an instance that is not new.
  private var later: [InstanceID?: [InstanceID]] = [:]

  /// Creates the order of the instances that are new in an app after a step.
  init(_ new: Set<InstanceID>, _ moment: AppMoment, _ graph: Graph) {
    (self.moment, self.graph) = (moment, graph)
    for id in new.sorted() {
      guard let instance = moment.instances[id] else { continue }
      let (parent, rank) = place(of: instance)
      if let parent, let rank, new.contains(parent) {
        parts[parent, default: []].append((rank, id))
      } else {
        later[parent.flatMap { new.contains($0) ? $0 : nil }, default: []].append(id)
      }
    }
  }

  /// The parent of an instance, and its rank among the instances that come with the parent; `nil` if
  /// it came later.
  private func place(of instance: SavedInstance) -> (parent: InstanceID?, rank: Int?) {
    func node(_ id: InstanceID) -> Node? {
      moment.instances[id].flatMap { graph.index(of: $0.node) }.map { graph.nodes[$0] }
    }
    switch instance.place {
    case .above(let below): return (below, nil)
    case .layer(let over): return (over, nil)
    case .tab(let container, let tab):
      guard case .tabs(let targets)? = node(container)?.content, let first = targets.first,
        graph.nodes[first.node].name == tab
      else { return (container, nil) }
      return (container, 0)
    case .background(let container):
      let rank = container.flatMap(node)?.background
        .firstIndex { graph.nodes[$0.node].name == instance.node }
      return (container, rank.map { $0 + 1 })
    }
  }

  func order() -> [InstanceID] {
    var order: [InstanceID] = []
    var waiting = Array((later[nil] ?? []).reversed())
    // Not by recursion: instances may be stacked 100,000 deep.
    while let id = waiting.popLast() {
      let start = order.count
      addWithParts(id, to: &order)
      for part in order[start...].reversed() { waiting += (later[part] ?? []).reversed() }
    }
    return order
  }

  private func addWithParts(_ id: InstanceID, to order: inout [InstanceID]) {
    order.append(id)
    for part in (parts[id] ?? []).sorted(by: { ($0.rank, $0.id) < ($1.rank, $1.id) }) {
      addWithParts(part.id, to: &order)
    }
  }
}
