internal import AppCheck
@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Supervision
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
    guard app.store != nil, let former = app.factory, !app.state.isClosing else {
      throw Rejection(.notRunning, "the app has ended")
    }
    let running = app.current
    let factory = FeatureFactory(loaded, following: former)
    // Before any code of its plugins runs, so that a crash is reported with the new graph's names.
    identify(app, as: loaded)
    var isAdopted = false
    defer { if !isAdopted { identify(app, as: running) } }
    let features: FeatureTable
    do throws(AppLoadError) {
      features = try factory.table()
    } catch {
      guard case .plugin(let name, let reason) = error, plugin != nil else {
        throw Rejection(.manifestNotReloaded, error.firstLine)
      }
      throw Rejection(.pluginNotMade, "the plugin '\(name)' can't be made: \(reason)")
    }
    var image = app.keeper.outline(of: app)
    var suspensions = Suspensions()
    // Those of a plugin that has changed are tried when all others continue.
    suspensions.plugins = former.suspended
    let renewed = loaded.plugins.map(\.name).filter { !factory.shares($0, with: former) }
    var states = StateRestorer(
      identity: image.identity, versions: loaded.versions, features: features, calls: app.calls,
      suspensions: suspensions,
      from: (
        app.state, app.features, running.versions,
        Set(loaded.plugins.map(\.name)).subtracting(renewed), loaded.graph
      ))
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
    let count = plugin == nil ? plan.continuedCount : states.convertedCount
    let replacement = Replacement(
      loaded.graph, features: features,
      layout: plan.layout(states),
      reload: NavigationEvent.Reload(plugin: change, instances: count, losses: plan.losses),
      isAsked: isAsked)
    let waitingLink = plugin == nil ? app.state.waitingLink?.address : nil
    isAdopted = true
    image.moment.encode(
      plan.dropped, of: app.state, in: app.graph, features: app.features, calls: app.calls)
    edition += 1
    app.keeper.follow(replacement, plan, of: image, suspended: states.suspended)
    app.replace(by: loaded, factory, replacement)
    // A new build may have corrected what its plugin was suspended for.
    renewed.forEach { app.keeper.wake(plugin: $0, in: app) }
    countReplaced(
      plugin.map { [$0] }
        ?? loaded.plugins.filter { $0.isAnotherBuild(than: running) }.map(\.name), in: app)
    if let waitingLink { app.open(waiting: waitingLink) }
    app.timeline.showAgain(in: app)
    return change.map { .reloaded(version: $0.to, instances: count) } ?? .adopted(instances: count)
  }

  /// Names another app in reports of crashes, here and in the supervisor.
  private func identify(_ app: isolated App, as loaded: LoadedApp) {
    app.watch.registerNames(of: loaded.graph)
    app.keeper.session?.worker?.setIdentity(loaded.identity)
    app.watch.register(loaded.identity)
  }

  /// Counts the replacements of plugins, and warns if very many builds are in memory.
  private func countReplaced(_ plugins: [String], in app: isolated App) {
    for plugin in plugins { counts[plugin, default: 0] += 1 }
    let builds = PluginResolver.loader.mappedBuilds
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
  fileprivate func isAnotherBuild(than former: LoadedApp) -> Bool {
    former.plugin(name).map { $0.member.isLoaded && !$0.member.hasSameCode(as: member) } ?? false
  }
}
