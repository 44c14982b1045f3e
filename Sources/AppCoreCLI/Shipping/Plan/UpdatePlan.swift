public import AppCheck
internal import Manifest
internal import Navigation
internal import Sessions
internal import Support

/// A comparison of two versions of an app: what changes, and which sessions can continue.
public struct UpdatePlan {
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
  let forecast: SessionForecast
  /// The file of the session that was tried; `nil` if only names and versions were compared.
  let session: String?

  /// Compares two versions of an app.
  ///
  /// - Parameters:
  ///   - old: the path of the running version: a bundle's folder or archive, or a manifest.
  ///   - new: the path of the version that replaces it.
  ///   - options: the options for reading manifests.
  ///   - session: the file of a session that is restored with the new version, in another process;
  ///     `nil` to compare only names and versions.
  ///   - arguments: the arguments that `options` were parsed from.
  /// - Throws: ``BundleError``, ``AppLoadError``, `WorkspaceError` or `SessionError` if a version or
  ///   the session can't be read.
  public init(
    from old: String, to new: String, options: AppOptions, session: String? = nil,
    arguments: [String] = []
  ) throws {
    self.old = try AppRelease(old, options: options)
    self.new = try AppRelease(new, options: options)
    changes =
      Self.pluginChanges(self.old, self.new)
      + Self.manifestChanges(self.old.report, self.new.report)
    self.session = session
    guard let session else {
      forecast = SessionForecast(from: self.old.report, to: self.new.report)
      return
    }
    guard let saved = try SavedSession.read(session, app: self.new.name, isShared: true),
      let graph = self.new.report.graph
    else { throw SessionError(path: session, reason: "there is none") }
    var features = StateCompatibility(
      identity: saved.image.identity,
      versions: self.new.report.plugins.members.mapValues(\.info.version))
    let plan = try SessionPlan.make(of: saved.image, in: graph, &features)
    let program = self.new.program
    forecast = SessionForecast(
      SessionTrial(
        manifest: program.manifest, session: session, options: program.arguments + arguments,
        environment: options.environment
      ).run(plan))
  }

  /// The exit status: 65 if sessions lose state or the apps' names differ, 75 if it can't be known
  /// whether they lose any; else 0.
  public var exitStatus: Int32 { isSameApp ? forecast.exitStatus : 65 }

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
      let comparison = InterfaceComparison(
        from: PluginInterface(former), to: PluginInterface(current))
      var details = comparison.differences.map { difference in
        let lead = difference.breaks.map { "breaking for \($0)" } ?? "compatible"
        return "\(lead): \(difference.subject) \(difference.change)"
      }
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
    var changes = compare(before.configurations, after.configurations, "configuration")
    changes += compare(before.nodes, after.nodes, "node").map { change in
      guard change.kind == .added,
        let former = after.formerNames[change.name]?.first(where: {
          before.nodes[$0] != nil && after.nodes[$0] == nil
        })
      else { return change }
      let texts = (before.nodes[former] ?? "", after.nodes[change.name] ?? "")
      let isSame =
        ManifestText.withoutFormerNames(texts.0) == ManifestText.withoutFormerNames(texts.1)
      return Change(
        kind: .changed, subject: "node", name: change.name,
        details: ["was '\(former)'"] + (isSame ? [] : ["- \(texts.0)", "+ \(texts.1)"]))
    }
    let renamed = Set(
      changes.compactMap { $0.subject == "node" ? after.formerNames[$0.name] : nil }.joined())
    changes.removeAll { $0.kind == .removed && $0.subject == "node" && renamed.contains($0.name) }
    var gone = before.routes.filter { route in !after.routes.contains { $0.text == route.text } }
    let made = after.routes.filter { route in !before.routes.contains { $0.text == route.text } }
    for route in made {
      let former = gone.firstIndex { $0.title == route.title }.map { gone.remove(at: $0) }
      changes.append(
        Change(
          kind: former == nil ? .added : .changed, subject: "route", name: route.title,
          details: (former.map { ["- \($0.text)"] } ?? []) + ["+ \(route.text)"]))
    }
    for route in gone {
      changes.append(
        Change(
          kind: .removed, subject: "route", name: route.title, details: ["- \(route.text)"]))
    }
    changes += compare(before.links, after.links, "link")
    changes += compare(before.variables, after.variables, "variable")
    let keys = Set(before.others.keys).union(after.others.keys)
    for key in keys.sorted() where before.others[key] != after.others[key] {
      changes.append(
        Change(
          kind: before.others[key] == nil
            ? .added : after.others[key] == nil ? .removed : .changed,
          subject: key, name: "",
          details: [
            before.others[key].map { "- " + $0 }, after.others[key].map { "+ " + $0 },
          ].compactMap(\.self)))
    }
    return changes
  }

  private static func compare(
    _ old: [String: String], _ new: [String: String], _ subject: String
  ) -> [Change] {
    Set(old.keys).union(new.keys).sorted().compactMap { name in
      switch (old[name], new[name]) {
      case (nil, _): return Change(kind: .added, subject: subject, name: name)
      case (_, nil): return Change(kind: .removed, subject: subject, name: name)
      case (let before?, let after?) where before != after:
        return Change(
          kind: .changed, subject: subject, name: name, details: ["- \(before)", "+ \(after)"])
      default: return nil
      }
    }
  }
}

extension AppRelease {
  /// The app's name.
  var name: String { report.graph?.name ?? "" }

  /// The app's version; `nil` if the manifest has none.
  var version: String? { report.manifest?.version?.value }
}
