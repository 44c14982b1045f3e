internal import AppCheck
@_spi(Host) internal import AppCore
internal import Diagnostics
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions

// A changed manifest in the place of the one that runs.
extension App {
  /// Reads the manifest again, with what it includes, and takes it over in one step.
  ///
  /// An instance of a node that is still there continues with its state, and with its effects unless its
  /// plugin is another build; the others are made anew or end, as a plan says. Plugins that the manifest
  /// names now are loaded; those that it does not name any more stay in memory and are not called. Whatever
  /// fails, the former manifest stays and nothing is lost.
  ///
  /// - Returns: what came of it.
  public func reloadManifest() async -> ReloadOutcome { await reloadManifest(isAsked: true) }

  /// The same; `isAsked` says whether a person asked for it and sees the answer.
  package func reloadManifest(isAsked: Bool) async -> ReloadOutcome {
    let outcome = await afterOtherReloads { await self.reloadManifestNow(isAsked: isAsked) }
    followAgain()
    return outcome
  }

  private func reloadManifestNow(isAsked: Bool) async -> ReloadOutcome {
    let compileTeller = compileTeller
    defer { compileTeller?(nil) }
    do throws(Rejection) {
      var options = current.options
      if let compileTeller { options.willCompile = { compileTeller($0) } }
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

  /// The app as the manifest is now; `nil` where that is the one that runs.
  private func changedApp(_ options: AppOptions) async throws(Rejection) -> LoadedApp? {
    let running = current
    let (read, paths) = await ReloadThread.run {
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

  /// Lets an app that was loaded take the place of the one that runs.
  ///
  /// - Returns: how many instances continue.
  private func adopt(_ app: LoadedApp, isAsked: Bool) throws(Rejection) -> Int {
    guard let store, let formerMaker = maker, !state.isClosing else {
      throw Rejection(.notRunning, "the app has ended")
    }
    let maker = AppFeatures(app, following: formerMaker)
    // Before any code of its plugins runs: a crash is to be named by the new graph.
    nameNodes(of: app.graph)
    outliving?.note(Self.identity(of: app))
    var isAdopted = false
    defer {
      if !isAdopted {
        nameNodes(of: graph)
        outliving?.note(Self.identity(of: current))
      }
    }
    let features: FeatureTable
    do throws(AppLoadError) {
      features = try maker.table()
    } catch {
      throw Rejection(.manifestNotReloaded, error.firstLine)
    }
    let identity = identity
    var image = SessionImage(identity: identity)
    image.instances = SessionRecorder.outline(
      of: state, in: graph, orders: recorder?.orders ?? [:]
    ) { suspended[$0] }
    for instance in leftOver { image.instances[instance.id] = instance }
    var suspensions = Suspensions()
    suspensions.plugins = maker.suspensions
    var running = RunningFeatures(
      RunningFeatures.Transition(
        of: state, from: self.features, to: features,
        kept: Set(app.plugins.map(\.name).filter { maker.shares($0, with: formerMaker) }),
        formerVersions: current.versions),
      graph: app.graph, identity: identity, versions: app.versions, calls: calls,
      suspensions: suspensions)
    let plan: SessionPlan
    do throws(SessionPlan.StartFailure) {
      plan = try SessionPlan.make(of: image, in: app.graph, &running)
    } catch {
      throw Rejection(.manifestNotReloaded, "the app can't begin: \(error.reason)")
    }
    if let rejection = running.rejection { throw rejection }
    SessionRecorder.complete(
      &image.instances, plan.dropped, of: state, in: graph, features: self.features, calls: calls)
    let waitingLink = state.waitingLink?.address
    let adoption = Adoption(
      app.graph, features: features,
      layout: plan.layout(running.states, running: running.running), losses: plan.losses,
      isAsked: isAsked)
    isAdopted = true
    let former = current
    (current, self.maker) = (app, maker)
    store.send(.adopt(adoption))
    takeOver(plan, of: image, running, adoption)
    let renewed = app.plugins.map(\.name).filter { !maker.shares($0, with: formerMaker) }
    // Another build of a plugin may be the one that is corrected.
    renewed.forEach { wake(plugin: $0) }
    noteReplaced(app.plugins.filter { $0.isAnotherBuild(than: former) }.map(\.name))
    if let waitingLink { open(waitingLink) }
    showAgain()
    return plan.count {
      if case .kept = $0 { true } else if case .migrated = $0 { true } else { false }
    }
  }

  /// Takes note of what is suspended and left over now.
  private func takeOver(
    _ plan: SessionPlan, of image: SessionImage, _ running: RunningFeatures, _ adoption: Adoption
  ) {
    var ids: [UInt64: InstanceID] = [:]
    for (former, id) in zip(plan.ids, adoption.ids) { if let former { ids[former] = id } }
    suspended = [:]
    for (former, kept) in running.saved.suspended {
      if let id = ids[former] { suspended[id] = kept }
    }
    shownData = shownData.filter { suspended[$0.key] != nil }
    leftOver = LeftOver.instances(plan, of: image, ids.mapValues(\.number))
    recorder?.forgetAll(leftOver: leftOver, orders: plan.orders(of: adoption.ids))
  }
}

extension LoadedApp {
  /// The versions of its plugins, by their names.
  var versions: [String: String] {
    Dictionary(
      plugins.map { ($0.name, $0.member.info.version) }, uniquingKeysWith: { first, _ in first })
  }

  /// What a change may be of: its manifest, what that includes, and its plugins.
  fileprivate var paths: [String] {
    report.sourcePaths + plugins.compactMap { $0.member.folder ?? $0.member.path }
  }

  /// Whether a plugin's code must be here because that of the build before it is.
  fileprivate func needs(_ plugin: Plugin) -> Bool {
    plugins.first { $0.name == plugin.name }?.member.isLoaded ?? false
  }

  /// Whether the manifest and its plugins are what they are in another app.
  fileprivate func isSame(as other: LoadedApp) -> Bool {
    report.fileContents == other.report.fileContents
      && plugins.count == other.plugins.count
      && zip(plugins, other.plugins).allSatisfy { $0.isSame(as: $1) }
  }
}

extension LoadedApp.Plugin {
  /// Whether an app has another build of it in memory.
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
  /// The first problem, in one line.
  fileprivate var firstLine: String {
    guard case .problems(let report) = self else {
      let text = "\(self)"
      return text.hasPrefix("appcore: ") ? String(text.dropFirst("appcore: ".count)) : text
    }
    return report.firstError
  }
}
