@_spi(Host) import AppCore
@_spi(Host) internal import AppCoreHost
import Dispatch
internal import Sessions
import TestSupport
import Testing

/// A plugin whose state is as large as a person asks for, and whose effect sends without end.
private struct BulkPlugin: Plugin {
  static let name = "Bulk"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Bulk.self) { _ in Bulk() }
  }
}

/// A value that can't be encoded before the gate is opened.
private struct Gate: Codable, Sendable, Hashable {
  static let opened = DispatchSemaphore(value: 0)

  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    _ = Self.opened.wait(timeout: .now() + 60)
    Self.opened.signal()
    try container.encodeNil()
  }
}

private struct Bulk: Feature {
  struct State: Codable, Sendable, Hashable {
    var count = 0
    var items: [Int] = []
    var gate: Gate?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case sizeTyped(Int), addTapped, streamTapped, gateTapped
    }
    enum Internal: Codable, Sendable, Hashable { case ticked }
    case view(View)
    case `internal`(Internal)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.sizeTyped(let size)): state.items = Array(0..<size)
    case .view(.addTapped):
      state.count += 1
      if !state.items.isEmpty { state.items[0] += 1 }
    case .view(.streamTapped):
      return .run { send in
        while !Task.isCancelled { await send(.internal(.ticked)) }
      }
    case .view(.gateTapped): state.gate = Gate()
    case .internal(.ticked): state.count += 1
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Bulk") { screen in
      screen.numberField("Size", id: "size", value: nil) { .sizeTyped(Int($0)) }
      screen.button("Add", id: "add", action: .addTapped)
      screen.button("Stream", id: "stream", action: .streamTapped)
      screen.button("Gate", id: "gate", action: .gateTapped)
    }
  }
}

@Suite("Steps that wait for being coded")
struct TimelineQueueTests {
  private func begun(_ change: (inout TimelineOptions) throws -> Void = { _ in }) async throws
    -> App
  {
    var options = AppOptions()
    options.linkedPlugins = [LoadedPlugin(BulkPlugin.self)]
    let manifest = """
      appcore: 1
      name: bulk
      plugins: [Bulk]
      start: bulk
      nodes: { bulk: { feature: Bulk.Bulk } }
      """
    var timeline = TimelineOptions()
    try change(&timeline)
    let app = App(
      try LoadedApp.load(text: manifest, path: "bulk.yaml", options: options), profiler: nil,
      timeline: timeline)
    try await app.begin()
    await app.converse()
    return app
  }

  @Test("Nothing is coded before somebody asks, or there are a few steps")
  func resting() async throws {
    let app = try await begun()
    for _ in 0..<5 { _ = await app.send(line: "@add") }
    #expect(await app.stepRecorder?.backlog.steps == 6)
    let numbers = await app.stepNumbers()
    #expect(numbers == 1..<7)
    #expect(await app.stepRecorder?.backlog.steps == 0)
    for _ in 0..<200 { _ = await app.send(line: "@add") }
    #expect(await app.stepRecorder?.backlog.steps ?? .max <= 200)
    #expect(await app.stepNumbers() == 1..<207)
    _ = await app.end(within: .seconds(1))
  }

  @Test("Large states wait within a part of the history's limit, or one alone")
  func bytes() async throws {
    let app = try await begun { $0.historyLimit = 4 << 20 }
    _ = await app.send(line: "@size = 4000")
    _ = await app.stepNumbers()
    var most = 0
    for _ in 0..<300 {
      _ = await app.send(line: "@add")
      most = max(most, await app.stepRecorder?.backlog.bytes ?? .max)
    }
    #expect(most <= 1 << 18)
    // Not a single one of these has room, so they wait one at a time.
    _ = await app.send(line: "@size = 40000")
    _ = await app.stepNumbers()
    most = 0
    for _ in 0..<50 {
      _ = await app.send(line: "@add")
      most = max(most, await app.stepRecorder?.backlog.bytes ?? .max)
    }
    #expect(most < 1 << 20)
    _ = await app.end(within: .seconds(1))
  }

  @Test(
    "With a file no step is left out, however large",
    .notSanitized("writing a step takes longer than a step waits for room"))
  func file() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/a.recording"
    let app = try await begun { options in
      options.historyLimit = 1 << 16
      options.file = try RecordingFile(path: file)
    }
    _ = await app.send(line: "@size = 4000")
    // Together larger than the queue, so that steps wait for room, which they do for five seconds.
    for _ in 0..<50 { _ = await app.send(line: "@add") }
    _ = await app.end(within: .seconds(60))
    let recording = try Recording(path: file)
    #expect(recording.numbers == 1..<54)
    #expect(recording.numbers.allSatisfy { recording.step($0)?.skipped == 0 })
  }

  @Test("The lines of steps that are dropped are with the next step")
  func dropped() async throws {
    let app = try await begun { $0.historyLimit = 4 << 20 }
    _ = await app.send(line: "@size = 40000")
    _ = await app.stepNumbers()
    for line in ["@gate"] + Array(repeating: "@add", count: 20) { _ = await app.send(line: line) }
    Gate.opened.signal()
    _ = await app.stepNumbers()
    _ = await app.send(line: "@add")
    let numbers = await app.stepNumbers()
    let history = try #require(await app.stepRecorder?.history)
    let steps = numbers.compactMap { history.step($0) }
    #expect(steps.reduce(0) { $0 + $1.skipped } > 0)
    #expect(
      steps.flatMap(\.lines).map(\.text) == [
        "@size = 40000", "@gate",
      ] + Array(repeating: "@add", count: 21))
    _ = await app.end(within: .seconds(1))
  }

  @Test("Who asks for the steps gets those so far, although an effect never stops sending")
  func stream() async throws {
    let app = try await begun()
    _ = await app.send(line: Array("@stream".utf8), within: .zero)
    for _ in 0..<20 {
      let numbers = await app.stepNumbers()
      #expect(numbers.count > 1)
    }
    _ = await app.end(within: .seconds(1))
  }
}
