import AppCore
import Synchronization

/// Features whose delegate actions are what a test types into their only field.
struct MockPlugin: Plugin {
  static let name = "Mock"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Probe.self) { _ in Probe() }
    registry.feature(Deaf.self) { _ in Deaf() }
    registry.feature(Worker.self) { _ in Worker() }
    registry.feature(Sole.self) { _ in Sole() }
    registry.feature(Finisher.self) { _ in Finisher() }
    registry.feature(Returner.self) { _ in Returner() }
    registry.feature(Desk.self) { _ in Desk() }
  }
}

/// What mock features are given: a tag to tell them by, and whether they refuse to be made.
struct MockArguments: Codable, Sendable {
  var tag: String?

  /// The tag with which no mock feature can be made.
  static let refused = "refused"
}

struct MockRefusal: Error, CustomStringConvertible {
  let description = "it was told to refuse"
}

/// The delegate actions of the mock features.
enum MockDelegate: Codable, Hashable, Sendable {
  case go(text: String)
  case more(text: String)
  case other(text: String)

  /// The actions in a text such as `go=a more`, in their order.
  static func all(in text: String) -> [MockDelegate] {
    text.split(separator: " ").compactMap { word in
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      let text = parts.count > 1 ? parts[1] : ""
      return switch parts[0] {
      case "go": .go(text: text)
      case "more": .more(text: text)
      case "other": .other(text: text)
      default: nil
      }
    }
  }
}

extension Feature where Action: FeatureAction, Action.View == Probe.Action.View {
  func screen(_ state: State) -> Screen<Action> {
    Screen("Mock") { screen in screen.field("Emit", text: "") { .typed($0) } }
  }
}

/// Emits what it is told to, and remembers what routes tell it.
struct Probe: Feature {
  typealias Arguments = MockArguments

  struct State: Codable, Hashable, Sendable {
    let tag: String?
    var heard: [String] = []
  }

  enum Action: FeatureAction {
    enum View: Codable, Hashable, Sendable { case typed(String) }
    enum Input: Codable, Hashable, Sendable {
      case told(text: String)
      case asked(Bool)
    }
    case view(View)
    case delegate(MockDelegate)
    case input(Input)
  }

  func initialState(_ arguments: MockArguments) throws -> State {
    if arguments.tag == MockArguments.refused { throw MockRefusal() }
    return State(tag: arguments.tag)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.typed(let text)):
      return .merge(MockDelegate.all(in: text).map { .send(.delegate($0)) })
    case .input(.told(let text)): state.heard.append(text)
    case .input(.asked(let isSure)): state.heard.append("\(isSure)")
    case .delegate: state.heard.append("its own delegate")
    }
    return .none
  }
}

/// Like a probe, but takes no input.
struct Deaf: Feature {
  typealias Arguments = MockArguments

  struct State: Codable, Hashable, Sendable { let tag: String? }

  enum Action: FeatureAction {
    case view(Probe.Action.View)
    case delegate(MockDelegate)
  }

  func initialState(_ arguments: MockArguments) throws -> State {
    if arguments.tag == MockArguments.refused { throw MockRefusal() }
    return State(tag: arguments.tag)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard case .view(.typed(let text)) = action else { return .none }
    return .merge(MockDelegate.all(in: text).map { .send(.delegate($0)) })
  }
}

/// Works from its start until it is ended, and keeps a record of both.
struct Worker: Feature {
  typealias Arguments = MockArguments

  struct State: Codable, Hashable, Sendable { let tag: String }

  enum Action: FeatureAction {
    case view(Probe.Action.View)
    case delegate(MockDelegate)
  }

  @Dependency(\.workRecord) private var record

  func initialState(_ arguments: MockArguments) throws -> State {
    if arguments.tag == MockArguments.refused { throw MockRefusal() }
    return State(tag: arguments.tag ?? "worker")
  }

  func didStart(_ state: inout State) -> Effect<Action> {
    let (tag, record) = (state.tag, record)
    return .run { _ in
      record.append("\(tag) starts")
      let (stream, continuation) = AsyncStream<Never>.makeStream()
      await withTaskCancellationHandler {
        for await _ in stream {}
      } onCancel: {
        record.append("\(tag) ends")
        continuation.finish()
      }
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard case .view(.typed(let text)) = action else { return .none }
    return .merge(MockDelegate.all(in: text).map { .send(.delegate($0)) })
  }
}

/// Notes at every action whether anybody else held its state, so that it was copied.
struct Sole: Feature {
  final class Token: Codable, Sendable {}

  struct State: Codable, Sendable {
    var token = Token()
    var heard: [String] = []

    mutating func note() { heard.append(isKnownUniquelyReferenced(&token) ? "sole" : "shared") }
  }

  typealias Action = Deaf.Action

  func initialState(_ arguments: NoArguments) -> State { State() }

  func didStart(_ state: inout State) -> Effect<Action> {
    state.note()
    return .none
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.note()
    return .none
  }
}

/// What the workers of one app did, in its order.
final class WorkRecord: Sendable {
  private struct Status {
    var lines: [String] = []
    var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
  }

  private let status = Mutex(Status())

  var all: [String] { status.withLock { $0.lines } }

  func append(_ line: String) {
    let continuation = status.withLock { status -> CheckedContinuation<Void, Never>? in
      status.lines.append(line)
      guard let waiting = status.waiting, status.lines.count >= waiting.count else { return nil }
      status.waiting = nil
      return waiting.continuation
    }
    continuation?.resume()
  }

  /// Everything that is recorded, as soon as there are `count` lines.
  func lines(_ count: Int) async -> [String] {
    await withCheckedContinuation { continuation in
      let isDone = status.withLock { status in
        if status.lines.count >= count { return true }
        status.waiting = (count, continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
    return all
  }
}

extension DependencyValues {
  private enum Key: DependencyKey {
    static let liveValue = WorkRecord()
  }

  var workRecord: WorkRecord {
    get { self[Key.self] }
    set { self[Key.self] = newValue }
  }
}
