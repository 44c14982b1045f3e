public import AppCheck
@_spi(Host) public import AppCore
@_spi(Host) package import Navigation
package import Sessions
package import Shell
internal import Supervision
package import Support

/// A running app: an actor with the root store, which runs on a thread of its own.
///
/// Its life:
/// 1. ``LoadedApp/load(_:options:)`` reads and checks the manifest, and loads the plugins that
///    the start node needs; the others are loaded when they are first needed.
/// 2. ``begin()`` instantiates the plugins and shows the start node.
/// 3. Controls, effects and routes send actions; ``settle(within:)`` waits for effects.
/// 4. ``end()`` cancels the effects and releases the instances; the thread ends when the app is
///    released.
public actor App {
  package nonisolated let thread: StoreThread
  /// The executor of the app's own thread, whose stack is large enough for deeply nested states.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// The manifest and plugins that the app was created with.
  public nonisolated let loaded: LoadedApp
  /// The manifest and plugins that run now, with every reload applied.
  package var current: LoadedApp {
    didSet {
      buildEdition += 1
      noteGivenSecrets()
    }
  }
  /// The number of changes to ``current``.
  private(set) var buildEdition = 0
  package var graph: Graph { current.graph }
  let dependencies: DependencyValues?
  /// Runs the effects in a test.
  private var effectExecutor: (any EffectExecuting)?
  package private(set) var store: Store<AppState, AppAction>?
  package private(set) var features = FeatureTable([])
  package var factory: FeatureFactory?
  let reloader = Reloader()
  /// Records which feature is being called, for reports of crashes and hangs.
  nonisolated let calls: CallRecorder
  private let watched: WatchedApp
  /// Whether the app is ending or has ended, so that it accepts no more lines.
  package var isEnding = false
  /// The conversation that is in progress.
  package var session = ShellSession()
  /// How many entries of the journal the user has been told of.
  package var seenEventCount = 0
  /// How long each line of a script waits for effects to settle before its screen is shown.
  package var scriptTimeout = App.timeout
  /// What caused the next screen of a script: the start, or a line.
  package var nextScreenCause: ScreenCause?
  /// The screen that was printed last for a program, and how many entries the log had then.
  package var printedContent = ""
  package var printedLogCount = 0
  /// The latest actions.
  package private(set) lazy var log = ActionLog(now: now, profiler: profiler) { [unowned self] in
    assumeIsolated { $0.graph }
  }
  /// Reads a monotonic clock, in nanoseconds.
  private let now: @Sendable () -> Int
  private let profiler: Profiler?
  /// Which steps the app keeps; `nil` for none.
  private let timelineOptions: TimelineOptions?
  /// The app's latest steps; `nil` if none are kept.
  package private(set) var timeline: AppTimeline?
  /// The recording that is shown; `nil` for an app that runs.
  package private(set) var recording: Recording?
  /// The past step that is shown; `nil` while the present is.
  package var rewound: RewoundState?
  /// The step of a recording that was replayed last, and the app as it was after that step.
  package var replayMoment: (step: Int, moment: AppMoment)?
  /// The number of the log's entry for the line that is being carried out.
  package var currentLineEntry: Int?
  /// Called with new entries of the log; ``observedActions`` counts those it was called with.
  package var actionObserver: (@Sendable (ActionRecord) -> Void)?
  package var observedActions = 0
  /// The current instance and its state before the last line.
  package var stateBeforeLine: (id: InstanceID, state: InstanceState)?
  /// The session that outlives the process; `nil` if nothing is kept.
  package private(set) var appSession: AppSession?
  /// The secrets that the app has used.
  package private(set) var secrets = SecretTexts()
  /// Writes what has changed to the session's image.
  var recorder: SessionRecorder?
  /// Saved instances that have no place in the app as it is now.
  var leftOver: [SavedInstance] = []
  /// The suspended instances, each with its saved state.
  var suspended: [InstanceID: SavedInstance] = [:] {
    didSet { suspensionEdition += 1 }
  }
  /// How often ``suspended`` has changed.
  private(set) var suspensionEdition = 0
  /// The states of suspended instances that the user has asked to see, as text.
  var shownData: [InstanceID: String] = [:]
  /// The instances that were restored, by their numbers in the previous process.
  package var restoredIDs: [UInt64: InstanceID] = [:]
  /// The consumers of ``changes()`` and of ``wait(until:orUntil:)``, by key.
  private var followers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var followerCount = 0
  /// The tasks of screens that were started.
  var screenTasks: [InstanceID: [[AnyHashable]: StartedTask]] = [:]
  /// The current screen; discarded when an action is reduced.
  private var cachedScreen: ErasedScreen?

  /// Creates an app that has not begun.
  ///
  /// - Parameters:
  ///   - loaded: the manifest and its plugins.
  ///   - dependencies: the dependencies of all features; `nil` for the live ones.
  public init(_ loaded: LoadedApp, dependencies: DependencyValues? = nil) {
    self.init(loaded, dependencies: dependencies, profiler: nil)
  }

  /// Creates an app with a profiler, a clock for measurements, and a timeline.
  ///
  /// - Parameters:
  ///   - loaded: the manifest and its plugins.
  ///   - dependencies: the dependencies of all features; `nil` for the live ones.
  ///   - now: reads a monotonic clock, in nanoseconds.
  ///   - profiler: records all measurements; it must use the same clock.
  ///   - timeline: which steps are kept; none if it is `nil`.
  package init(
    _ loaded: LoadedApp, dependencies: DependencyValues? = nil,
    now: @escaping @Sendable () -> Int = MonotonicTime.now, profiler: Profiler?,
    timeline: TimelineOptions? = nil
  ) {
    timelineOptions = timeline
    self.now = now
    self.profiler = profiler
    self.loaded = loaded
    self.dependencies = dependencies
    current = loaded
    let number = AppNumbers.next()
    // The page that is shared with the supervisor has room for one app: the first of the process.
    if number == 1, let page = WorkerPage.current {
      calls = CallRecorder(app: number, on: page)
    } else {
      calls = CallRecorder(app: number)
    }
    watched = WatchedApp(calls.app)
    thread = StoreThread(name: "appcore-store")
  }

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
  /// - Parameter session: the session that outlives the process; `nil` to keep none.
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
    let policy = Self.policy(after: session?.ends ?? [], current)
    isEnding = false
    FileSystem.live.provide(FileSystem(MachineFiles()))
    OpenURL.live.provide(OpenURL(DesktopURLs.open))
    SettingsFile.path(app: graph.name) { ProcessVariables.all[$0] }
      .map(SharedStorage.settingsFile.provide)
    UnsavedWork.installEmergencyCopies()
    beginBeingWatched()
    session?.note(Self.identity(of: current))
    let factory = FeatureFactory(current, suspended: policy.suspensions.plugins)
    let features = try factory.table()
    self.factory = factory
    self.features = features
    if let session { secrets = session.secrets }
    appSession = session
    noteGivenSecrets()
    beginTimeline()
    let store = Store(
      initialState: AppState(),
      reducer: RecordingRouter(
        Router(graph: graph, features: features, calls: calls), log: log, timeline: timeline,
        app: self),
      isolation: self)
    watch(store)
    if let dependencies { store.setDependencies(dependencies) }
    if let effectExecutor { store.runEffects(on: effectExecutor) }
    let log = log
    store.onStartedEffects { log.effectsDidStart() }
    log.profileEffects(of: store)
    profiler?.begin()
    store.onSettledActions { [weak self] in
      self?.assumeIsolated { $0.actionsSettled() }
    }
    self.store = store
    reportStorageErrors()
    recorder = session.map { session in SessionRecorder { session.write($0) } }
    if let image = session?.image {
      try resume(image, policy)
    } else {
      store.send(.navigate(.begin))
    }
    if let crash = session?.crashDetails?.first {
      let count = store.state.journal.count
      log.note(.notice("the app continues: " + crash), events: count..<count)
    }
    if store.state.current == nil {
      guard case .refused(_, _, let refusal) = store.state.journal.events.last?.outcome else {
        throw .start(reason: "nothing is shown")
      }
      throw .start(reason: refusal.message)
    }
  }

  /// Makes the manifest's secrets known to a session that is kept in a file.
  private func noteGivenSecrets() {
    if appSession?.file != nil { secrets.add(given: current.givenSecrets) }
  }

  private func beginTimeline() {
    guard let options = timelineOptions, !options.isOff else { return }
    timeline = AppTimeline(
      options, of: current, app: calls.app,
      storage: (dependencies ?? DependencyValues()).sharedValues, secrets: secrets, start: now())
  }

  /// Logs the new errors of shared values in files; from the first call on they are not printed.
  package func reportStorageErrors() {
    for error in (dependencies ?? DependencyValues()).sharedValues.takeNewErrors() {
      store?.send(.report(.warning(Rejection(.unkeptValue, "\(error); \(error.remedy)"))))
    }
  }

  /// The navigation and the instances; empty before ``begin()``.
  package var state: AppState { store?.state ?? AppState() }

  /// Adds a consumer of changes.
  ///
  /// - Returns: the key for `unfollow(_:)`.
  package func follow(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    followerCount += 1
    followers[followerCount] = continuation
    return followerCount
  }

  func unfollow(_ key: Int) { followers[key] = nil }

  private func actionsSettled() {
    cachedScreen = nil
    notifyObserver()
    for follower in followers.values { follower.yield() }
  }

  /// Releases the store, and with it the effects and instances.
  func tearDown() {
    store = nil
    features = FeatureTable([])
    factory = nil
    cachedScreen = nil
    session = ShellSession()
    stateBeforeLine = nil
    screenTasks = [:]
    (recorder, appSession) = (nil, nil)
    (suspended, shownData, restoredIDs, leftOver) = ([:], [:], [:], [])
    (timeline, rewound) = (nil, nil)
    seenEventCount = 0
    for follower in followers.values { follower.finish() }
    followers = [:]
  }

  /// Makes this an app that shows a recording instead of running.
  func replay(_ recording: Recording, _ factory: FeatureFactory, _ features: FeatureTable) {
    (self.recording, self.factory, self.features) = (recording, factory, features)
  }

  /// Discards the cached screen, so that the feature is asked for it again.
  package func invalidateScreen() { cachedScreen = nil }

  /// The screen of the current instance.
  package var screen: ErasedScreen? {
    if let cachedScreen { return cachedScreen }
    let state = shownState
    guard let id = state.current, let instance = state.instances[id],
      let instanceState = instance.state, let feature = features[instance.node]
    else { return nil }
    let screen = log.measureScreen(of: feature.info.name, node: instance.node, instance: id) {
      calls.during(.screen, node: instance.node, instance: id) { feature.screen(instanceState) }
    }
    cachedScreen = screen
    return screen
  }

  /// Sends the action of a control of the current screen.
  ///
  /// - Returns: whether there is such a control and it accepts the input.
  package func activate(control: Int, input: ControlInput) -> Bool {
    if let isDone = activateSuspended(control: control) { return isDone }
    guard let id = state.current, let action = screen?.action(control: control, input: input)
    else { return false }
    store?.send(.instance(id, action))
    return true
  }

  /// Goes back: sends the screen's back action if it has one, and otherwise navigates back.
  ///
  /// - Returns: why it was refused; `nil` if it was not.
  package func goBack() -> Rejection? {
    if let id = state.current, let action = screen?.back {
      store?.send(.instance(id, action))
      return nil
    }
    return navigate(.back)
  }

  /// Carries out a navigation that the user has asked for.
  ///
  /// - Returns: why it was refused; `nil` if it was not.
  package func navigate(_ navigation: AppAction.Navigation) -> Rejection? {
    let count = state.journal.count
    store?.send(.navigate(navigation))
    for event in state.journal.events(after: count) {
      if case .refused(_, "", let refusal) = event.outcome { return refusal }
    }
    return nil
  }

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
    let key = follow(continuation)
    let ender = Task {
      await end()
      continuation.finish()
    }
    for await _ in changes where condition() { break }
    ender.cancel()
    unfollow(key)
  }
}
