public import AppCheck
@_spi(Host) public import AppCore
@_spi(Host) package import Navigation
internal import Sessions
internal import Supervision
public import Support

/// A running app: an actor with the root store, which runs on a thread of its own.
///
/// Its life:
/// 1. ``LoadedApp/load(_:options:)`` reads and checks the manifest, and loads the plugins that
///    the start node needs; the others are loaded when they are first needed.
/// 2. ``begin()`` instantiates the plugins and shows the start node.
/// 3. Controls, effects and routes send actions; ``settle(within:)`` waits for effects.
/// 4. ``end()`` cancels the effects and releases the instances; the thread ends when the app is
///    released.
///
/// It keeps the store, and navigates, opens links and settles. Objects beside it do the rest, each
/// with a state of its own: ``Conversation`` carries out lines and shows screens, ``Reloader``
/// replaces the manifest and plugins, ``SessionKeeper`` saves and restores instances, ``Timeline``
/// shows past steps, and ``Watch`` attributes crashes and hangs.
public actor App {
  package nonisolated let thread: StoreThread
  /// The executor of the app's own thread, whose stack is large enough for deeply nested states.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// The manifest and plugins that the app was created with.
  public nonisolated let loaded: LoadedApp
  /// The manifest and plugins that run now, with every reload applied.
  package internal(set) var current: LoadedApp
  let dependencies: DependencyValues?
  /// Runs the effects in a test.
  private var effectExecutor: (any EffectExecuting)?
  package nonisolated(unsafe) let log: ActionLog
  private let timelineOptions: TimelineOptions?
  nonisolated let watch = Watch()
  let reloader = Reloader()
  /// What the app has from its beginning to its end.
  private(set) var run = AppRun()
  /// Whether the app is ending or has ended, so that it accepts no more lines.
  var isEnding = false

  /// Creates an app that has not begun; without `dependencies`, features have the live ones.
  public init(_ loaded: LoadedApp, dependencies: DependencyValues? = nil) {
    self.init(loaded, dependencies: dependencies, profiler: nil)
  }

  /// Creates an app with a profiler, which must use the same monotonic clock in nanoseconds, and a
  /// timeline, without which no steps are kept.
  package init(
    _ loaded: LoadedApp, dependencies: DependencyValues? = nil,
    now: @escaping @Sendable () -> Int = MonotonicTime.now, profiler: Profiler?,
    timeline: TimelineOptions? = nil
  ) {
    timelineOptions = timeline
    log = ActionLog(now: now, profiler: profiler, graph: loaded.graph)
    self.loaded = loaded
    self.dependencies = dependencies
    current = loaded
    thread = StoreThread(name: "appcore-store")
  }

  package var graph: Graph { current.graph }
  package var store: Store<AppState, AppAction>? { run.store }
  package var features: FeatureTable { run.features }
  var factory: FeatureFactory? { run.factory }
  var conversation: Conversation { run.conversation }
  var keeper: SessionKeeper { run.keeper }
  var timeline: Timeline { run.timeline }
  nonisolated var calls: CallRecorder { watch.calls }

  /// The navigation and the instances; empty before ``begin()``.
  package var state: AppState { store?.state ?? AppState() }

  /// Runs the effects on a test's executor; called before ``begin()``.
  package func runEffects(on executor: any EffectExecuting) { effectExecutor = executor }

  /// Instantiates the plugins and shows the start node.
  ///
  /// - Throws: ``AppLoadError`` if a plugin or the first instance can't be created.
  public func begin() throws(AppLoadError) { try begin(nil) }

  /// Begins like ``begin()``, or restores the session's image if it has one.
  ///
  /// From then on, changes are written to the session.
  ///
  /// - Throws: ``AppLoadError`` if a plugin or the first instance can't be created; it can be called
  ///   again then.
  package func begin(_ session: AppSession?) throws(AppLoadError) {
    guard store == nil else { return }
    do throws(AppLoadError) {
      try createStore(session)
    } catch {
      tearDown()
      throw error
    }
  }

  private func createStore(_ session: AppSession?) throws(AppLoadError) {
    let policy = current.restartPolicy(after: session?.ends ?? [])
    isEnding = false
    FileSystem.live.value = FileSystem(MachineFiles())
    OpenURL.live.value = OpenURL(DesktopURLs.open)
    let settings = FilePath.part(forApp: graph.name) + ".json"
    if let path = FilePath.ofUser(
      settings, "XDG_CONFIG_HOME", or: ".config", ProcessVariables.value)
    {
      SharedStorage.settingsFile.value = path
    }
    UnsavedWork.installEmergencyCopies()
    session?.worker?.setIdentity(current.identity)
    watch.register(current.identity)
    let keeper = SessionKeeper(session)
    keeper.addSecrets(of: current)
    watch.registerSecrets(keeper.secrets)
    var recorder: StepRecorder?
    if let options = timelineOptions, options.hasHistory || options.file != nil {
      recorder = StepRecorder(
        options, of: current, app: calls.app,
        storage: (dependencies ?? DependencyValues()).sharedValues, secrets: keeper.secrets,
        start: log.now())
    }
    try createFeatures(
      AppRun(conversation, keeper, Timeline(recorder)), suspended: policy.suspensions.plugins)
    let store = Store(
      initialState: AppState(),
      reducer: RecordingRouter(
        router: Router(graph: graph, features: features, calls: calls), log: log,
        recorder: recorder, app: self),
      isolation: self)
    Watch.report(misuseOf: store)
    if let dependencies { store.setDependencies(dependencies) }
    if let effectExecutor { store.runEffects(on: effectExecutor) }
    log.measureEffects(of: store)
    store.onSettledActions { [weak self] in
      self?.assumeIsolated { $0.actionsSettled() }
    }
    run.store = store
    reportStorageErrors()
    if let image = session?.image {
      try keeper.restore(image, policy, in: self)
    } else {
      store.send(.navigate(.begin))
    }
    if let crash = session?.crashDetails?.first {
      log.append(.notice("the app continues: " + crash), after: store.state.journal.count)
    }
    if store.state.current == nil {
      guard case .refused(_, _, let refusal) = store.state.journal.events.last?.outcome else {
        throw .start(reason: "nothing is shown")
      }
      throw .start(reason: refusal.message)
    }
  }

  /// Instantiates the plugins for a run, which becomes the app's.
  func createFeatures(_ run: AppRun, suspended: [String: String] = [:]) throws(AppLoadError) {
    watch.registerThread(running: graph)
    let factory = FeatureFactory(current, suspended: suspended)
    run.features = try factory.table()
    run.factory = factory
    self.run = run
  }

  /// Logs the new errors of shared values in files; from the first call on they are not printed.
  func reportStorageErrors() {
    for error in (dependencies ?? DependencyValues()).sharedValues.takeNewErrors() {
      store?.send(.report(.warning(Rejection(.unkeptValue, "\(error); \(error.remedy)"))))
    }
  }

  private func actionsSettled() {
    run.screen.invalidate()
    log.notifyObserver(state.journal)
    run.didChange()
    if state.hasQuit { run.onQuit?() }
  }

  /// Calls `body` when a route has quit the app; a conversation then ends with the next line by itself.
  package func onQuit(_ body: @escaping @Sendable () -> Void) { run.onQuit = body }

  /// Releases the store, and with it the effects and instances.
  func tearDown() { run = AppRun() }

  /// Continues with another app, according to a plan of its instances.
  func replace(
    by loaded: LoadedApp, _ factory: FeatureFactory, _ replacement: Replacement
  ) {
    current = loaded
    log.graph = loaded.graph
    run.factory = factory
    keeper.addSecrets(of: loaded)
    store?.send(.adopt(replacement))
  }
}

