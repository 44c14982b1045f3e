internal import AppCheck
@_spi(Host) internal import AppCore
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Support

// Replacing the running manifest with a changed one.
extension App {
  /// Reads the manifest and its included files again, and replaces the running one in one step.
  ///
  /// An instance whose node still exists continues with its state, and also with its effects unless
  /// its plugin has changed; a `SessionPlan` decides which of the others are made anew and which
  /// end. Plugins that are new in the manifest are loaded. Those that it no longer names stay in
  /// memory, but are not called any more. If anything fails, the running manifest stays and nothing
  /// is lost.
  ///
  /// - Returns: the outcome.
  public func reloadManifest() async -> ReloadOutcome { await reloadManifest(isAsked: true) }

  /// Reloads the manifest; `isAsked` is whether the user has asked for it and sees the outcome.
  package func reloadManifest(isAsked: Bool) async -> ReloadOutcome {
    let outcome = await afterOtherReloads { await self.reloadManifestNow(isAsked: isAsked) }
    followAgain()
    return outcome
  }

  private func reloadManifestNow(isAsked: Bool) async -> ReloadOutcome {
    let compilationObserver = compilationObserver
    defer { compilationObserver?(nil) }
    do throws(Rejection) {
      var options = current.options
      if let compilationObserver { options.willCompile = { compilationObserver($0) } }
      let changed = try await changedApp(options)
      guard let changed else {
        refusedSources = []
        guard let code = refusedManifest else { return .unchanged }
        refusedManifest = nil
        store?.send(.report(.manifestRestored(code: code, isAsked: isAsked)))
        return .restored
      }
      refusedSources = changed.paths
      let count = try adopt(changed, isAsked: isAsked)
      (refusedManifest, refusedSources) = (nil, [])
      return .adopted(instances: count)
    } catch {
      refusedManifest = error.code
      store?.send(
        .report(.notAdopted(code: error.code, reason: error.message, isAsked: isAsked)))
      return .refused(error)
    }
  }

  /// The app that the manifest describes now; `nil` if neither it nor its plugins have changed.
  private func changedApp(_ options: AppOptions) async throws(Rejection) -> LoadedApp? {
    let running = current
    let (read, paths) = await ReloadQueue.run {
      var paths: [String] = []
      do throws(AppLoadError) {
        let app = try LoadedApp.load(running.path, options: options).following(running)
        paths = app.paths
        for plugin in app.plugins where running.needs(plugin) { try plugin.load() }
        return (Result<LoadedApp, AppLoadError>.success(app), paths)
      } catch {
        if case .problems(let report) = error { paths = report.sourcePaths }
        return (.failure(error), paths)
      }
    }
    switch read {
    case .success(let app):
      return app.isSame(as: running) ? nil : app
    case .failure(let error):
      if !paths.isEmpty { refusedSources = paths }
      throw Rejection(.manifestNotReloaded, error.firstLine)
    }
  }

