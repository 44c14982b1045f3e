internal import AppCheck
internal import AppCore
internal import Dispatch
internal import Navigation
internal import PluginHost
internal import Supervision
public import Support

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

public struct FileChange: Sendable {
  /// The name of the plugin that was reloaded; `nil` for the manifest.
  public let plugin: String?
  public let outcome: ReloadOutcome
}

/// Reloads the manifest and the plugins of an app, and follows their files.
///
/// A reload, in this order:
/// 1. It waits for those that were requested before it.
/// 2. On a queue of its own, files are read, built, scanned, loaded and checked
///    (``LoadedApp/readAgain(_:)``, ``LoadedApp/withNewBuild(of:_:)``). The result is the app as it is
///    to run.
/// 3. On the app's thread, ``adopt(_:_:isAsked:in:)`` plans what becomes of each instance, and sends
///    the store the one action that replaces everything.
///
/// If anything fails before that action, what was running continues.
final class Reloader {
  /// How often each plugin was replaced by another build, by its name.
  var counts: [String: Int] = [:]
  var edition = 0
  /// The codes of the last reloads, if they were refused; that of the manifest has an empty name.
  private var refusals: [String: String] = [:]
  /// The files of the last manifest that was refused; they are followed, too.
  private var refusedSources: [String] = []
  private var last: Task<ReloadOutcome, Never>?
  /// Called with a plugin's name before a reload compiles it, and with `nil` after each reload.
  ///
  /// If it is `nil`, ``AppOptions/willCompile`` is called instead.
  var compilationObserver: (@Sendable (String?) -> Void)?
  private var follower: FileFollower?
  private var fileChangeObserver: (@Sendable (FileChange) async -> Void)?

  /// Reloads a plugin, or the manifest if it is `nil`.
  ///
  /// `isAsked` is whether the user has asked for it and sees the outcome.
  func reload(
    _ plugin: String?, isAsked: Bool, in app: isolated App
  ) async -> ReloadOutcome {
    let before = last
    let task = Task { () -> ReloadOutcome in
      _ = await before?.value
      return await self.reloadNow(plugin, isAsked: isAsked, in: app)
    }
    last = task
    let outcome = await task.value
    if plugin == nil { followAgain(app) }
    return outcome
  }

  private func reloadNow(
    _ plugin: String?, isAsked: Bool, in app: isolated App
  ) async -> ReloadOutcome {
    let compilationObserver = compilationObserver
    defer { compilationObserver?(nil) }
    do throws(Rejection) {
      guard let changed = try await changed(plugin, app) else {
        if plugin == nil { refusedSources = [] }
        guard let code = refusals.removeValue(forKey: plugin ?? "") else { return .unchanged }
        app.store?.send(.report(.restored(plugin: plugin, code: code, isAsked: isAsked)))
        return .restored
      }
      let outcome = try adopt(changed, plugin, isAsked: isAsked, in: app)
      if let plugin {
        refusals[plugin] = nil
      } else {
        // Its plugins were read with it.
        (refusals, refusedSources) = ([:], [])
      }
      return outcome
    } catch {
      if error.rule != .noSuchPlugin,
        refusals.updateValue(error.code, forKey: plugin ?? "") != error.code
      {
        let identity = app.current.identity
        // Files are read and written for it.
        Self.queue.async {
          CrashFolder.file(CrashFile(refused: error.code, plugin: plugin, in: identity))
        }
      }
      app.store?.send(
        .report(
          .notReloaded(
            plugin: plugin, code: error.code, reason: error.message, isAsked: isAsked)))
      return .refused(error)
    }
  }

  /// The app as it is to run; `nil` if nothing has changed.
  private func changed(
    _ name: String?, _ app: isolated App
  ) async throws(Rejection) -> LoadedApp? {
    let running = app.current
    var options = running.options
    if let compilationObserver { options.willCompile = { compilationObserver($0) } }
    let given = options
    guard let name else {
      let (result, paths) = await Self.onQueue { running.readAgain(given) }
      if !paths.isEmpty { refusedSources = paths }
      return try result.get()
    }
    guard let plugin = running.plugin(name) else { throw running.unknownPlugin(name) }
    return try await Self.onQueue { () throws(Rejection) in
      try running.withNewBuild(of: plugin, given)
    }
  }
}

// Reading, building and loading files while the app runs.
extension Reloader {
  /// A serial queue: compiling and scanning take long, and would block a thread of the pool that runs
  /// tasks.
  private static let queue = DispatchQueue(label: "appcore.reload")

  private static func onQueue<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
      queue.async {
        continuation.resume(returning: Swift.Result { () throws(Failure) in try body() })
      }
    }
    return try result.get()
  }
}

// Following the files of the plugins and of the manifest.
extension Reloader {
  /// Calls `didReload` with the outcome of each reload of a changed file; `nil` stops following.
  func followFiles(
    of app: isolated App, _ didReload: (@Sendable (FileChange) async -> Void)?
  ) throws(FollowingError) {
    fileChangeObserver = didReload
    try follow(app)
  }

  private func follow(_ app: isolated App) throws(FollowingError) {
    guard fileChangeObserver != nil else {
      follower = nil
      return
    }
    // The previous follower is released only when the new one has begun.
    follower = try FileFollower(followedPaths(of: app.current)) { [weak app] subject in
      Task { await app?.reload(changed: subject) }
    }
  }

  /// Reloads what has changed: the plugin of this name, or the manifest if it is empty.
  func reload(changed subject: String, in app: isolated App) async {
    guard let didReload = fileChangeObserver else { return }
    let plugin = subject.isEmpty ? nil : subject
    await didReload(
      FileChange(plugin: plugin, outcome: reload(plugin, isAsked: false, in: app)))
  }

  /// Follows the app's current files, which may be others after the manifest was read.
  ///
  /// A change between reading a file and following it would be missed, so the manifest is then read
  /// once more.
  private func followAgain(_ app: isolated App) {
    guard fileChangeObserver != nil,
      Set(follower?.paths ?? []) != Set(followedPaths(of: app.current))
    else { return }
    // If it fails, the previous files are still followed; trying again would fail again.
    guard (try? follow(app)) != nil else { return }
    Task { await self.reload(changed: "", in: app) }
  }

  private func followedPaths(of app: LoadedApp) -> [FollowedPath] {
    let plugins = app.plugins.compactMap { plugin -> FollowedPath? in
      guard let path = plugin.member.folder ?? plugin.member.path else { return nil }
      return FollowedPath(
        subject: plugin.name, path: path, isFolder: plugin.member.folder != nil)
    }
    let files = Set(app.report.filePaths + refusedSources)
    return plugins
      + files.sorted().map { path in
        // The path of a rejected plugin may be its folder of sources.
        FollowedPath(subject: "", path: path, isFolder: FilePath.isFolder(path))
      }
  }
}
