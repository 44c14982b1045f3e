internal import AppCheck
@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Support

// Reading, building and loading what has changed, without changing the running app.
extension LoadedApp {
  /// Reads the manifest and its plugins again, and loads the new builds of those that are loaded.
  ///
  /// - Returns: the app that it describes now, `nil` if nothing has changed, or why it can't run; and
  ///   the files and folders whose changes matter.
  func readAgain(
    _ options: AppOptions
  ) -> (Result<LoadedApp?, Rejection>, paths: [String]) {
    var paths: [String] = []
    do throws(AppLoadError) {
      let app = try LoadedApp.load(path, options: options).following(self)
      paths =
        app.report.sourcePaths + app.plugins.compactMap { $0.member.folder ?? $0.member.path }
      for plugin in app.plugins where isLoaded(plugin: plugin.name) ?? false {
        do throws(PluginError) {
          _ = try plugin.member.load()
        } catch {
          throw AppLoadError.plugin(name: plugin.name, reason: error.summary)
        }
      }
      return (.success(app.isSame(as: self) ? nil : app), paths)
    } catch {
      if case .problems(let report) = error { paths = report.sourcePaths }
      return (.failure(Rejection(.manifestNotReloaded, error.firstLine)), paths)
    }
  }

  /// Whether the manifest's files and its plugins are equal to those of another app.
  private func isSame(as other: LoadedApp) -> Bool {
    report.fileContents == other.report.fileContents
      && plugins.count == other.plugins.count
      && zip(plugins, other.plugins).allSatisfy { $0.isSame(as: $1) }
  }

  /// The app with a new build of a plugin, which is built, read, validated, scanned, loaded and checked
  /// against the manifest; `nil` if it is the build that runs.
  func withNewBuild(
    of plugin: Plugin, _ options: AppOptions
  ) throws(Rejection) -> LoadedApp? {
    var options = options
    // The lock as it was when the manifest was read.
    options.lockEnforcement = report.lockEnforcement
    let member = try plugin.loadedAgain(options)
    if member.digest != nil, member.hasSameCode(as: plugin.member) { return nil }
    let info = member.info
    guard info.name == plugin.name else {
      throw Rejection(
        .pluginRenamed,
        "'\(member.path ?? "")' is the plugin '\(info.name)' now; "
          + "a plugin keeps its name while the app runs")
    }
    let requirement = zip(report.manifest?.plugins ?? [], report.plugins.names)
      .first { $1 == plugin.name }?.0.version?.value
    if let requirement, requirement.allows(info.version) != true {
      throw Rejection(
        .pluginDoesNotFit,
        "it is version '\(info.version)' now, and the manifest asks for '\(requirement.text)'")
    }
    let report = report.replacing(member)
    guard let graph = report.graph else {
      throw Rejection(.pluginDoesNotFit, Self.errors(of: report))
    }
    let new = Plugin(
      name: plugin.name, member: member,
      configuration: report.configurations[plugin.name]?.resolved(.null) ?? .object([:]),
      isLazy: plugin.isLazy)
    return with(
      graph.following(self.graph), plugins.map { $0.name == new.name ? new : $0 }, report)
  }

  /// The first errors of a report, one per line in the format of compilers.
  private static func errors(of report: ManifestReport) -> String {
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

  func unknownPlugin(_ name: String) -> Rejection {
    let hint =
      NearestName.of(name, among: pluginNames).map { "did you mean '\($0)'?" }
      ?? "it has \(pluginNames.joined(separator: ", "))"
    return Rejection(.noSuchPlugin, "the app has no plugin '\(name)'; \(hint)")
  }

  var versions: [String: String] {
    Dictionary(uniqueKeysWithValues: plugins.map { ($0.name, $0.member.info.version) })
  }
}

extension LoadedApp.Plugin {
  /// The plugin as its file or its folder of sources is now, loaded if it is loaded.
  fileprivate func loadedAgain(_ options: AppOptions) throws(Rejection) -> AppPlugin {
    if let mock = member.mockFile {
      throw Rejection(
        .pluginLinked, "'\(name)' is a mock of '\(mock)' and has no code to be loaded again",
        remedy: "start the app again, with '--mock \(name)=…' or without it")
    }
    guard let file = member.path else {
      throw Rejection(
        .pluginLinked, "'\(name)' is part of the program and has no file to be loaded again")
    }
    let resolver = PluginResolver(locator: PluginLocator(), options: options)
    do throws(PluginError) {
      let new = try resolver.resolve(
        path: member.folder ?? file, expecting: options.lockEnforcement == nil ? nil : name)
      if member.isLoaded { _ = try new.load() }
      return new
    } catch {
      throw Rejection(error.cause.rule, error.reloadText)
    }
  }
}

extension PluginError {
  /// The problem in several lines: what it is, its details, and the remedy.
  fileprivate var reloadText: String {
    guard let errors = compiler?.errors, !errors.isEmpty else {
      return ([summary] + details.prefix(8) + [remedy]).joined(separator: "\n")
    }
    let limit = 5
    let place = path == "." ? "" : " in '\(path)'"
    var lines = ["the sources\(place) do not compile:"]
    lines += errors.prefix(limit)
    if errors.count > limit { lines.append("and \(errors.count - limit) more") }
    return (lines + [remedy]).joined(separator: "\n")
  }
}

extension AppLoadError {
  var firstLine: String {
    guard case .problems(let report) = self else {
      return String("\(self)".trimmingPrefix("appcore: "))
    }
    return report.firstError
  }
}
