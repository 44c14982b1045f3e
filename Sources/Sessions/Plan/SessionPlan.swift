package import AppCore
public import Navigation
internal import PluginHost
internal import Support

/// A plan for restoring an image under a manifest and its plugins, which may have changed.
///
/// It decides what becomes of each instance. If nothing can be restored, the app begins at the
/// manifest's `start`.
public struct SessionPlan: Sendable {
  public struct Entry: Hashable, Sendable {
    public let id: InstanceID
    public let node: String
    /// The current name of its node; `nil` if there is no such node.
    public let newNode: String?
    public package(set) var outcome: RestoreOutcome

    /// What becomes of it, for people, with the new name of its node if it has one.
    package var line: String {
      let name = newNode.flatMap { $0 == node ? nil : ", as '\($0)'" } ?? ""
      let (fate, detail) = outcome.words
      return switch outcome {
      case .migrated(let version): "migrated from \(version)" + name
      case .dropped(let reason): "dropped: \(reason)"
      case .kept, .unknown, .madeAnew: fate + name + (detail.map { ": " + $0 } ?? "")
      }
    }
  }

  /// All instances of the image in the order of presentation, unplaced ones last.
  public internal(set) var entries: [Entry]
  /// Whether the root layer could not be restored, so that the app begins at `start`.
  public internal(set) var startsAnew: Bool
  /// The instances of the restored app.
  package let layout: Layout
  /// The instance in the image of each instance of the layout; `nil` for a new one.
  package let ids: [InstanceID?]
  /// The key by which the features identify each instance of the layout; `nil` for a container.
  let keys: [Int?]

  /// The exit status for programs: 65 if something is lost, 75 if that can't be known, else 0.
  package var exitStatus: Int32 { Self.exitStatus(of: entries.map(\.outcome)) }

  package static func exitStatus(of outcomes: [RestoreOutcome]) -> Int32 {
    if outcomes.contains(where: \.isLoss) { return 65 }
    return outcomes.contains { if case .unknown = $0 { true } else { false } } ? 75 : 0
  }

  /// How many instances continue with their states.
  package var continuedCount: Int {
    entries.count {
      switch $0.outcome {
      case .kept, .migrated: true
      case .unknown, .madeAnew, .dropped: false
      }
    }
  }

  package var dropped: [InstanceID] {
    entries.compactMap { if case .dropped = $0.outcome { $0.id } else { nil } }
  }

  /// A short description of what is lost; `nil` if every instance is kept or migrated.
  ///
  /// Instances that were unplaced before are not mentioned.
  package var losses: String? { losses { _ in true } }

  /// A short description of what is lost of some instances, as they are in the image.
  package func losses(among isMeant: (InstanceID) -> Bool) -> String? {
    let lost = entries.compactMap { entry -> String? in
      switch entry.outcome {
      case _ where !isMeant(entry.id): nil
      // It was unplaced before, which was reported then.
      case _ where entry.id.isUnplaced: nil
      case .kept, .migrated, .unknown: nil
      case .madeAnew(let reason): "'\(entry.node)' starts afresh: \(reason)"
      case .dropped(let reason): "'\(entry.node)' does not come back: \(reason)"
      }
    }
    guard let first = lost.first else { return nil }
    // Names come from the image, which may hold anything.
    return SafeText.line(first) + (lost.count > 1 ? ", and \(lost.count - 1) more" : "")
  }
}

/// What becomes of an instance.
public enum RestoreOutcome: Hashable, Sendable, Codable {
  /// It continues with its state.
  case kept
  /// It continues with its state, which this version of its plugin has written.
  case migrated(from: String)
  /// Whether it continues with its state can't be known, for this reason.
  case unknown(reason: String)
  /// It gets a new state from its arguments, for this reason.
  case madeAnew(reason: String)
  case dropped(reason: String)

  static let unknownPlace = "the image does not say where it stood"
  /// The outcome if a damaged image or a missing feature leaves nothing to restore.
  static let nowhere = Self.madeAnew(reason: unknownPlace)

  package var isLoss: Bool {
    switch self {
    case .kept, .migrated, .unknown: false
    case .madeAnew, .dropped: true
    }
  }

  /// What becomes of the instance, in one word, and why or from which version.
  package var words: (fate: String, detail: String?) {
    switch self {
    case .kept: ("kept", nil)
    case .migrated(let version): ("migrated", version)
    case .unknown(let reason): ("unknown", reason)
    case .madeAnew(let reason): ("made anew", reason)
    case .dropped(let reason): ("dropped", reason)
    }
  }
}

