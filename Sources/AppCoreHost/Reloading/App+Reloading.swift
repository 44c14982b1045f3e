internal import AppCheck
@_spi(Host) internal import AppCore
internal import Dispatch
internal import Manifest
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
public import Support

// Replacing the running build of a plugin with a new one.
extension App {
  /// Loads a plugin again from its file or its folder of sources, and moves its instances to it.
  ///
  /// Every instance continues in the new build with its state. Its effects are cancelled, and those
  /// that `didRestore` returns are started. If anything fails, the former build continues and
  /// nothing is lost. The former build stays in memory, because a Swift library is never closed.
  ///
  /// - Parameter name: the plugin's name.
  /// - Returns: the outcome.
  public func reload(_ name: String) async -> ReloadOutcome {
    await reload(name, isAsked: true)
  }

  /// Reloads a plugin; `isAsked` is whether the user has asked for it and sees the outcome.
  package func reload(_ name: String, isAsked: Bool) async -> ReloadOutcome {
    await afterOtherReloads { await self.reloadNow(name, isAsked: isAsked) }
  }

  /// Runs a reload after all that were requested before it.
  func afterOtherReloads(
    _ reload: @escaping @Sendable () async -> ReloadOutcome
  ) async -> ReloadOutcome {
    let before = lastReload
    let task = Task { () -> ReloadOutcome in
      _ = await before?.value
      return await reload()
    }
    lastReload = task
    return await task.value
  }

  /// Sets a closure that is called when reloads compile plugins; `nil` for none.
  ///
  /// It is called with a plugin's name before that is compiled, and with `nil` after each reload.
  package func observeCompilation(_ observer: (@Sendable (String?) -> Void)?) {
    compilationObserver = observer
  }

  private func reloadNow(_ name: String, isAsked: Bool) async -> ReloadOutcome {
    let compilationObserver = compilationObserver
    defer { compilationObserver?(nil) }
    do throws(Rejection) {
      guard let plugin = current.plugins.first(where: { $0.name == name }) else {
        throw unknownPlugin(name)
      }
      var reloading = PluginReloading(app: current, plugin: plugin)
      if let compilationObserver { reloading.options.willCompile = { compilationObserver($0) } }
      guard let candidate = try await reloading.candidate() else {
        guard let code = refusedReloads.removeValue(forKey: name) else { return .unchanged }
        store?.send(.report(.restored(plugin: name, code: code, isAsked: isAsked)))
        return .restored
      }
      let outcome = try replace(plugin, by: candidate, isAsked: isAsked)
      refusedReloads[name] = nil
      return outcome
    } catch {
      if current.plugins.contains(where: { $0.name == name }) { refusedReloads[name] = error.code }
      // The router has already logged this one.
      if error.rule != .stateNotCarried {
        store?.send(
          .report(
            .notReplaced(
              plugin: name, code: error.code, reason: error.message, isAsked: isAsked)))
      }
      return .refused(error)
    }
  }

  private func unknownPlugin(_ name: String) -> Rejection {
    let names = current.plugins.map(\.name)
    let hint =
      NearestName.of(name, among: names).map { "did you mean '\($0)'?" }
      ?? "it has \(names.joined(separator: ", "))"
    return Rejection(
      .noSuchPlugin, "the app has no plugin '\(name)'; \(hint)")
  }

  private func replace(
    _ former: LoadedApp.Plugin, by candidate: PluginReloading.Candidate, isAsked: Bool
  ) throws(Rejection) -> ReloadOutcome {
    let plugin = candidate.plugin
    guard let store, let factory else {
      throw Rejection(.notRunning, "the app has ended")
    }
    var made: [Int: LoadedFeature] = [:]
    // A plugin that is not loaded has no instances, and is instantiated when it is first needed.
    if former.member.isLoaded {
      do {
        made = try factory.make(plugin)
      } catch {
        throw Rejection(
          .pluginNotMade, "the plugin '\(plugin.name)' can't be made: \(error)")
      }
    }
    let replacement = Replacement(
      plugin: plugin.name, versions: (former.member.info.version, plugin.member.info.version),
      graph: candidate.app.graph, features: made, isAsked: isAsked)
    store.send(.replace(replacement))
    switch replacement.outcome {
    case .success(let count):
      factory.replace(plugin)
      recorder?.forgetIdentity()
      current = candidate.app
      // The new build may have corrected what the plugin was suspended for.
      wake(plugin: plugin.name)
      appSession?.note(Self.identity(of: current))
      noteReplaced([plugin.name])
      showAgain()
      return .reloaded(version: plugin.member.info.version, instances: count)
    case .failure(let problem):
      throw problem
    case nil:
      throw Rejection(.notRunning, "the app is at work on something else")
    }
  }
}

extension App {
  /// Counts the replacements of plugins, and warns if very many builds are in memory.
  func noteReplaced(_ plugins: [String]) {
    for plugin in plugins { reloads[plugin, default: 0] += 1 }
    let builds = PluginResolver.loader.mappedBuilds
    if !plugins.isEmpty, builds >= PluginLoader.manyBuilds {
      store?.send(.report(.crowded(builds: builds)))
    }
  }
}

/// The outcome of reloading a plugin or the manifest.
public enum ReloadOutcome: Hashable, Sendable {
  /// The changed manifest runs, and this many instances continue with their states.
  case adopted(instances: Int)
  /// A new build of this version runs, and this many instances continue in it.
  case reloaded(version: String, instances: Int)
  /// Nothing has changed.
  case unchanged
  /// After a refused reload, the file is again the one that runs.
  case restored
  /// The reload was refused for this reason; what was running continues.
  case refused(Rejection)
}

/// A serial queue for reading, building and loading files while an app runs.
///
/// Compiling and scanning take long, and would block a thread of the pool that runs tasks.
enum ReloadQueue {
  private static let queue = DispatchQueue(label: "appcore.reload")

  static func run<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
      queue.async {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
