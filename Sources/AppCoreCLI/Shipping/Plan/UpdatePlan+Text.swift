internal import AppCheck
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
    let outcome =
      switch exitStatus {
      case 0: "all continue"
      case 75: "whether all continue is not known"
      default: "some do not continue as they are"
      }
    lines.append("\(subject): \(outcome)")
    for entry in forecast.outcomes {
      let name = entry.newNode.flatMap { $0 == entry.node ? nil : $0 }
      if entry.outcome == .kept, name == nil { continue }
      lines.append("  \(entry.node): \(entry.outcome.line(newName: name))")
    }
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  private var subject: String { session.map { "the session in '\($0)'" } ?? "sessions" }

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
          ("continue", exitStatus == 75 ? .null : .bool(exitStatus == 0)),
          ("nodes", .array(forecast.outcomes.map(Self.tree))),
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
    _ entry: (node: String, newNode: String?, outcome: RestoreOutcome)
  ) -> JSONTree {
    let (fate, reason) = entry.outcome.words
    return [
      ("node", .string(entry.node)), ("newNode", entry.newNode.map { .string($0) } ?? .null),
      ("fate", .string(fate)), ("reason", reason.map { .string($0) } ?? .null),
    ].tree
  }
}
