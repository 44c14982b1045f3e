internal import AppCheck
@_spi(Host) internal import AppCore
public import Diagnostics
internal import Dispatch
internal import Manifest
@_spi(Host) internal import Navigation
internal import PluginHost
internal import Sessions
internal import Support

// A plugin's new build in the place of the one that runs.
extension App {
  /// Loads a plugin again, from its file or the folder of its sources, and lets every instance of its
  /// features go over to the new build with its state.
  ///
  /// The instances' effects end, and what `didRestore` returns begins. Whatever fails, the former build
  /// continues and nothing is lost. The former code stays loaded: a Swift library is never closed.
  ///
  /// - Parameter name: the plugin's name.
  /// - Returns: what came of it.
  public func reload(_ name: String) async -> ReloadOutcome {
    await reload(name, isAsked: true)
  }

  /// The same; `isAsked` says whether a person asked for it and sees the answer.
  package func reload(_ name: String, isAsked: Bool) async -> ReloadOutcome {
    await afterOtherReloads { await self.reloadNow(name, isAsked: isAsked) }
  }

  /// One reload after the other.
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

  /// Sets who is called when a compiler begins and ends; `nil` for nobody.
  package func tellOfCompiling(_ tell: (@Sendable (String?) -> Void)?) { compileTeller = tell }

  private func reloadNow(_ name: String, isAsked: Bool) async -> ReloadOutcome {
    let compileTeller = compileTeller
    defer { compileTeller?(nil) }
    do throws(Rejection) {
      guard let plugin = current.plugins.first(where: { $0.name == name }) else {
        throw unknownPlugin(name)
      }
      var reloading = PluginReloading(app: current, plugin: plugin)
      if let compileTeller { reloading.options.willCompile = { compileTeller($0) } }
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
      // What the store refuses it has logged itself.
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
    guard let store, let maker else {
      throw Rejection(.notRunning, "the app has ended")
    }
    var made: [Int: LoadedFeature] = [:]
    // One that nobody has needed yet has no instances, and is made when somebody does.
    if former.member.isLoaded {
      do {
        made = try maker.make(plugin)
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
      maker.replace(plugin)
      recorder?.forgetIdentity()
      current = candidate.app
      // Another file may not have what the former one was suspended for.
      wake(plugin: plugin.name)
      outliving?.note(Self.identity(of: current))
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
  /// Counts the plugins of which another build runs now, and warns when very many are in memory.
  func noteReplaced(_ plugins: [String]) {
    for plugin in plugins { reloads[plugin, default: 0] += 1 }
    let builds = PluginLoading.loader.mappedBuilds
    if !plugins.isEmpty, builds >= PluginLoader.manyBuilds {
      store?.send(.report(.crowded(builds: builds)))
    }
  }
}

/// What came of loading a plugin, or the manifest, again.
public enum ReloadOutcome: Hashable, Sendable {
  /// The changed manifest has taken the former one's place, and so many instances continue.
  case adopted(instances: Int)
  /// The new build has taken the former one's place, and so many instances went over to it.
  case reloaded(version: String, instances: Int)
  /// The file is the one that runs.
  case unchanged
  /// The same, after a reload that was refused: what was wrong was undone.
  case restored
  /// The former build continues, and why.
  case refused(Rejection)
}

/// The thread on which files are read, built and loaded while an app runs.
///
/// Compilers and scans take their time, and would hold a thread that tasks need.
enum ReloadThread {
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