// What the user does: a control, a link, a way back.
extension App {
  package var screen: ErasedScreen? { run.screen.screen(of: self) }

  /// Equal as long as the current screen is the same.
  var screenEdition: Int { run.screen.changeCount }

  /// The content of the screen of an instance that may be covered; `nil` for a container.
  func content(of id: InstanceID) -> ScreenContent? {
    if let standIn = keeper.standIn(for: id, in: self) { return standIn }
    guard let (_, instance, state, feature) = shownState.feature(of: id, features) else {
      return nil
    }
    return calls.during(.screen, node: instance.node, instance: id) {
      feature.screen(state).content
    }
  }

  /// Sends the actions of the current screen's tasks that were not sent yet; returns whether there
  /// were any.
  @discardableResult
  package func startTasks() -> Bool { run.screen.startTasks(in: self) }

  /// Sends the action of a control of the current screen.
  ///
  /// - Returns: whether there is such a control and it accepts the input.
  package func activate(control: Int, input: ControlInput) -> Bool {
    if let isDone = keeper.activate(control: control, in: self) { return isDone }
    guard let id = state.current, let action = screen?.action(control: control, input: input)
    else { return false }
    store?.send(.instance(id, action))
    return true
  }

  /// Goes back: sends the screen's back action if it has one, and otherwise navigates back.
  ///
  /// Returns why it was refused.
  func goBack() -> Rejection? {
    if let id = state.current, let action = screen?.back {
      store?.send(.instance(id, action))
      return nil
    }
    return navigate(.back)
  }

