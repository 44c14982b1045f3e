internal import AppCore
import AppCoreHostTesting
import AppCoreTesting
import Testing

/// Actions that screens send when they are first shown.
@Suite("Tasks of screens")
struct ScreenTaskTests {
  /// Counts seconds from when it is first shown.
  struct Recorder: Reducer {
    struct State: Codable, Equatable, Sendable {
      var title = "a"
      var starts = 0
      var seconds = 0
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable { case onTask, titleChanged(String), backTapped }
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
      case .internal(.ticked): state.seconds += 1
      case .view(.titleChanged(let title)): state.title = title
      case .view(.backTapped): return .run { _ in await dismiss() }
      }
      return .none
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen(state.title) { screen in
        screen.task(id: state.title) { .onTask }
        screen.field("Title", id: "title", text: state.title) { .titleChanged($0) }
        screen.button("Leave", id: "leave", action: .backTapped)
      }
    }
  }

  struct Meeting: Feature {
    struct State: Codable, Sendable {
      var own = 0
      var path: StackState<Recorder.State> = []
      @Presented var sheet: Recorder.State?
      var rows: IdentifiedArray<Row> = []
    }
    struct Row: Codable, Equatable, Identifiable, Sendable {
      let id: Int
      var recorder = Recorder.State()
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable {
        case onTask, pushTapped, popTapped, sheetTapped, replaceTapped, rowTapped, clearTapped
        case laterTapped
      }
      enum Internal: Sendable { case sheetCame }
      case view(View)
      case `internal`(Internal)
      case path(StackAction<Recorder.State, Recorder.Action>)
      case sheet(PresentationAction<Recorder.Action>)
      case rows(IdentifiedAction<Int, Recorder.Action>)
    }

    @Dependency(\.clock) var clock

    func initialState(_ arguments: NoArguments) -> State { State() }

    var body: some ReducerOf<Self> {
      Reduce<State, Action> { state, action in
        if case .internal(.sheetCame) = action { state.sheet = Recorder.State() }
        guard case .view(let view) = action else { return .none }
        switch view {
        case .onTask: state.own += 1
        case .pushTapped: state.path.append(Recorder.State())
        case .popTapped: state.path.removeLast()
        case .sheetTapped: state.sheet = Recorder.State()
        case .replaceTapped: state.sheet = state.sheet.map { _ in Recorder.State() }
        case .rowTapped: state.rows.append(Row(id: state.rows.count))
        case .clearTapped: state.rows.removeAll()
        case .laterTapped:
          return .run { send in
            try await clock.sleep(for: .seconds(1))
            await send(.internal(.sheetCame))
          }
        }
        return .none
      }
      .forEach(\.path, action: /Action.path) { Recorder() }
      .ifLet(\.$sheet, action: /Action.sheet) { Recorder() }
      .forEach(\.rows, action: /Action.rows) {
        Scope(state: \.recorder, action: CasePath(embed: { $0 }, extract: { $0 })) { Recorder() }
      }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Meeting") { screen in
        screen.task { .onTask }
        let buttons: KeyValuePairs<String, Action.View> = [
          "push": .pushTapped, "pop": .popTapped, "sheet": .sheetTapped,
          "replace": .replaceTapped, "row": .rowTapped, "clear": .clearTapped,
          "later": .laterTapped,
        ]
        for (id, action) in buttons { screen.button(id, id: id, action: action) }
        if screen.embed(state.sheet, /Action.sheet, screen: Recorder().screen) { return }
        if screen.embed(state.path, /Action.path, screen: Recorder().screen) { return }
        for row in state.rows {
          let id = row.id
          screen.embed(
            Recorder().screen(row.recorder).titled("\(id)", id: "\(id)"),
            CasePath(embed: { .rows(.element(id: id, action: $0)) }, extract: { _ in nil }))
        }
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

  private func app() async throws -> AppHarness {
    try await AppHarness(
      text: """
        appcore: 1
        name: meeting
        plugins: [Meeting]
        start: meeting
        nodes:
          meeting: { feature: Meeting.Meeting }

        """, plugins: [MeetingPlugin.self])
  }

  @Test("A feature's own task is sent once, however often its screen is built")
  func own() async throws {
    let app = try await app()
    #expect(await app.state["own"] == 1)
    try await app.type("@row")
    try await app.type("@row")
    #expect(await app.state["own"] == 1)
  }

  @Test("A pushed screen starts when it is shown, continues while covered, and ends when popped")
  func pushed() async throws {
    let app = try await app()
    try await app.type("@push")
    #expect(await app.state["path"] == [["title": "a", "starts": 1, "seconds": 0]])
    await app.clock.advance(by: .seconds(2))
    try await app.type("@push")
    await app.clock.advance(by: .seconds(1))
    #expect(
      await app.state["path"] == [
        ["title": "a", "starts": 1, "seconds": 3], ["title": "a", "starts": 1, "seconds": 1],
      ])
    try await app.type("@leave")
    try await app.type("@title a")
    #expect(await app.state["path"] == [["title": "a", "starts": 1, "seconds": 3]])
    #expect(app.clock.sleeperCount == 1)
    try await app.type("@pop")
    #expect(app.clock.sleeperCount == 0)
    // Its identifier may be the same.
    try await app.type("@push")
    #expect(await app.state["path"] == [["title": "a", "starts": 1, "seconds": 0]])
  }

  @Test("Another 'id' ends the effects of the former one, and starts anew")
  func identifier() async throws {
    let app = try await app()
    try await app.type("@push")
    await app.clock.advance(by: .seconds(1))
    try await app.type("@title b")
    #expect(app.clock.sleeperCount == 1)
    await app.clock.advance(by: .seconds(1))
    #expect(await app.state["path"] == [["title": "b", "starts": 2, "seconds": 2]])
  }

  @Test("A child that takes another's place in one action is started")
  func replaced() async throws {
    let app = try await app()
    try await app.type("@sheet")
    await app.clock.advance(by: .seconds(1))
    #expect(await app.state["sheet"] == ["title": "a", "starts": 1, "seconds": 1])
    try await app.type("@replace")
    #expect(await app.state["sheet"] == ["title": "a", "starts": 1, "seconds": 0])
    #expect(app.clock.sleeperCount == 1)
    try await app.type("@leave")
    #expect(await app.state["sheet"] == .null)
    #expect(app.clock.sleeperCount == 0)
  }

  @Test("A child that an effect presents while the clock is advanced starts at that time")
  func advanced() async throws {
    let app = try await app()
    try await app.type("@later")
    await app.clock.advance(by: .seconds(3))
    #expect(await app.state["sheet"] == ["title": "a", "starts": 1, "seconds": 2])
    #expect(app.clock.sleeperCount == 1)
  }

  @Test("Each row has a task of its own")
  func rows() async throws {
    let app = try await app()
    try await app.type("@row")
    try await app.type("@row")
    await app.clock.advance(by: .seconds(1))
    let row: Value = ["title": "a", "starts": 1, "seconds": 1]
    #expect(await app.state["rows"] == [["id": 0, "recorder": row], ["id": 1, "recorder": row]])
    #expect(app.clock.sleeperCount == 2)
    try await app.type("@clear")
    #expect(app.clock.sleeperCount == 0)
  }
}
