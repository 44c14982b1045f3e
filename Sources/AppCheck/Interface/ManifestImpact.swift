@_spi(Host) internal import AppCore
package import Manifest
internal import Navigation
internal import PluginHost
internal import Support

/// The effect of a plugin's changed interface on the routes of one app.
public struct ManifestImpact: Sendable {
  /// A route with its place, such as `app.yaml:12:5`, and its new problems.
  typealias Route = (place: String, title: String, problems: [String])

  let path: String
  let plugin: String
  let usesPlugin: Bool
  let routes: [Route]
  /// New problems outside of routes, each with its position.
  let others: [String]
  /// The number of errors that the manifest has with the old interface.
  let earlierErrors: Int

  /// Whether it is not known which plugins the manifest lists, because of its own errors.
  var isUnknown: Bool { !usesPlugin && earlierErrors > 0 }

  /// Whether there are new problems, or that is not known.
  public var isBroken: Bool {
    isUnknown || !others.isEmpty || routes.contains { !$0.problems.isEmpty }
  }

  /// Checks a manifest with the old interface and with the new one.
  ///
  /// - Throws: ``AppLoadError/unreadable(path:cause:)`` where there is no such file.
  public init(
    _ path: String, _ comparison: InterfaceComparison, options: AppOptions
  ) throws(AppLoadError) {
    let (old, new) = (comparison.old, comparison.new)
    var options = options
    options.linkedPlugins = [old.mock]
    options.ignoresVersions = true
    let report = try ManifestReport(path, options: options)
    self.path = path
    plugin = old.name
    usesPlugin = report.plugins.members[old.name] != nil
    let before = usesPlugin ? report.replacing(AppPlugin(mock: old)) : report
    earlierErrors = before.problems.count { $0.severity == .error }
    guard usesPlugin, let manifest = before.manifest else {
      routes = []
      others = []
      return
    }
    // Under another name it is another plugin; the one that the manifest lists is gone.
    let after =
      new.name == old.name
      ? before.replacing(AppPlugin(mock: new))
      : before.refusing([old.name: .notRegistered(old.name, "it is named '\(new.name)' now")])
    var broken = Self.newErrors(of: after, since: before)
    func text(_ problem: Diagnostic) -> String { "\(problem.message) [\(problem.code)]" }
    var routes: [Route] = []
    for route in manifest.routes {
      let own = broken.filter { route.range.contains($0.range) }
      broken.removeAll { route.range.contains($0.range) }
      guard !own.isEmpty || Self.uses(old.name, route, manifest) else { continue }
      routes.append(
        (
          before.sources.description(of: route.range), route.title,
          own.map { "\(before.sources.description(of: $0.range)): \(text($0))" }
        ))
    }
    self.routes = routes
    others =
      Self.versionProblems(manifest, before, new)
      + broken.map { "\(before.sources.description(of: $0.range)): \(text($0))" }
  }

  /// The errors of a report that a former one does not have.
  ///
  /// Errors of the same rule at the same position are the same, even if their messages differ,
  /// unless there are more of them than before.
  private static func newErrors(
    of report: ManifestReport, since former: ManifestReport
  ) -> [Diagnostic] {
    var known = Dictionary(grouping: former.problems, by: \.range)
    func takesKnown(_ problem: Diagnostic, withMessage: Bool) -> Bool {
      let same = known[problem.range]?.firstIndex {
        $0.rule == problem.rule && (!withMessage || $0.message == problem.message)
      }
      if let same { known[problem.range]?.remove(at: same) }
      return same != nil
    }
    // Those with the same message first, so that the others are the new ones.
    let others = report.problems.filter {
      $0.severity == .error && !takesKnown($0, withMessage: true)
    }
    return others.filter { !takesKnown($0, withMessage: false) }
  }

  /// The manifest's requirement where the new version does not meet it.
  private static func versionProblems(
    _ manifest: Manifest, _ report: ManifestReport, _ new: PluginInterface
  ) -> [String] {
    zip(manifest.plugins, report.plugins.names).compactMap { plugin, name in
      guard name == new.name, let requirement = plugin.version,
        requirement.value.allows(new.version) != true
      else { return nil }
      return "\(report.sources.description(of: requirement.range)): the manifest asks for "
        + "'\(requirement.value.text)', which \(new.version) is not"
    }
  }

  /// Whether a route starts or ends at a feature of the plugin, or possibly does.
  private static func uses(
    _ plugin: String, _ route: Manifest.Route, _ manifest: Manifest
  ) -> Bool {
    func isOwn(_ reference: NodeReference?) -> Bool {
      reference?.id.map { manifest[$0].feature?.plugin == plugin } ?? false
    }
    if route.any != nil { return true }
    return route.sources.contains { isOwn($0) }
      || route.steps.contains { isOwn($0.target) || $0.verb == .notify && $0.target == nil }
  }

  var lines: [String] {
    if isUnknown {
      return [
        "\(path): can't be compared, because of its errors: \(earlierErrors); see "
          + "`appcore check \(shellWord(path))`"
      ]
    }
    guard usesPlugin else { return ["\(path): does not use '\(plugin)'"] }
    let count = routes.count { !$0.problems.isEmpty }
    var lines = [
      "\(path): \(count) of \(routes.count) route\(routes.count == 1 ? "" : "s") that may use "
        + "'\(plugin)' \(count == 1 ? "breaks" : "break")"
    ]
    if earlierErrors > 0 {
      lines.append(
        "  errors that it has with the old version already are not listed: \(earlierErrors)")
    }
    for route in routes {
      let state = route.problems.isEmpty ? "fits" : "breaks"
      lines.append("  \(route.place): \(state): \(route.title)")
      lines += route.problems.map { "    " + $0 }
    }
    return lines + others.map { "  " + $0 }
  }

  var tree: JSONTree {
    [
      "path": .string(path), "uses": .bool(usesPlugin), "breaks": .bool(isBroken),
      "unknown": .bool(isUnknown), "earlierErrors": .int(earlierErrors),
      "routes": .array(
        routes.map { route in
          [
            "place": .string(route.place), "route": .string(route.title),
            "problems": JSONTree(route.problems),
          ]
        }),
      "others": JSONTree(others),
    ]
  }
}

extension Manifest.Route {
  /// Its sources and actions, such as `from list, selected`.
  package var title: String {
    let nodes = sources.map(\.name)
    return "from \(nodes.isEmpty ? "any" : nodes.joined(separator: ", ")), "
      + actions.map(\.value).joined(separator: ", ")
  }
}

extension SourceRange {
  fileprivate func contains(_ other: SourceRange) -> Bool {
    file == other.file && start <= other.start && other.end <= end
  }
}
