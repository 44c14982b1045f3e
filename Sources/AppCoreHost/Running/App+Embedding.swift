internal import AppCheck
@_spi(Host) public import AppCore
internal import Dispatch
internal import Manifest
@_spi(Host) public import Navigation
internal import Support
internal import Synchronization

// Exported because a host reads the events of an app.
@_exported public import struct Navigation.NavigationEvent

// An app embedded in another program: observing it, reloading it and reading its state.
extension App {
  /// The state of the current instance as a `Value`; `nil` if there is none or it can't be encoded.
  ///
  /// It is encoded by the feature's `Codable` code, with `"<secret>"` in place of each secret.
  public var currentState: Value? { state.current.flatMap { dump(of: $0) } }

  /// The state of an instance as a `Value`; `nil` if it has none or it can't be encoded.
  func dump(of id: InstanceID) -> Value? {
    state.feature(of: id, features).flatMap { try? $0.feature.dump($0.state) }
  }

  /// Reads the manifest and its included files again, and replaces the running one in one step.
  ///
  /// An instance whose node still exists continues with its state, and also with its effects unless
  /// its plugin has changed; others are made anew or end. Plugins that are new in the manifest are
  /// loaded. If anything fails, the running manifest stays and nothing is lost.
  public func reloadManifest() async -> ReloadOutcome {
    await reloader.reload(nil, isAsked: true, in: self)
  }

  /// Loads a plugin again from its file or its folder of sources, and moves its instances to it.
  ///
  /// Every instance continues in the new build with its state. Its effects are cancelled, and those
  /// that `didRestore` returns are started. If anything fails, the former build continues and
  /// nothing is lost. The former build stays in memory, because a Swift library is never closed.
  public func reload(_ plugin: String) async -> ReloadOutcome {
    await reloader.reload(plugin, isAsked: true, in: self)
  }

  /// Reloads plugins and the manifest whenever their files change.
  ///
  /// The files of a plugin are its library, or the sources if the manifest names a folder; those of
  /// the manifest include the files that it includes. The reload begins when every changed file has
  /// been closed and nothing has happened for 80 ms, so that no half-written file is loaded.
  /// Plugins that are linked into the program have no files. Changes that other machines make in a
  /// network file system are not seen.
  ///
  /// `didReload` is called with the outcome of each reload; `nil` stops following.
  public func followFiles(
    _ didReload: (@Sendable (FileChange) async -> Void)?
  ) throws(FollowingError) {
    try reloader.followFiles(of: self, didReload)
  }

  func reload(changed subject: String) async {
    await reloader.reload(changed: subject, in: self)
  }

  /// Calls `observer` with a plugin's name before a reload compiles it, and with `nil` after each.
  func observeCompilation(_ observer: (@Sendable (String?) -> Void)?) {
    reloader.compilationObserver = observer
  }

  /// The events of the navigation log after its first `number` ones, oldest first.
  ///
  /// Only the latest 256 are kept.
  public func navigationEvents(after number: Int = 0) -> [NavigationEvent] {
    state.journal.events(after: number)
  }

  /// How many navigation events there have been since the app began.
  public var eventCount: Int { state.journal.count }

  /// The entries of the log after its first `number` ones, oldest first.
  ///
  /// Only the latest 256 entries are kept.
  public func actionRecords(after number: Int = 0) -> [ActionRecord] {
    log.records(after: number, state.journal)
  }

  /// Calls `body` with each new entry of the log; `nil` stops that.
  ///
  /// It is called on the app's thread, whenever actions have been reduced and none is queued. It is
  /// called again for a line that is refused afterwards.
  public func observeActions(_ body: (@Sendable (ActionRecord) -> Void)?) { log.observe(body) }
}

/// The path from the root of an app to its current instance.
public struct AppPath: Sendable {
  /// How many names ``names`` holds at most.
  public static let limit = 32

  /// The names of the nodes from the root to the current instance.
  ///
  /// If there are more than ``limit``, the first one and the last 31.
  public let names: [String]
  /// The titles of the same nodes; the name of a node that has no title.
  public let titles: [String]
  /// How many instances the whole path has.
  public let depth: Int
}

extension App {
  /// The path from the root to the current instance.
  ///
  /// - Complexity: O(1), whatever the depth: at most ``AppPath/limit`` instances are visited.
  public var path: AppPath {
    let state = shownState
    let ids = state.path(limit: AppPath.limit)
    let nodes = ids.compactMap { state.instances[$0].map { graph.nodes[$0.node] } }
    let depth = state.current.flatMap { state.instances[$0]?.depth } ?? 0
    return AppPath(
      names: nodes.map(\.name), titles: nodes.map { $0.title ?? $0.name }, depth: depth)
  }

  /// The current position as a link: every node with its arguments, modals marked with `!`.
  ///
  /// A secret argument is replaced by `…`. The middle of a long path is left out unless `isFull`.
  ///
  /// - Complexity: O(depth) if `isFull`, else O(1).
  public func position(isFull: Bool) -> String {
    var writer = PositionWriter(graph: graph, state: shownState)
    return writer.text(limit: isFull ? .max : AppPath.limit)
  }

