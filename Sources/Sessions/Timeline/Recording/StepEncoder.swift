@_spi(Host) package import AppCore
@_spi(Host) package import Navigation

/// Encodes the steps of an app in order, with and without their secrets.
///
/// Features encode their states here, so it is used on one thread, whose calls are recorded.
package final class StepEncoder {
  private struct Known {
    let whole: SavedInstance
    /// The instance without secrets; `nil` if it contains none.
    let redacted: SavedInstance?
    /// Whether the state contains neither secrets nor shared values.
    var isPlain = true
    var digest: UInt64 = 0
  }

  private static let textLimit = 400

  private let calls: CallRecorder
  /// The secrets used so far, which are redacted in everything that is written to a file.
  private let secrets: SecretTexts
  private var known: [InstanceID: Known] = [:]
  private var waitingLink: String?
  /// The waiting link for a file: a placeholder if it contains a secret.
  private var redactedWaitingLink: String?
  private let outliner = SessionRecorder()
  private var nodeCount: Int?
  package private(set) var stepNumber: Int
  /// The sizes of the states that the last step changed, in bytes, as estimates.
  package private(set) var sizes: [InstanceID: Int] = [:]

  /// Creates an encoder of the steps after one; `secrets` receives those in the steps.
  package init(after stepNumber: Int = 0, calls: CallRecorder, secrets: SecretTexts) {
    self.secrets = secrets
    self.stepNumber = stepNumber
    self.calls = calls
  }

  /// A keyframe with the app after the last step.
  package var keyframe: StepHistory.Line {
    var (whole, redacted) = (AppMoment(), AppMoment())
    whole.instances = known.mapValues(\.whole)
    whole.waitingLink = waitingLink
    redacted.instances = known.mapValues { $0.redacted ?? $0.whole }
    redacted.waitingLink = redactedWaitingLink
    redacted.redacted = Set(known.filter { $0.value.redacted != nil }.keys)
    return StepHistory.Line(
      .keyframe(step: stepNumber, whole),
      redacted: redacted == whole ? nil : .keyframe(step: stepNumber, redacted))
  }

  /// Encodes the next step, with its secrets and, for a file, without them.
  package func encode(_ captured: CapturedStep) -> (step: RecordedStep, redacted: RecordedStep) {
    // A changed manifest has added nodes: encode every instance again.
    let isNewGraph = nodeCount.map { $0 != captured.graph.nodes.count } ?? false
    if isNewGraph { outliner.forgetAll(unplaced: [], orders: outliner.orders) }
    nodeCount = captured.graph.nodes.count
    let changed = outliner.outline(
      captured.state, of: captured.graph, saved: { captured.suspended[$0] }
    ).state
    stepNumber += 1
    var step = captured.step
    step.number = stepNumber
    step.describe(captured.action, in: captured.graph, secrets)
    if let given = captured.secrets?() { secrets.add(given: given) }
    step.build = captured.build?()
    var (whole, redacted) = (StateChange(), StateChange())
    var present = Array(changed.wholeInstances)
    if step.sharedStateChanged { addSharing(captured.state, to: &present) }
    present.sort { $0.id < $1.id }
    whole.removed =
      isNewGraph
      ? known.keys.filter { captured.state.instances[$0] == nil }.sorted()
      : changed.removed.filter { known[$0] != nil }
    for id in whole.removed { known[id] = nil }
    redacted.removed = whole.removed
    if let link = changed.waitingLink {
      waitingLink = link
      redactedWaitingLink = captured.state.waitingLink.map {
        $0.holdsSecret(in: captured.graph) || secrets.redact($0.address) != $0.address
          ? SecretTexts.mark : $0.address
      }
      whole.waitingLink = .some(link)
      redacted.waitingLink = .some(redactedWaitingLink)
    }
    sizes = [:]
    var digests: [UInt64] = []
    var redactedIDs: Set<InstanceID> = []
    var snapshot = captured.shared
    for outline in present {
      var (new, shown) = complete(outline, captured, &snapshot)
      // Without secrets, which could be guessed from the digest by trying them.
      new.digest = StateDigest.digest(new.redacted ?? new.whole, shown: shown)
      // A reducer may write a state without changing it.
      if known[outline.id]?.digest != new.digest { digests.append(new.digest) }
      if case .value(let state) = new.whole.state { sizes[outline.id] = state.estimatedSize }
      let former = known.updateValue(new, forKey: outline.id)
      if let change = Self.change(from: former?.whole, to: new.whole) {
        whole.instances.append(change)
      }
      let newRedacted = new.redacted ?? new.whole
      if let change = Self.change(from: former.map { $0.redacted ?? $0.whole }, to: newRedacted) {
        redacted.instances.append(change)
      } else if let former, (former.redacted == nil) != (new.redacted == nil) {
        redacted.instances.append(.whole(newRedacted))
      }
      if new.redacted != nil { redactedIDs.insert(outline.id) }
    }
    step.digest = StateDigest.digest(
      changed: digests, removed: whole.removed, waitingLink: redactedWaitingLink)
    var redactedStep = redacting(step)
    // Cut after secrets are redacted, each of which is then found as a whole.
    step.text = String(step.text.prefix(Self.textLimit))
    redactedStep.text = String(redactedStep.text.prefix(Self.textLimit))
    step.change = whole
    redactedStep.change = redacted
    if !redactedStep.readings.isEmpty, redacted.fields != whole.fields {
      // A reading, such as a random number, may have become the secret.
      redactedStep.readings = []
      redactedStep.hasSecret = true
    }
    redactedStep.change.redacted = redactedIDs.intersection(redacted.instances.map(\.id))
    return (step, redactedStep)
  }

  /// The step with the known secrets redacted in its texts and its action.
  private func redacting(_ step: RecordedStep) -> RecordedStep {
    var redacted = step
    redacted.text = secrets.redact(step.text)
    for index in redacted.lines.indices {
      let script = redacted.lines[index].script
      redacted.lines[index].text = secrets.redact(redacted.lines[index].text)
      // A redacted line would not do in a script what the typed line did.
      if script != script?.map(secrets.redact) { redacted.lines[index].script = nil }
    }
    if let action = step.action {
      let plain = secrets.redact(action)
      if plain != action { (redacted.action, redacted.hasSecret) = (plain, true) }
    }
    return redacted
  }

  /// Adds the instances whose states may contain a shared value.
  private func addSharing(_ state: AppState, to present: inout [SavedInstance]) {
    let ids = Set(present.map(\.id))
    for (id, known) in known where !known.isPlain && !ids.contains(id) {
      guard state.instances[id] != nil else { continue }
      var outline = known.whole
      if let redacted = known.redacted {
        outline.redaction = SavedInstance.Redaction(
          arguments: redacted.arguments, state: redacted.state.value)
      }
      present.append(outline)
    }
  }

  /// The change of an instance; `nil` if it has not changed.
  private static func change(
    from former: SavedInstance?, to new: SavedInstance
  ) -> StateChange.Instance? {
    guard let former, case .value(let before) = former.state, case .value(let after) = new.state,
      former.with(.container) == new.with(.container)
    else { return former == new ? nil : .whole(new) }
    let edits = before.edits(to: after)
    return edits.isEmpty ? nil : .state(new.id, edits)
  }

  /// Encodes the state of an instance.
  ///
  /// - Returns: the instance, and its state as it is shown to people; that is `nil` if there is no
  ///   state or it can't be encoded.
  private func complete(
    _ outline: SavedInstance, _ captured: CapturedStep, _ snapshot: inout SharedSnapshot?
  ) -> (Known, shown: Value?) {
    let id = outline.id
    if let redacted = outline.redaction?.arguments {
      secrets.add(outline.arguments.secretTexts(shownAs: redacted))
    }
    let plain = outline.withoutRedaction(nil)
    func known(_ whole: SavedInstance, _ redacted: SavedInstance, isPlain: Bool = true) -> Known {
      Known(whole: whole, redacted: redacted.isSame(as: whole) ? nil : redacted, isPlain: isPlain)
    }
    guard captured.suspended[id] == nil, let instance = captured.state.instances[id],
      instance.state != nil, instance.node < captured.features.count,
      let feature = captured.features[instance.node]
    else {
      // A suspended instance is not encoded again; its redaction is from when it was suspended.
      let redacted = outline.open(without: secrets)
      return (known(plain, redacted), redacted.state.value)
    }
    let encoded = EncodedState(of: id, instance, by: feature, calls) { encode in
      try snapshot?.expecting(encode) ?? encode()
    }
    let whole = plain.with(encoded.state)
    let redacted = outline.withoutRedaction(
      secrets.redact(outline.redaction?.arguments ?? outline.arguments))
    guard case .value(let value) = encoded.state, let shown = encoded.shown else {
      return (known(whole, redacted.with(encoded.state)), nil)
    }
    guard case .value(let open) = encoded.open(placeholder: SecretTexts.mark) else {
      return (known(whole, redacted.with(.withUnclearSecrets), isPlain: false), shown)
    }
    secrets.add(value.secretTexts(shownAs: shown))
    return (
      known(whole, redacted.with(.value(secrets.redact(open))), isPlain: value.isSame(as: shown)),
      secrets.redact(shown)
    )
  }
}

