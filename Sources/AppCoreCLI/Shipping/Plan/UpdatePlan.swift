internal import AppCheck
internal import AppCore
internal import Manifest
internal import Navigation
internal import Sessions
internal import Support

/// A comparison of two versions of an app: what changes, and which sessions can continue.
struct UpdatePlan {
  /// A change of a plugin, a node, a route or another part of the app.
  struct Change: Hashable {
    enum Kind: String { case added, removed, changed }
    let kind: Kind
    let subject: String
    let name: String
    var details: [String] = []
  }

  let old: AppRelease
  let new: AppRelease
  /// The changes, in the order in which they are printed.
  let changes: [Change]
  /// What becomes of the instances of the session that was tried, or the worst that can become of one
  /// of each of the old version's nodes.
  let outcomes: [SessionPlan.Entry]
  /// The file of the session that was tried; `nil` if only names and versions were compared.
  let session: String?

  /// Compares the version of an app at the path `old`, which runs, with the one that replaces it.
  ///
  /// If there is a file of a session, it is restored with the new version, in another process with
  /// `arguments`, those that `options` were parsed from; else only names and versions are compared.
  ///
  /// - Throws: ``BundleError``, ``AppLoadError``, ``CommandError`` or `SessionError` if a version
  ///   or the session can't be read.
  init(
    from old: String, to new: String, options: AppOptions, session: String?, arguments: [String]
  ) throws {
    self.old = try AppRelease(old, options: options)
    self.new = try AppRelease(new, options: options)
    changes =
      Self.pluginChanges(self.old, self.new)
      + Self.manifestChanges(self.old.report, self.new.report)
    self.session = session
    guard let session else {
      outcomes = Self.outcomes(from: self.old.report, to: self.new.report)
      return
    }
    guard let saved = try SavedSession.read(session, app: self.new.name, isShared: true),
      let graph = self.new.report.graph
    else { throw SessionError(path: session, reason: "there is none") }
    let (former, current) = (self.old.report, self.new.report)
    var features = StateCompatibility(
      identity: saved.image.identity,
      versions: current.plugins.members.mapValues(\.info.version),
      hasSameState: { current.hasSameState($0, as: former) })
    let plan = try SessionPlan.make(of: saved.image, in: graph, &features)
    let program = self.new.program
    let tried = plan.tried(
      manifest: program.manifest, session: session, options: program.arguments + arguments,
      environment: options.environment)
    outcomes = tried.entries
  }

  /// The exit status: 65 if the apps' names differ or sessions lose state, 75 if it can't be known
  /// whether they lose any; else 0.
  ///
  /// Outcomes of other kinds do not count.
  func exitStatus(failingOn kinds: PlanCommand.FailureKinds) -> Int32 {
    guard isSameApp else { return 65 }
    return SessionPlan.exitStatus(
      of: outcomes.map(\.outcome).filter { outcome in
        if case .unknown = outcome { kinds.isUnknown } else { kinds.isLost }
      })
  }

  private var exitStatus: Int32 { exitStatus(failingOn: .all) }

  /// Whether both versions have the same app name, by which sessions are stored.
  var isSameApp: Bool { old.name == new.name }