  /// Why the full position can't be opened again; `nil` if it can.
  ///
  /// The reason is a secret argument, which a position leaves out.
  ///
  /// - Complexity: O(depth).
  public var positionRemark: String? {
    var writer = PositionWriter(graph: graph, state: shownState)
    _ = writer.text()
    return writer.secret.map { secret in
      "this position can't be reopened: '\(secret.argument)' of '\(secret.node)' is secret and was "
        + "left out"
    }
  }
}

/// Blocks the calling thread until asynchronous work has finished, and returns its result.
///
/// It is for threads outside of Swift's concurrency, such as a program's main thread. Never call it
/// from a task: it would block a thread of the pool that runs tasks.
public func waitFor<Result: Sendable>(
  _ operation: @escaping @Sendable () async -> Result
) -> Result {
  let done = DispatchSemaphore(value: 0)
  let result = Mutex<Result?>(nil)
  Task {
    let value = await operation()
    result.withLock { $0 = value }
    done.signal()
  }
  while true {
    done.wait()
    if let value = result.withLock({ $0 }) { return value }
  }
}

// Inspecting a running app, for tests and tools.
extension App {
  /// The name of the current instance's node; `nil` before the app has begun.
  public var currentNode: String? {
    state.current.flatMap { state.instances[$0] }.map { graph.nodes[$0.node].name }
  }

  /// The names of all nodes, in the order of the manifest that the app was loaded with.
  public nonisolated var nodeNames: [String] { loaded.graph.nodes.map(\.name) }

  /// How many instances there are, including hidden ones and containers.
  public var instanceCount: Int { state.instances.count }

  /// The state of the nearest instance of a node as a `Value`, with `"<secret>"` for each secret.
  ///
  /// - Returns: the state; `nil` if the node is a container.
  /// - Throws: ``InstanceError`` if there is no such instance, or its state can't be encoded.
  public func featureState(of node: String) throws(InstanceError) -> Value? {
    let (id, feature) = try find(node)
    guard let feature, let state = state.instances[id]?.state else { return nil }
    do {
      return try feature.dump(state)
    } catch {
      throw InstanceError("the state of '\(node)' can't be coded: \(error)")
    }
  }

  /// Goes back several times as `:back` does, without rendering the screens in between.
  ///
  /// - Returns: how often it went back; less than `times` if a step was refused.
  public func back(times: Int) -> Int {
    for count in 0..<max(times, 0) where goBack() != nil { return count }
    return max(times, 0)
  }

  /// Makes the nearest instance of a node emit a delegate action, once for each payload.
  ///
  /// No screens are rendered in between, so navigating very deep costs only the routes. Each
  /// emission comes from the instance that is nearest then: the current one, else the first on the
  /// path to the root, else one in a hidden tab or in the background.
  ///
  /// - Throws: why the action can't be emitted; previous emissions have taken effect.
  public func emit(
    _ action: String, from node: String, payloads: [Value]
  ) throws(InstanceError) {
    for payload in payloads {
      let (id, feature) = try find(node)
      guard let feature else {
        throw InstanceError(
          "'\(node)' is a container, which has no feature; name the node of one of its tabs")
      }
      guard feature.info.delegates.contains(where: { $0.name == action }) else {
        throw InstanceError(
          "the feature '\(feature.info.name)' has no delegate action '\(action)'", action,
          among: feature.info.delegates.map(\.name))
      }
      let made: AnyAction
      do {
        made = try feature.delegate(action, payload: payload)
      } catch {
        throw InstanceError(payloadOf: action, reason: "\(error)")
      }
      store?.send(.instance(id, made))
    }
  }

  /// The delegate actions of a node's feature; `nil` if there is no such node, or it is a
  /// container.
  public func delegates(of node: String) -> [CaseSchema]? {
    guard let node = graph.index(of: node), let feature = graph.nodes[node].feature else {
      return nil
    }
    return graph.plugin(of: node).flatMap(current.plugin)?.member.info.features
      .first { $0.name == feature }?.delegates
  }

  /// The nearest instance of a node, and its feature; the feature is `nil` for a container.
  package func find(_ name: String) throws(InstanceError) -> (InstanceID, LoadedFeature?) {
    guard let node = graph.index(of: name) else {
      throw InstanceError("the manifest has no node '\(name)'", name, among: nodeNames)
    }
    let state = state
    // The nearest one on the path to the root; else the one that was presented last.
    var nearest = state.current
    while let id = nearest, state.instances[id]?.node != node { nearest = state.parent(of: id) }
    guard let id = nearest ?? state.navigation.lastOfNode[node] else {
      throw InstanceError(
        "no instance of '\(name)' is presented now; on the way from the root are: "
          + path.names.joined(separator: ", "))
    }
    return (id, features[node])
  }
}

/// Why an instance of a node can't be inspected, or can't emit an action.
public struct InstanceError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  package init(payloadOf delegate: String, reason: String) {
    self.init("the payload does not fit the delegate action '\(delegate)': \(reason)")
  }

  /// The error for a name that is not known, with the most similar one or all that are.
  fileprivate init(_ problem: String, _ name: String, among known: [String]) {
    if let nearest = NearestName.of(name, among: known) {
      self.init(problem + "; did you mean '\(nearest)'?")
    } else {
      self.init(
        problem + (known.isEmpty ? "; it has none" : "; it has: " + known.joined(separator: ", ")))
    }
  }
}