extension SavedInstance {
  /// Whether a file would have both in the same words.
  fileprivate func isSame(as other: SavedInstance) -> Bool {
    guard case .value(let own) = state, case .value(let others) = other.state else {
      return self == other
    }
    return own.isSame(as: others) && with(.container) == other.with(.container)
  }

  /// The instance without its redaction, and with these arguments unless they are `nil`.
  package func withoutRedaction(_ arguments: Value?) -> SavedInstance {
    var copy = self
    copy.redaction = nil
    copy.arguments = arguments ?? self.arguments
    return copy
  }
}

extension Value {
  /// The size in memory of a state with this encoding, in bytes, as an estimate.
  var estimatedSize: Int {
    switch self {
    case .null, .bool, .int, .double: 16
    case .string(let text): 16 + text.utf8.count
    case .array(let values): values.reduce(32) { $0 + $1.estimatedSize }
    case .object(let fields): fields.values.reduce(16) { $0 + $1.estimatedSize }
    @unknown default: 16
    }
  }
}

/// A step that is not encoded yet, as the store's thread captures it.
package struct CapturedStep: @unchecked Sendable {
  // Unchecked: states and actions are Sendable values; features are called only to encode states, on
  // the recorder's thread.

  /// The step as far as it is known without encoding anything.
  package var step: RecordedStep
  package let action: AppAction
  package let state: AppState
  package let graph: Graph
  /// The features by node index; `nil` for nodes whose features are not created yet.
  package let features: [LoadedFeature?]
  package let suspended: [InstanceID: SavedInstance]
  /// The shared values after the step; `nil` if there are none.
  package let shared: SharedSnapshot?
  /// Makes a header for the app's build from this step on; `nil` if the build has not changed.
  package var build: (@Sendable () -> RecordingHeader)?
  /// Returns the secrets in the manifest; `nil` if the build has not changed.
  package var secrets: (@Sendable () -> Set<String>)?
  /// The memory that it occupies, in bytes, as an estimate.
  package var estimatedSize = 0

  package init(
    _ step: RecordedStep, _ action: AppAction, _ state: AppState, _ graph: Graph,
    _ features: [LoadedFeature?], suspended: [InstanceID: SavedInstance], _ shared: SharedSnapshot?
  ) {
    (self.step, self.action, self.state, self.shared) = (step, action, state, shared)
    (self.graph, self.features, self.suspended) = (graph, features, suspended)
  }
}

