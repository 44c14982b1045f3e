@_spi(Host) internal import AppCore
@_spi(Host) internal import AppCoreHost
import AppCoreHostTesting
import AppCoreTesting
internal import Sessions
import TestSupport
import Testing

/// Tasks of screens in apps that do not begin at their beginning.
@Suite("Tasks of screens, after a restore, a reload and a replay")
struct ScreenTaskLifeTests {
  /// Ticks from when it is first shown.
  struct Recorder: Reducer {
    struct State: Codable, Equatable, Sendable { var starts = 0, seconds = 0 }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case onTask, leaveTapped }
      enum Internal: Sendable { case ticked }
      case view(View)
      case `internal`(Internal)
    }
    @Dependency(\.clock) var clock
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.onTask):
        state.starts += 1
        return .run { send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.internal(.ticked)) }
        }
      case .view(.leaveTapped): return .run { _ in await dismiss() }
      case .internal(.ticked):
        state.seconds += 1
        return .none
      }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Recorder") { screen in
        screen.task { .onTask }
        screen.text("\(state.starts) starts, \(state.seconds) seconds")
        screen.button("Leave", id: "leave", action: .leaveTapped)
      }
    }
  }

  struct Meeting: Feature {
    struct State: Codable, Sendable { @Presented var recorder: Recorder.State? }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case recordTapped }
      case view(View)
      case recorder(PresentationAction<Recorder.Action>)
    }

    func initialState(_ arguments: NoArguments) -> State { State() }

    var body: some ReducerOf<Self> {
      Reduce<State, Action> { state, action in
        if case .view(.recordTapped) = action { state.recorder = Recorder.State() }
        return .none
      }
      .ifLet(\.$recorder, action: /Action.recorder) { Recorder() }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Meeting") { screen in
        if screen.embed(state.recorder, /Action.recorder, screen: Recorder().screen) { return }
        screen.button("Record", id: "record", action: .recordTapped)
      }
    }
  }

  struct MeetingPlugin: Plugin {
    static let name = "Meeting"
    static let version = "1.0.0"
    init(configuration: NoConfiguration) {}
    static func register(in registry: inout PluginRegistry<Self>) {
      registry.feature(Meeting.self) { _ in Meeting() }
    }
  }

  static let manifest = """
    appcore: 1
    name: meeting
    plugins: [Meeting]
    start: meeting
    nodes:
      meeting: { feature: Meeting.Meeting }

    """

  private func loaded() throws -> LoadedApp {
    var options = AppOptions()
    options.linkedPlugins = [LoadedPlugin(MeetingPlugin.self)]
    return try LoadedApp.load(text: Self.manifest, path: "meeting.yaml", options: options)
  }

  private func app(
    _ clock: TestClock, _ session: AppSession? = nil, timeline: TimelineOptions = TimelineOptions()
  ) async throws -> App {
    var values = DependencyValues()
    values.clock = clock.appClock
    values.sharedStorage = SharedStorage()
    let app = App(try loaded(), dependencies: values, profiler: nil, timeline: timeline)
    try await app.begin(session)
    await app.converse()
    _ = await app.show()
    #expect(await app.settle(within: .seconds(60)))
    return app
  }

  @Test("A child that was restored is started again, once")
  func restored() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/a.session"
    let first = try await app(TestClock(), AppSession(nil, file: file))
    _ = await first.type("@record")
    #expect(await first.settle(within: .seconds(60)))
    #expect(await first.text().contains("1 starts, 0 seconds"))
    // A screen that is shown is saved.
    _ = await first.show()
    _ = await first.end(within: .seconds(60))

    let saved = try #require(try SavedSession.read(file, app: "meeting", isShared: true))
    let clock = TestClock()
    let resumed = AppSession(nil, resuming: saved)
    #expect(resumed.image != nil)
    let second = try await app(clock, resumed)
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(2))
    #expect(await second.text().contains("2 starts, 2 seconds"))
    _ = await second.type("@leave")
    #expect(await second.settle(within: .seconds(60)))
    #expect(clock.sleeperCount == 0)
    _ = await second.end(within: .seconds(60))
  }

  @Test("A child of a past step from which the app continues is started again, once")
  func continued() async throws {
    let clock = TestClock()
    var timeline = TimelineOptions()
    timeline.historyLimit = 1 << 20
    let app = try await app(clock, timeline: timeline)
    _ = await app.type("@record")
    #expect(await app.settle(within: .seconds(60)))
    await clock.advance(by: .seconds(1))
    #expect(clock.sleeperCount == 1)
    // In the past nothing starts.
    #expect(await app.type(":rewind").contains { $0.contains("1 starts, 0 seconds") })
    #expect(await app.settle(within: .seconds(60)))
    #expect(clock.sleeperCount == 1)
    _ = await app.type(":continue")
    #expect(await app.settle(within: .seconds(60)))
    #expect(clock.sleeperCount == 1)
    await clock.advance(by: .seconds(1))
    #expect(await app.text().contains("2 starts, 1 seconds"))
    _ = await app.end(within: .seconds(60))
  }

  @Test("A recording that is typed again starts the child once, and one that is shown does not")
  func replayed() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/a.recording"
    var timeline = TimelineOptions()
    timeline.file = try RecordingFile(path: file)
    let recorded = try await app(TestClock(), timeline: timeline)
    _ = await recorded.type("@record")
    #expect(await recorded.settle(within: .seconds(60)))
    _ = await recorded.end(within: .seconds(60))

    let harness = try await AppHarness(text: Self.manifest, plugins: [MeetingPlugin.self])
    #expect(try await harness.replay(file).text.contains("1 starts, 0 seconds"))
    #expect(harness.clock.sleeperCount == 1)

    let shown = App(try loaded())
    try await shown.begin(replaying: try Recording(path: file))
    await shown.converse()
    _ = await shown.show()
    #expect(await shown.settle(within: .seconds(60)))
    #expect(await shown.text().contains("1 starts, 0 seconds"))

    let outcome = try await App(try loaded()).check(file)
    #expect(outcome.problem == nil)
    #expect(outcome.divergence == nil, "\(outcome.remark)")
  }

  @Test("A child whose plugin was replaced is started again, once")
  func reloaded() async throws {
    let shop = try ReloadBench(
      ReloadBench.plugin(
        """
        struct Item: Reducer {
          struct State: Codable, Sendable { var starts = 0 }
          enum Action: FeatureAction {
            enum View: Codable, Sendable { case onTask }
            case view(View)
          }
          func reduce(into state: inout State, action: Action) -> Effect<Action> {
            state.starts += 1
            return .none
          }
          func screen(_ state: State) -> Screen<Action> {
            Screen("Item") { screen in
              screen.task { .onTask }
              screen.text("Build A: \\(state.starts) starts")
            }
          }
        }
        struct Cart: Feature {
          struct State: Codable, Sendable { @Presented var item: Item.State? = Item.State() }
          enum Action: FeatureAction { case item(PresentationAction<Item.Action>) }
          func initialState(_ arguments: NoArguments) -> State { State() }
          var body: some ReducerOf<Self> {
            EmptyReducer().ifLet(\\.$item, action: /Action.item) { Item() }
          }
          func screen(_ state: State) -> Screen<Action> {
            Screen("Cart") { _ = $0.embed(state.item, /Action.item, screen: Item().screen) }
          }
        }
        """), manifest: ReloadBench.oneNode)
    let app = try await shop.launch()
    #expect(await app.settle(within: .seconds(60)))
    #expect(await app.text().contains("Build A: 1 starts"))
    try shop.change(("Build A", "Build B"))
    let outcome = await app.reload("Shop")
    #expect(await app.settle(within: .seconds(60)))
    #expect(await app.text().contains("Build B: 2 starts"), "\(outcome)")
    #expect(await app.settle(within: .seconds(60)))
    #expect(await app.text().contains("Build B: 2 starts"))
    _ = await app.end(within: .seconds(60))
  }
}