  /// Replaces the running app with one that was loaded.
  ///
  /// - Returns: how many instances continue with their states.
  private func adopt(_ app: LoadedApp, isAsked: Bool) throws(Rejection) -> Int {
    guard let store, let previousFactory = factory, !state.isClosing else {
      throw Rejection(.notRunning, "the app has ended")
    }
    let factory = FeatureFactory(app, following: previousFactory)
    // Before any code of its plugins runs, so that a crash is reported with the new graph's names.
    nameNodes(of: app.graph)
    appSession?.note(Self.identity(of: app))
    var isAdopted = false
    defer {
      if !isAdopted {
        nameNodes(of: graph)
        appSession?.note(Self.identity(of: current))
      }
    }
    let features: FeatureTable
    do throws(AppLoadError) {
      features = try factory.table()
    } catch {
      throw Rejection(.manifestNotReloaded, error.firstLine)
    }
    let identity = identity
    var image = SessionImage(
      identity: identity,
      AppMoment(outlining: state, in: graph, orders: recorder?.orders ?? [:]) { suspended[$0] })
    for instance in unplaced { image.moment.instances[instance.id] = instance }
    var suspensions = Suspensions()
    suspensions.plugins = factory.suspensions
    var restored = StateRestorer(
      identity: identity, versions: app.versions, features: features, calls: calls,
      suspensions: suspensions,
      from: StateRestorer.RunningApp(
        state, features: self.features, versions: current.versions,
        unchanged: Set(
          app.plugins.map(\.name).filter { factory.shares($0, with: previousFactory) }),
        newGraph: app.graph))
    let plan: SessionPlan
    do throws(SessionPlan.StartFailure) {
      plan = try SessionPlan.make(of: image, in: app.graph, &restored)
    } catch {
      throw Rejection(.manifestNotReloaded, "the app can't begin: \(error.reason)")
    }
    if let rejection = restored.rejection { throw rejection }
    image.moment.encode(
      plan.dropped, of: state, in: graph, features: self.features, calls: calls)
    let waitingLink = state.waitingLink?.address
    let adoption = Adoption(
      app.graph, features: features,
      layout: plan.layout(restored), losses: plan.losses,
      isAsked: isAsked)
    isAdopted = true
    let former = current
    (current, self.factory) = (app, factory)
    store.send(.adopt(adoption))
    takeOver(plan, of: image, restored, adoption)
    let renewed = app.plugins.map(\.name).filter { !factory.shares($0, with: previousFactory) }
    // A new build may have corrected what its plugin was suspended for.
    renewed.forEach { wake(plugin: $0) }
    noteReplaced(app.plugins.filter { $0.isAnotherBuild(than: former) }.map(\.name))
    if let waitingLink { open(waitingLink) }
    showAgain()
    return plan.count {
      if case .kept = $0 { true } else if case .migrated = $0 { true } else { false }
    }
  }

  /// Updates the suspended and unplaced instances to the adopted plan.
  private func takeOver(
    _ plan: SessionPlan, of image: SessionImage, _ restored: StateRestorer, _ adoption: Adoption
  ) {
    var ids: [InstanceID: InstanceID] = [:]
    for (former, id) in zip(plan.ids, adoption.ids) { if let former { ids[former] = id } }
    suspended = [:]
    for (former, kept) in restored.suspended {
      if let id = ids[former] { suspended[id] = kept }
    }
    shownData = shownData.filter { suspended[$0.key] != nil }
    unplaced = UnplacedInstances.of(plan, from: image, ids)
    recorder?.forgetAll(unplaced: unplaced, orders: plan.orders(of: adoption.ids))
  }
}

extension LoadedApp {
  /// The versions of its plugins, by their names.
  var versions: [String: String] {
    Dictionary(
      plugins.map { ($0.name, $0.member.info.version) }, uniquingKeysWith: { first, _ in first })
  }

  /// The files and folders whose changes matter: the manifest, its includes, and the plugins.
  fileprivate var paths: [String] {
    report.sourcePaths + plugins.compactMap { $0.member.folder ?? $0.member.path }
  }

  /// Whether a new build must be loaded at once, because the running build of the plugin is loaded.
  fileprivate func needs(_ plugin: Plugin) -> Bool {
    plugins.first { $0.name == plugin.name }?.member.isLoaded ?? false
  }

  /// Whether the manifest's files and its plugins are equal to those of another app.
  fileprivate func isSame(as other: LoadedApp) -> Bool {
    report.fileContents == other.report.fileContents
      && plugins.count == other.plugins.count
      && zip(plugins, other.plugins).allSatisfy { $0.isSame(as: $1) }
  }
}

extension LoadedApp.Plugin {
  /// Whether `former` has loaded another build of this plugin.
  fileprivate func isAnotherBuild(than former: LoadedApp) -> Bool {
    former.plugins.contains { other in
      other.name == name && other.member.isLoaded && !other.member.hasSameCode(as: member)
    }
  }

  fileprivate func load() throws(AppLoadError) {
    do throws(PluginError) {
      _ = try member.load()
    } catch {
      throw .plugin(name: name, reason: error.summary)
    }
  }
}

extension AppLoadError {
  /// The first error, in one line.
  fileprivate var firstLine: String {
    guard case .problems(let report) = self else {
      let text = "\(self)"
      return text.hasPrefix("appcore: ") ? String(text.dropFirst("appcore: ".count)) : text
    }
    return report.firstError
  }
}