/// The origin of an action, or of an entry of an app's log.
public enum ActionOrigin: String, Hashable, Sendable, CaseIterable {
  /// A line from the user, a script or a program.
  case line
  /// A view action, from a control of a screen.
  case screen
  /// An internal action, from an effect of the feature.
  case effect
  /// A delegate action, from the feature to the graph.
  case delegate
  /// An input action, from a route of another feature's delegate action.
  case route
  /// A step of the app itself, or a command that navigates.
  case navigation
  /// An action of a component of the feature.
  case component

  package init(of action: AppAction) {
    guard case .instance(_, let action) = action else {
      self = .navigation
      return
    }
    switch action.text.dropFirst().prefix(while: { $0 != "(" }) {
    case "view": self = .screen
    case "internal": self = .effect
    case "delegate": self = .delegate
    case "input": self = .route
    default: self = .component
    }
  }
}

extension RecordedStep {
  /// Sets the form of the step's action, without secrets, which are added to `secrets`.
  mutating func describe(_ action: AppAction, in graph: Graph, _ secrets: SecretTexts) {
    origin = ActionOrigin(of: action)
    text = action.text ?? "the start of the app"
    switch action {
    case .instance(let id, let action):
      instance = id
      guard let shown = try? action.codedForPeople() else { return }
      let coded = try? action.coded()
      self.action = shown
      hasSecret = coded != shown
      secrets.add(coded?.secretTexts(shownAs: shown) ?? [])
    case .navigate(let navigation):
      if case .person(let command) = navigation.origin(in: graph) { text = ":" + command }
      switch navigation {
      case .begin: self.action = "begin"
      case .back: self.action = "back"
      case .dismiss: self.action = "dismiss"
      case .select(let node): self.action = ["select": .string(graph.nodes[node].name)]
      case .open(let plan): describe(plan, "open", in: graph, secrets)
      case .openWaiting(let plan): describe(plan, "openWaiting", in: graph, secrets)
      }
    case .end: self.action = "end"
    case .report: self.action = "report"
    case .adopt, .restore, .resume: break
    }
  }

  private mutating func describe(
    _ plan: LinkPlan, _ word: String, in graph: Graph, _ secrets: SecretTexts
  ) {
    hasSecret = plan.holdsSecret(in: graph)
    secrets.add(plan.secretTexts(in: graph))
    if hasSecret { text = ":open \(SecretTexts.mark)" }
    action = .object([word: .string(hasSecret ? SecretTexts.mark : plan.address)])
  }
}