/// Restores and creates the states of instances while a plan is made.
///
/// For the same image, graph and answers, the plan is the same.
package protocol SessionFeatures {
  /// Restores a saved state of the feature that the node has now.
  ///
  /// The instance is identified by `key`. The outcome is ``RestoreOutcome/madeAnew(reason:)`` if the
  /// state can't be restored.
  mutating func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoreOutcome
  /// Creates the state of a new instance.
  ///
  /// The result is why the state can't be created; `nil` if it was.
  mutating func make(_ key: Int, node: Int, arguments: Value) -> String?
}

extension SessionPlan {
  /// The unplaced instances: those of an image that have no place in the restored app, renumbered.
  ///
  /// They stay in the image with the version of their features, and are restored when a later
  /// version of the manifest has a place for them. Those on or in an instance that is not in the
  /// image are left out.
  ///
  /// `newIDs` are the new identifiers of the restored instances, by those in the image, and `others`
  /// are unplaced instances that the image does not have.
  package func unplaced(
    from image: SessionImage, _ newIDs: [InstanceID: InstanceID],
    besides others: [SavedInstance] = []
  ) -> [SavedInstance] {
    let features = image.identity.featureVersions
    let dropped = dropped.compactMap { id -> SavedInstance? in
      var instance = image.moment.instances[id]
      if let node = instance?.node, instance?.encodedBy == nil {
        instance?.encodedBy = features[node]
      }
      return instance
    }
    let unplaced = others + dropped
    var ids = newIDs
    for (index, instance) in unplaced.enumerated() {
      ids[instance.id] = InstanceID(number: InstanceID.firstUnplaced + UInt64(index))
    }
    return unplaced.compactMap { $0.renumbered(ids) }
  }
}

extension SavedInstance {
  /// A copy with new identifiers; `nil` if the instance that it is on or in has none.
  fileprivate func renumbered(_ ids: [InstanceID: InstanceID]) -> SavedInstance? {
    guard let id = ids[id] else { return nil }
    var copy = self
    copy.id = id
    copy.presenter = presenter.flatMap { ids[$0] }
    guard let parent else { return copy }
    guard let parent = ids[parent] else { return nil }
    switch place {
    case .above: copy.place = .above(parent)
    case .tab(_, let node): copy.place = .tab(of: parent, node: node)
    case .layer: copy.place = .layer(over: parent)
    case .background: copy.place = .background(of: parent)
    }
    return copy
  }
}

extension InstanceID {
  /// The smallest number of an unplaced instance; those of live instances are smaller.
  static let firstUnplaced: UInt64 = 1 << 63

  /// Whether it had no place in the app that wrote the image.
  var isUnplaced: Bool { number >= Self.firstUnplaced }
}

// Restoring a session in another process, which ends afterwards, to learn what becomes of it.
//
// The process runs the plugins' code: they read the states that they have written, and migrate those of
// former versions. It is limited as a scan is, so that a plugin that crashes, hangs or signals other
// processes costs only the answer.
extension SessionPlan {
  /// The hidden command that restores the session.
  package static let trialCommand = "__restore"
  /// How long it may take, in seconds.
  private static let trialLimit: UInt32 = 30

  /// The plan with the result of a trial; the unknown stays so, with the reason, if there is none.
  package func tried(
    manifest: String, session file: String, options: [String], environment: [String: String]
  ) -> SessionPlan {
    var plan = self
    let mark = "\(UInt64.random(in: .min ... .max))"
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let (end, output, _) = Spawn.run(
      FilePath.resolved("/proc/self/exe") ?? "appcore",
      [Self.trialCommand, manifest, "--session", file] + options + ["--mark", mark],
      environment: environment)
    guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix(mark) }),
      let answer = (try? Value(json: String(line.dropFirst(mark.count))))?.decoded(Answer.self),
      answer.outcomes.count == plan.entries.count
    else {
      let said = output.split(separator: "\n").last.map { ": " + $0.prefix(200) } ?? ""
      for index in plan.entries.indices {
        guard case .unknown = plan.entries[index].outcome else { continue }
        plan.entries[index].outcome = .unknown(
          reason: "the process that was to restore it ended with \(end.words)\(said)")
      }
      return plan
    }
    for (index, outcome) in answer.outcomes.enumerated() { plan.entries[index].outcome = outcome }
    plan.startsAnew = answer.startsAnew
    return plan
  }

  /// Limits this process, which is about to restore a session; call it before plugins are loaded.
  package static func confineTrial() { ScanConfinement.confine(seconds: trialLimit) }

  /// The line for the process that runs the trial.
  package func answer(mark: String) -> String {
    mark + Value(coding: Answer(outcomes: entries.map(\.outcome), startsAnew: startsAnew)).json
  }

  private struct Answer: Codable {
    let outcomes: [RestoreOutcome]
    let startsAnew: Bool
  }
}