  private static func pluginChanges(_ old: AppRelease, _ new: AppRelease) -> [Change] {
    let (before, after) = (old.report.plugins.members, new.report.plugins.members)
    let (formerText, text) = (ManifestText(old.report).plugins, ManifestText(new.report).plugins)
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      guard let former = before[name]?.info else {
        return Change(
          kind: .added, subject: "plugin", name: "\(name) \(after[name]?.info.version ?? "")")
      }
      guard let current = after[name]?.info else {
        return Change(kind: .removed, subject: "plugin", name: "\(name) \(former.version)")
      }
      var details = PluginInterface(current).differences(from: PluginInterface(former)).map(\.text)
      // A bundle has release builds and a manifest debug builds, so their digests always differ.
      let isOtherCode = old.isBundle == new.isBundle && old.digests[name] != new.digests[name]
      if former.version != current.version || isOtherCode || !details.isEmpty {
        if details.isEmpty { details = ["the interface is the same"] }
        if former.version == current.version { details.append("other code under the same version") }
      }
      let (gone, added) = (formerText[name] ?? [], text[name] ?? [])
      details += gone.filter { !added.contains($0) }.map { "- \($0)" }
      details += added.filter { !gone.contains($0) }.map { "+ \($0)" }
      guard !details.isEmpty else { return nil }
      let versions =
        former.version == current.version
        ? former.version : "\(former.version) → \(current.version)"
      return Change(
        kind: .changed, subject: "plugin", name: "\(name) \(versions)", details: details)
    }
  }

  private static func manifestChanges(
    _ old: ManifestReport, _ new: ManifestReport
  ) -> [Change] {
    let (before, after) = (ManifestText(old), ManifestText(new))
    return ManifestText.subjects.flatMap { subject in
      let (former, current) = (before.parts[subject] ?? [:], after.parts[subject] ?? [:])
      let changes = Set(former.keys).union(current.keys).sorted()
        .filter { former[$0] != current[$0] }
        .map { change(from: former[$0], to: current[$0], subject, $0, isAlone: !$0.isEmpty) }
      return switch subject {
      case "node": withRenamed(changes, before, after)
      case "route": routeChanges(before.routes, after.routes)
      default: changes
      }
    }
  }

  /// The changes of nodes, with one that was called something else as one change.
  private static func withRenamed(
    _ changes: [Change], _ before: ManifestText, _ after: ManifestText
  ) -> [Change] {
    let (old, new) = (before.parts["node"] ?? [:], after.parts["node"] ?? [:])
    let renamed = Set(changes.compactMap { after.formerNames[$0.name] }.joined())
    return changes.filter { $0.kind != .removed || !renamed.contains($0.name) }.map { change in
      let formerName = after.formerNames[change.name]?.first { old[$0] != nil && new[$0] == nil }
      guard change.kind == .added, let formerName, let former = old[formerName],
        let current = new[change.name]
      else { return change }
      let isSame =
        ManifestText.withoutFormerNames(former) == ManifestText.withoutFormerNames(current)
      return Change(
        kind: .changed, subject: "node", name: change.name,
        details: ["was '\(formerName)'"] + (isSame ? [] : ["- \(former)", "+ \(current)"]))
    }
  }

  private static func routeChanges(
    _ before: [(title: String, text: String)], _ after: [(title: String, text: String)]
  ) -> [Change] {
    var gone = before.filter { route in !after.contains { $0.text == route.text } }
    let made = after.filter { route in !before.contains { $0.text == route.text } }
    let changes = made.map { route in
      let former = gone.firstIndex { $0.title == route.title }.map { gone.remove(at: $0).text }
      return change(from: former, to: route.text, "route", route.title, isAlone: false)
    }
    return changes
      + gone.map { change(from: $0.text, to: nil, "route", $0.title, isAlone: false) }
  }

  /// A change of a part's text; the text of a part that `isAlone` is only shown if it has changed.
  private static func change(
    from old: String?, to new: String?, _ subject: String, _ name: String, isAlone: Bool
  ) -> Change {
    let kind: Change.Kind = old == nil ? .added : new == nil ? .removed : .changed
    let texts = [old.map { "- " + $0 }, new.map { "+ " + $0 }].compactMap(\.self)
    return Change(
      kind: kind, subject: subject, name: name,
      details: isAlone && kind != .changed ? [] : texts)
  }

  var text: String {
    var lines = ["\(old.title) → \(new.title)"]
    if !isSameApp { lines.append("  another app: sessions are kept by the app's name") }
    if old.appcore != new.appcore { lines.append("  appcore \(old.appcore) → \(new.appcore)") }
    if let before = old.architecture, let after = new.architecture, before != after {
      lines.append("  processor \(before) → \(after)")
    }
    if changes.isEmpty { lines.append("  nothing changes in the app") }
    for change in changes {
      lines.append(
        "  \(change.kind.rawValue): \(change.subject)"
          + (change.name.isEmpty ? "" : " \(change.name)"))
      lines += change.details.map { "    " + $0 }
    }
    let outcome =
      switch exitStatus {
      case 0: "all continue"
      case 75: "whether all continue is not known"
      default: "some do not continue as they are"
      }
    lines.append("\(subject): \(outcome)")
    for entry in outcomes {
      if entry.outcome == .kept, entry.newNode ?? entry.node == entry.node { continue }
      lines.append("  \(entry.node): \(entry.line)")
    }
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  private var subject: String { session.map { "the session in '\($0)'" } ?? "sessions" }

  /// The plan as JSON; docs/shipping.md describes the fields.
  var json: String {
    let tree: JSONTree = [
      "plan": 1, "old": Self.tree(old), "new": Self.tree(new),
      "changes": .array(
        changes.map { change in
          [
            "kind": .string(change.kind.rawValue), "subject": .string(change.subject),
            "name": .string(change.name), "details": JSONTree(change.details),
          ]
        }),
      "sessions": [
        "continue": exitStatus == 75 ? .null : .bool(exitStatus == 0),
        "nodes": .array(outcomes.map(Self.tree)),
      ],
    ]
    return tree.text
  }

  private static func tree(_ release: AppRelease) -> JSONTree {
    [
      "path": .string(release.path), "name": .string(release.name),
      "version": JSONTree(release.version), "appcore": .string(release.appcore),
      "architecture": JSONTree(release.architecture),
    ]
  }

  private static func tree(_ entry: SessionPlan.Entry) -> JSONTree {
    let (fate, reason) = entry.outcome.words
    return [
      "node": .string(entry.node), "newNode": JSONTree(entry.newNode), "fate": .string(fate),
      "reason": JSONTree(reason),
    ]
  }

  /// A prediction of which nodes' instances keep their state when running sessions are updated: the
  /// old version's nodes in their order, each with the worst outcome that an instance can have.
  ///
  /// It is based on names, versions and the shapes of states that scans found, since no code of the
  /// new version is run: whether another version of a plugin can read a state is unknown.
  static func outcomes(from old: ManifestReport, to new: ManifestReport) -> [SessionPlan.Entry] {
    guard let before = old.graph, let after = new.graph else { return [] }
    let identity = SessionIdentity(
      app: before.name, manifest: old.path,
      plugins: old.plugins.members.values.map {
        SessionIdentity.Plugin(name: $0.info.name, version: $0.info.version, digest: "")
      },
      nodes: before.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) })
    let versions = new.plugins.members.mapValues(\.info.version)
    var worst: [String: SessionPlan.Entry] = [:]
    for image in images(of: before, identity) {
      var features = StateCompatibility(
        identity: identity, versions: versions, hasSameState: { new.hasSameState($0, as: old) })
      guard let plan = try? SessionPlan.make(of: image, in: after, &features) else { continue }
      for entry in plan.entries where entry.outcome.weight > worst[entry.node]?.outcome.weight ?? -1
      {
        worst[entry.node] = entry
      }
    }
    return before.nodes.compactMap { node in
      guard var entry = worst[node.name] else { return nil }
      let current = entry.newNode.flatMap { after.index(of: $0) }.map { after.nodes[$0] }
      if !entry.outcome.isLoss, let limit = current?.maxDepth, limit < node.maxDepth ?? .max {
        entry.outcome = .dropped(
          reason: "a stack may hold only \(limit) of it now (its maxDepth)")
      }
      return entry
    }
  }

  /// Images which together have an instance in each place of an app: one for each node alone, one
  /// for each container with its tabs and background, and one for the app's background.
  private static func images(of graph: Graph, _ identity: SessionIdentity) -> [SessionImage] {
    typealias Places = [(node: Int, place: SavedInstance.Place)]
    func image(_ places: Places) -> SessionImage {
      let instances = zip(UInt64(1)..., places).map { number, place in
        let node = graph.nodes[place.node]
        return SavedInstance(
          id: InstanceID(number: number), node: node.name, arguments: .null, place: place.place,
          order: number, state: node.feature == nil ? .container : .value(.null))
      }
      return SessionImage(identity: identity, AppMoment(instances))
    }
    var images = graph.nodes.indices.map { image([($0, .layer(over: nil))]) }
    for index in graph.nodes.indices {
      guard case .tabs(let tabs) = graph.nodes[index].content else { continue }
      var places: Places = [(index, .layer(over: nil))]
      let container = InstanceID(number: 1)
      for tab in tabs {
        places.append((tab.node, .tab(of: container, node: graph.nodes[tab.node].name)))
      }
      for target in graph.nodes[index].background {
        places.append((target.node, .background(of: container)))
      }
      images.append(image(places))
    }
    images.append(image(graph.background.map { ($0.node, .background(of: nil)) }))
    return images
  }
}

extension RestoreOutcome {
  /// How much is lost: greater for worse outcomes.
  fileprivate var weight: Int {
    switch self {
    case .kept: 0
    case .migrated: 1
    case .unknown: 2
    case .madeAnew: 3
    case .dropped: 4
    }
  }
}