  /// Carries out a navigation that the user has asked for; returns why it was refused.
  func navigate(_ navigation: AppAction.Navigation) -> Rejection? {
    let count = state.journal.count
    store?.send(.navigate(navigation))
    for event in state.journal.events(after: count) {
      if case .refused(_, "", let refusal) = event.outcome { return refusal }
    }
    return nil
  }

  /// Opens a link of the manifest, or a position that ``position(isFull:)`` has returned.
  ///
  /// The whole address is checked first. All modals are closed; instances that are already where
  /// the link puts them are kept, and the others are created. A link that needs an instance of a
  /// certain node waits for one; a later link replaces one that waits.
  ///
  /// - Returns: the result; a refused link changes nothing.
  @discardableResult
  public func open(_ link: String) -> OpenOutcome {
    let plan: LinkPlan
    do throws(Rejection) { plan = try self.plan(link) } catch { return .refused(error) }
    if let refusal = navigate(.open(plan)) {
      return .refused(refusal)
    }
    if state.waitingLink == plan, let needs = plan.needs {
      return .waiting(node: graph.nodes[needs].name)
    }
    return .opened
  }

  /// Opens a link that waited in the app before it was restored or replaced; a refusal is reported.
  func open(waiting link: String) {
    guard case .refused(let rejection) = open(link) else { return }
    let reason =
      mayRecord(link: link)
      ? keeper.secrets.redact(rejection.message) : "it can't be read, and may contain a secret"
    store?.send(
      .report(
        .warning(Rejection(rejection.rule, "the link that waited is not opened: \(reason)"))))
  }

  /// The plan of a link.
  ///
  /// From now on its secrets are hidden wherever they appear.
  func plan(_ link: String) throws(Rejection) -> LinkPlan {
    let plan = try graph.plan(link) { try? Value(json: $0) }
    keeper.secrets.add(plan.secretTexts(in: graph))
    return plan
  }

  /// Whether a line with this link may be written to a file: the link has no secrets.
  ///
  /// A link that can't be read may contain one if any node takes a secret.
  func mayRecord(link: String) -> Bool {
    guard let plan = try? plan(link) else { return !graph.takesSecrets }
    return !plan.holdsSecret(in: graph)
  }
}

public enum OpenOutcome: Hashable, Sendable {
  /// The link's target is shown.
  case opened
  /// The link is opened as soon as there is an instance of this node.
  case waiting(node: String)
  /// Nothing has changed, for this reason.
  case refused(Rejection)
}

// Settling.
extension App {
  /// How long a line of a script waits for effects to settle, by default.
  public static let timeout = Duration.seconds(5)

  /// Waits until every effect has ended or waits on a clock.
  ///
  /// - Returns: whether that happened within `limit`.
  public func settle(within limit: Duration = .seconds(5)) async -> Bool {
    startTasks()
    guard let account = store?.activityAccount else { return true }
    repeat {
      guard await account.settled(within: limit) else { return false }
      startTasks()
    } while !account.isSettled
    return true
  }

  /// Whether every effect has ended or waits on a clock.
  var isSettled: Bool { store?.activityAccount.isSettled ?? true }

  /// A sequence with an element whenever actions have been reduced and none is queued.
  ///
  /// The screen may have changed then. Elements that have not been consumed are coalesced into one.
  /// The sequence ends when the app does, and is empty for an app that is not running.
  public func changes() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      guard store != nil else { return continuation.finish() }
      let key = run.add(continuation)
      continuation.onTermination = { [weak self] _ in
        guard let self else { return }
        Task { await self.removeFollower(key) }
      }
    }
  }

  private func removeFollower(_ key: Int) { run.removeFollower(key) }

  /// Waits until `condition` holds or `end` returns.
  ///
  /// The condition is evaluated at first, and whenever actions have been reduced and none is
  /// queued.
  package func wait(until condition: () -> Bool, orUntil end: @escaping @Sendable () async -> Void)
    async
  {
    guard !condition() else { return }
    let (changes, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // Not retained: its release is the end of the app, which ends this wait, too.
    let key = run.add(continuation)
    let ender = Task {
      await end()
      continuation.finish()
    }
    for await _ in changes where condition() { break }
    ender.cancel()
    removeFollower(key)
  }
}
