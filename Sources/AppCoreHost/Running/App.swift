public import AppCheck
@_spi(Host) public import AppCore
package import Diagnostics
@_spi(Host) package import Navigation
internal import Sessions
package import Shell
internal import Support
package import Timeline

/// A running app: the root store on a thread of its own, and what it shows.
///
/// Its life:
/// 1. ``LoadedApp/load(_:options:)`` reads and checks the manifest, and loads the plugins that
///    the start needs; the others are loaded when they are needed.
/// 2. ``begin()`` makes the plugins and shows the start node.
/// 3. actions come from controls, effects and routes; ``settle(within:)`` waits for effects.
/// 4. ``end()`` cancels the effects and lets go of the instances; the thread ends with the app.
public actor App {
  nonisolated let thread: StoreThread
  /// The app's own thread, whose stack is large enough for deep states.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// What was loaded.
  public nonisolated let loaded: LoadedApp
  /// The same with the builds of plugins that have taken the place of those that were loaded.
  package var current: LoadedApp { didSet { buildEdition += 1 } }
  /// How often ``current`` was changed.
  private(set) var buildEdition = 0
  package var graph: Graph { current.graph }
  let dependencies: DependencyValues?
  package private(set) var store: Store<AppState, AppAction>?
  package private(set) var features = FeatureTable([])
  package var maker: AppFeatures?
  /// How often each plugin was replaced.
  package var reloads: [String: Int] = [:]
  /// Plugins whose last reload was refused, with the refusal's code.
  var refusedReloads: [String: String] = [:]
  /// The code by which the manifest was refused when it was read last.
  var refusedManifest: String?
  /// The files of a manifest that was refused.
  var refusedSources: [String] = []
  /// The reload that was asked for last: one after the other.
  var lastReload: Task<ReloadOutcome, Never>?
  /// Called when the compiler begins to work for a reload, with the plugin's name, and when that
  /// reload has ended, with `nil`; unless set, the options' ``AppOptions/willCompile`` is.
  var compileTeller: (@Sendable (String?) -> Void)?
  /// Follows the files of the plugins and of the manifest.
  var follower: FileFollower?
  /// Called with the outcome of each change of a file.
  var changeTeller: (@Sendable (FileChange) async -> Void)?
  /// Where what features do is noted.
  nonisolated let calls: CallRecorder
  private let watched: WatchedApp
  /// Whether it is about to end, or has: lines are not taken any more.
  package var isEnding = false
  /// The conversation that is in progress.
  package var session = ShellSession()
  /// How many entries of the journal the person has seen.
  package var toldCount = 0
  /// How long the lines of a script wait for a screen to settle.
  package var scriptPatience = App.patience
  /// What the next screen of a script answers.
  package var replyCause: ScreenCause?
  /// The screen that a program was given last, and how many entries the log had then.
  package var printedContent = ""
  package var causeCount = 0
  /// The latest actions.
  package private(set) lazy var log = ActionLog(now: now, profiler: profiler) { [unowned self] in
    assumeIsolated { $0.graph }
  }
  /// Reads a clock that only goes forward, in nanoseconds.
  private let now: @Sendable () -> Int
  private let profiler: Profiler?
  /// What is kept of its steps, where anything is.
  private let timelineOptions: TimelineOptions?
  /// Keeps its steps; `nil` where none are kept.
  package private(set) var timeline: AppTimeline?
  /// The recording that is shown, where nothing runs.
  package private(set) var recording: Recording?
  /// The step that is shown instead of the app as it is now.
  package var rewound: RewoundState?
  /// The step of a recording that was shown last, with the app after it.
  package var replayMoment: (step: Int, moment: AppMoment)?
  /// The number of the entry that the line has that is carried out.
  package var lineEntry: Int?
  /// Who is called with new entries, and with how many so far.
  package var actionObserver: (@Sendable (ActionRecord) -> Void)?
  package var observedActions = 0
  /// The state that was in front before the last line.
  package var stateBeforeLine: (id: InstanceID, state: InstanceState)?
  /// What outlives the process; `nil` where nothing does.
  package private(set) var outliving: AppSession?
  /// Writes images of the app.
  var recorder: SessionRecorder?
  /// The states that have no place in the app as it is now.
  var leftOver: [SavedInstance] = []
  /// The instances that were suspended, and what is kept of them.
  var suspended: [InstanceID: SavedInstance] = [:] {
    didSet { suspensionEdition += 1 }
  }
  /// How often ``suspended`` was changed.
  private(set) var suspensionEdition = 0
  /// What is shown of the states of those, where somebody has asked for it.
  var shownData: [InstanceID: String] = [:]
  /// What the instances of the process before this one are called now, by their numbers there.
  package var formerIDs: [UInt64: InstanceID] = [:]
  /// Those who follow ``changes()``, by a number.
  private var followers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var followerCount = 0
  /// The current screen, until an action was reduced.
  private var cachedScreen: ErasedScreen?

  /// Creates an app that has not begun.
  ///
  /// - Parameters:
  ///   - loaded: what was read and checked.
  ///   - dependencies: what features find as their dependencies; `nil` for the live ones.
  public init(_ loaded: LoadedApp, dependencies: DependencyValues? = nil) {
    self.init(loaded, dependencies: dependencies, profiler: nil)
  }

  /// Creates an app that is profiled, or that measures how long actions take by another clock.
  ///
  /// - Parameters:
  ///   - loaded: what was read and checked.
  ///   - dependencies: what features find as their dependencies; `nil` for the live ones.
  ///   - now: reads a clock that only goes forward, in nanoseconds.
  ///   - profiler: records everything that is measured, by the same clock.
  ///   - timeline: what is kept of its steps; nothing unless given.
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
    // Of several apps in one process the first is the one that a supervisor sees.
    if number == 1, let page = WorkerPage.current {
      calls = CallRecorder(app: number, on: page)
    } else {
      calls = CallRecorder(app: number)
    }
    watched = WatchedApp(calls.app)
    thread = StoreThread(name: "appcore-store")
  }

  /// Makes the plugins and shows the start node.
  ///
  /// - Throws: ``AppLoadError`` where a plugin or the first instance can't be made.
  public func begin() throws(AppLoadError) { try begin(nil) }

  /// The same, or shows what an image holds, and keeps images from then on.
  ///
  /// - Parameter session: what outlives the process.
  /// - Throws: ``AppLoadError`` where a plugin or the first instance can't be made.
  package func begin(_ session: AppSession?) throws(AppLoadError) {
    guard store == nil else { return }
    let policy = Self.policy(after: session?.ends ?? [], current)
    isEnding = false
    FileSystem.live.provide(FileSystem(MachineFiles()))
    OpenURL.live.provide(OpenURL(DesktopURLs.open))
    SettingsFile.path(app: graph.name) { ProcessVariables.all[$0] }
      .map(SharedStorage.settingsFile.provide)
    UnsavedWork.beginKeeping()
    beginBeingWatched()
    session?.note(Self.identity(of: current))
    let maker = AppFeatures(current, suspended: policy.suspensions.plugins)
    let features = try maker.table()
    self.maker = maker
    self.features = features
    beginTimeline()
    let store = Store(
      initialState: AppState(),
      reducer: RecordingRouter(
        Router(graph: graph, features: features, calls: calls), log: log, timeline: timeline,
        app: self),
      isolation: self)
    watch(store)
    if let dependencies { store.setDependencies(dependencies) }
    let log = log
    store.onStartedEffects { log.effectsDidStart() }
    log.profileEffects(of: store)
    profiler?.begin()
    store.onSettledActions { [weak self] in
      self?.assumeIsolated { $0.actionsSettled() }
    }
    self.store = store
    outliving = session
    recorder = session.map { session in SessionRecorder { session.write($0) } }
    if let image = session?.image {
      try resume(image, policy)
    } else {
      store.send(.navigate(.begin))
    }
    if store.state.current == nil {
      guard case .refused(_, _, let refusal) = store.state.journal.events.last else {
        throw .start(reason: "nothing is shown")
      }
      throw .start(reason: refusal.message)
    }
  }

  private func beginTimeline() {
    guard let options = timelineOptions, !options.isOff else { return }
    timeline = AppTimeline(
      options, of: current, app: calls.app,
      storage: (dependencies ?? DependencyValues()).sharedValues, start: now())
  }

  /// The state of navigation and instances; empty before ``begin()``.
  package var state: AppState { store?.state ?? AppState() }

  /// Adds a follower of changes.
  package func follow(_ continuation: AsyncStream<Void>.Continuation) -> Int {
    followerCount += 1
    followers[followerCount] = continuation
    return followerCount
  }

  func unfollow(_ key: Int) { followers[key] = nil }

  private func actionsSettled() {
    cachedScreen = nil
    tellObserver()
    for follower in followers.values { follower.yield() }
  }

  /// Lets go of the store, and with it of effects and instances.
  func letGo() {
    store = nil
    features = FeatureTable([])
    maker = nil
    cachedScreen = nil
    session = ShellSession()
    stateBeforeLine = nil
    (recorder, outliving) = (nil, nil)
    (suspended, shownData, formerIDs, leftOver) = ([:], [:], [:], [])
    (timeline, rewound) = (nil, nil)
    toldCount = 0
    for follower in followers.values { follower.finish() }
    followers = [:]
  }

  /// Makes it an app that shows a recording.
  func replay(_ recording: Recording, _ maker: AppFeatures, _ features: FeatureTable) {
    (self.recording, self.maker, self.features) = (recording, maker, features)
  }

  /// Has the screen made anew.
  package func forgetScreen() { cachedScreen = nil }

  /// The screen of the current instance.
  package var screen: ErasedScreen? {
    if let cachedScreen { return cachedScreen }
    let state = shownState
    guard let id = state.current, let instance = state.instances[id],
      let instanceState = instance.state, let feature = features[instance.node]
    else { return nil }
    let screen = log.profileScreen(of: feature.info.name, node: instance.node, instance: id) {
      calls.during(.screen, node: instance.node, instance: id) { feature.screen(instanceState) }
    }
    cachedScreen = screen
    return screen
  }

  /// Sends what a control of the current screen sends.
  ///
  /// - Returns: whether the control takes such an input.
  package func activate(control: Int, input: ControlInput) -> Bool {
    if let isDone = activateSuspended(control: control) { return isDone }
    guard let id = state.current, let action = screen?.action(control: control, input: input)
    else { return false }
    store?.send(.instance(id, action))
    return true
  }

  /// Goes back: sends the screen's own back action where it has one.
  package func goBack() -> Rejection? {
    if let id = state.current, let action = screen?.back {
      store?.send(.instance(id, action))
      return nil
    }
    return navigate(.back)
  }

  /// Applies what a person asks for.
  ///
  /// - Returns: why it was refused; `nil` where it was not.
  package func navigate(_ navigation: AppAction.Navigation) -> Rejection? {
    let count = state.journal.count
    store?.send(.navigate(navigation))
    for case .refused(_, "", let refusal) in state.journal.events(after: count) { return refusal }
    return nil
  }

  /// How long a script waits for a screen to settle.
  public static let patience = Duration.seconds(5)

  /// Waits until no effect is at work, or all that are wait on a clock.
  ///
  /// - Returns: whether that came to pass within `limit`.
  public func settle(within limit: Duration = .seconds(5)) async -> Bool {
    guard let account = store?.activityAccount, !account.isSettled else { return true }
    return await account.settled(within: limit)
  }

  /// Waits until `condition` holds, which is asked whenever actions have been reduced, or until `end`
  /// returns.
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
