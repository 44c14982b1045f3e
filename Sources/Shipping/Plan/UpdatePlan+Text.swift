internal import AppCheck
internal import Diagnostics
internal import Manifest
internal import Navigation
internal import Sessions
internal import Support

extension UpdatePlan {
  /// The plan as text for people.
  public var text: String {
    var lines = ["\(Self.title(old)) → \(Self.title(new))"]
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
    lines.append(
      forecast.isLossless && isSameApp
        ? "sessions: all continue" : "sessions: some do not continue as they are")
    for entry in forecast.fates {
      let name = entry.newNode.flatMap { $0 == entry.node ? nil : ", as '\($0)'" } ?? ""
      switch entry.fate {
      case .kept where name.isEmpty: continue
      case .kept: lines.append("  \(entry.node): kept\(name)")
      case .migrated(let version): lines.append("  \(entry.node): migrated from \(version)\(name)")
      case .madeAnew(let reason): lines.append("  \(entry.node): made anew\(name): \(reason)")
      case .dropped(let reason): lines.append("  \(entry.node): dropped: \(reason)")
      }
    }
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  private static func title(_ release: AppRelease) -> String {
    [release.name, release.version].compactMap { $0 }.joined(separator: " ")
  }

  /// The plan as JSON; docs/shipping.md describes the fields.
  public var json: String {
    let tree: JSONTree = [
      ("plan", .int(1)), ("old", Self.tree(old)), ("new", Self.tree(new)),
      (
        "changes",
        .array(
          changes.map { change in
            [
              ("kind", .string(change.kind.rawValue)), ("subject", .string(change.subject)),
              ("name", .string(change.name)), ("details", JSONTree(change.details)),
            ].tree
          })
      ),
      (
        "sessions",
        [
          ("continue", .bool(forecast.isLossless && isSameApp)),
          ("nodes", .array(forecast.fates.map(Self.tree))),
        ].tree
      ),
    ].tree
    return tree.text
  }

  private static func tree(_ release: AppRelease) -> JSONTree {
    [
      ("path", .string(release.path)), ("name", .string(release.name)),
      ("version", release.version.map { .string($0) } ?? .null),
      ("appcore", .string(release.appcore)),
      ("architecture", release.architecture.map { .string($0) } ?? .null),
    ].tree
  }

  private static func tree(
    _ entry: (node: String, newNode: String?, fate: SessionPlan.Fate)
  ) -> JSONTree {
    let (fate, reason): (String, String?) =
      switch entry.fate {
      case .kept: ("kept", nil)
      case .migrated(let version): ("migrated", version)
      case .madeAnew(let reason): ("made anew", reason)
      case .dropped(let reason): ("dropped", reason)
      }
    return [
      ("node", .string(entry.node)), ("newNode", entry.newNode.map { .string($0) } ?? .null),
      ("fate", .string(fate)), ("reason", reason.map { .string($0) } ?? .null),
    ].tree
  }
}
