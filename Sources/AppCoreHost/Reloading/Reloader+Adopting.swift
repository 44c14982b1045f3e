internal import AppCheck
@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Support

extension Reloader {
  /// Replaces the running app with one that was loaded: a changed manifest, or the same with another
  /// build of a plugin.
  ///
  /// An instance whose node still exists continues with its state, and also with its effects unless
  /// its plugin has changed; a `SessionPlan` decides which of the others are made anew and which
  /// end. Plugins that the manifest no longer names stay in memory, but are not called any more.
  func adopt(
    _ loaded: LoadedApp, _ plugin: String?, isAsked: Bool, in app: isolated App
  ) throws(Rejection) -> ReloadOutcome {
    guard let store = app.store, let former = app.factory, !app.state.isClosing else {
      throw Rejection(.notRunning, "the app has ended")
    }
    let running = app.current
    let factory = FeatureFactory(loaded, following: former)
    // Before any code of its plugins runs, so that a crash is reported with the new graph's names.
    app.identify(as: loaded)
    var isAdopted = false
    defer { if !isAdopted { app.identify(as: running) } }
    let features: FeatureTable
    do throws(AppLoadError) {
      features = try factory.table()
    } catch {
      guard case .plugin(let name, let reason) = error, plugin != nil else {
        throw Rejection(.manifestNotReloaded, error.firstLine)
      }
      throw Rejection(.pluginNotMade, "the plugin '\(name)' can't be made: \(reason)")
    }
    let image = app.outline()
    var suspensions = Suspensions()
    // Those of a plugin that has changed are tried when all others continue.
    suspensions.plugins = former.suspended
    let renewed = loaded.plugins.map(\.name).filter { !factory.shares($0, with: former) }
    var states = RunningFeatures(
      RunningFeatures.Transition(
        of: app.state, from: app.features, to: features,
        kept: Set(loaded.plugins.map(\.name)).subtracting(renewed),
        formerVersions: running.versions),
      graph: loaded.graph, identity: image.identity, versions: loaded.versions, calls: app.calls,
      suspensions: suspensions)
    let plan: SessionPlan
    do throws(SessionPlan.StartFailure) {
      plan = try SessionPlan.make(of: image, in: loaded.graph, &states)
    } catch {
      throw Rejection(.manifestNotReloaded, "the app can't begin: \(error.reason)")
    }
    if let rejection = states.rejection { throw rejection }
    let change = plugin.map { name in
      NavigationEvent.PluginChange(
        name: name, from: running.versions[name] ?? "", to: loaded.versions[name] ?? "")
    }
    let count =
      plugin == nil
      ? plan.count {
        if case .kept = $0 { true } else if case .migrated = $0 { true } else { false }
      }
      : states.convertedCount
    let replacement = ManifestReplacement(
      loaded.graph, features: features,
      layout: plan.layout(states.states, running: states.running),
      reload: NavigationEvent.Reload(plugin: change, instances: count, losses: plan.losses),
      isAsked: isAsked)
    let waitingLink = plugin == nil ? app.state.waitingLink?.address : nil
    isAdopted = true
    app.replace(by: loaded, factory, plan, of: image, states, replacement, store)
    // A new build may have corrected what its plugin was suspended for.
    renewed.forEach { app.wake(plugin: $0) }
    countReplaced(
      plugin.map { [$0] }
        ?? loaded.plugins.filter { $0.isAnotherBuild(than: running) }.map(\.name), in: app)
    if let waitingLink { app.open(waitingLink) }
    app.showAgain()
    return change.map { .reloaded(version: $0.to, instances: count) } ?? .adopted(instances: count)
  }

  /// Counts the replacements of plugins, and warns if very many builds are in memory.
  private func countReplaced(_ plugins: [String], in app: isolated App) {
    for plugin in plugins { counts[plugin, default: 0] += 1 }
    let builds = PluginLoading.loader.mappedBuilds
    guard !plugins.isEmpty, builds >= PluginLoader.manyBuilds else { return }
    app.store?.send(
      .report(
        .warning(
          Rejection(
            .manyBuilds,
            "\(builds) builds of plugins are in memory, and former ones stay there: start the app again "
              + "when that suits"))))
  }
}

extension LoadedApp.Plugin {
  /// Whether `former` has loaded another build of this plugin.
  fileprivate func isAnotherBuild(than former: LoadedApp) -> Bool {
    former.plugins.contains { other in
      other.name == name && other.member.isLoaded && !other.member.hasSameCode(as: member)
    }
  }
}
