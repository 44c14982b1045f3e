internal import AppCheck
@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Support

/// Builds, loads and checks a new build of a plugin without changing the running app.
struct PluginReloading: Sendable {
  let app: LoadedApp
  let plugin: LoadedApp.Plugin
  /// The options for finding and building the plugin; initially those of the app.
  var options: AppOptions

  init(app: LoadedApp, plugin: LoadedApp.Plugin) {
    self.app = app
    self.plugin = plugin
    options = app.options
    // The lock as it was when the manifest was read.
    options.lockEnforcement = app.report.lockEnforcement
  }

  /// A new build that passed all checks, and the app with it.
  struct Candidate: Sendable {
    let plugin: LoadedApp.Plugin
    let app: LoadedApp
  }

  /// Builds, reads, validates, scans and loads the plugin, and checks the manifest against it.
  ///
  /// - Returns: the new build; `nil` if it is the one that runs.
  /// - Throws: why the new build can't replace the running one.
  func candidate() async throws(Rejection) -> Candidate? {
    try await ReloadQueue.run { () throws(Rejection) in try self.found() }
  }

  private func found() throws(Rejection) -> Candidate? {
    let member = try load()
    if member.digest != nil, member.hasSameCode(as: plugin.member) { return nil }
    let info = member.info
    guard info.name == plugin.name else {
      throw Rejection(
        .pluginRenamed,
        "'\(member.path ?? "")' is the plugin '\(info.name)' now; "
          + "a plugin keeps its name while the app runs")
    }
    if let asked = app.report.requirement(of: plugin.name), asked.allows(info.version) != true {
      throw Rejection(
        .pluginDoesNotFit,
        "it is version '\(info.version)' now, and the manifest asks for '\(asked.text)'")
    }
    let report = app.report.replacing(member)
    guard let graph = report.graph else {
      throw Rejection(.pluginDoesNotFit, Self.words(report))
    }
    let new = LoadedApp.Plugin(
      name: plugin.name, member: member,
      configuration: report.configurations[plugin.name]?.resolved(.null) ?? .object([:]),
      isLazy: plugin.isLazy)
    return Candidate(plugin: new, app: app.replacing(new, in: report, graph))
  }

  private func load() throws(Rejection) -> AppPlugin {
    if let mock = plugin.member.mockFile {
      throw Rejection(
        .pluginLinked, "'\(plugin.name)' is a mock of '\(mock)' and has no code to be loaded again",
        remedy: "start the app again, with '--mock \(plugin.name)=…' or without it")
    }
    guard let file = plugin.member.path else {
      throw Rejection(
        .pluginLinked,
        "'\(plugin.name)' is part of the program and has no file to be loaded again")
    }
    let resolver = PluginResolver(locator: PluginLocator(), options: options)
    do throws(PluginError) {
      let member = try resolver.resolve(
        path: plugin.member.folder ?? file,
        expecting: options.lockEnforcement == nil ? nil : plugin.name)
      if plugin.member.isLoaded { _ = try member.load() }
      return member
    } catch {
      throw Rejection(error.cause.rule, Self.words(error))
    }
  }

  /// A problem in several lines: what it is, its details, and the remedy.
  private static func words(_ problem: PluginError) -> String {
    guard let errors = problem.compiler?.errors, !errors.isEmpty else {
      return ([problem.summary] + problem.details.prefix(8) + [problem.remedy])
        .joined(separator: "\n")
    }
    let limit = 5
    let place = problem.path == "." ? "" : " in '\(problem.path)'"
    var lines = ["the sources\(place) do not compile:"]
    lines += errors.prefix(limit)
    if errors.count > limit { lines.append("and \(errors.count - limit) more") }
    return (lines + [problem.remedy]).joined(separator: "\n")
  }

  /// The first errors of a report, one per line in the format of compilers.
  private static func words(_ report: ManifestReport) -> String {
    let errors = report.problems.filter { $0.severity == .error }
    let limit = 5
    var lines = ["the manifest does not fit it:"]
    lines += errors.prefix(limit).map {
      "\(report.sources.description(of: $0.range)): \($0.message) [\($0.code)]"
    }
    if errors.count > limit { lines.append("and \(errors.count - limit) more") }
    lines.append(
      "':reload' without a name reads a manifest that was changed, and the plugin with it")
    return lines.joined(separator: "\n")
  }
}

extension ManifestReport {
  /// The manifest's version requirement for a plugin; `nil` if it accepts any version.
  func requirement(of name: String) -> VersionRequirement? {
    zip(manifest?.plugins ?? [], plugins.names).first { $1 == name }?.0.version?.value
  }
}
