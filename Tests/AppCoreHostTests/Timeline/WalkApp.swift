@_spi(Host) import AppCore
@_spi(Host) internal import AppCoreHost
import Foundation
internal import Navigation
internal import Sessions
internal import Shell
internal import Support
import TestSupport
import Testing

/// Apps of the plugin that walks.
enum WalkApp {
  static let manifest = """
    appcore: 1
    name: walk
    title: Walk
    plugins: [Walk]
    start: walk
    nodes:
      walk: { feature: Walk.Walk }
    routes:
      - { from: walk, action: opened, push: walk }
    """

  static func loaded<Rule: WalkRule>(
    _ rule: Rule.Type, manifest: String = manifest
  ) throws -> LoadedApp {
    var options = AppOptions()
    options.linkedPlugins = [LoadedPlugin(WalkPlugin<Rule>.self)]
    return try LoadedApp.load(text: manifest, path: "walk.yaml", options: options)
  }

  /// Dependencies with shared values of their own: other tests, which run at the same time, change
  /// theirs.
  static func own(_ dependencies: DependencyValues? = nil) -> DependencyValues {
    var values = dependencies ?? DependencyValues()
    values.sharedStorage = SharedStorage()
    return values
  }

  /// An app that has begun, whose steps are kept.
  static func begun(
    file: String? = nil, historyLimit: Int = 1 << 20, dependencies: DependencyValues? = nil,
    manifest: String = manifest
  ) async throws -> App {
    var options = TimelineOptions()
    options.historyLimit = historyLimit
    options.file = try file.map { try RecordingFile(path: $0) }
    let app = App(
      try loaded(FirstRule.self, manifest: manifest), dependencies: own(dependencies),
      profiler: nil, timeline: options)
    try await app.begin()
    await app.converse()
    _ = await app.show()
    return app
  }
}

extension App {
  /// Types lines, which must not be refused.
  func type(_ lines: String...) async -> [String] {
    var printed: [String] = []
    for line in lines {
      let reply = await send(line: line)
      #expect(reply.reason == nil, "\(line)")
      printed = reply.lines
    }
    return printed
  }

  func refusal(of line: String) async -> String? {
    if case .refused(let code) = await send(line: line).outcome { code } else { nil }
  }
}

/// What the reducers of two builds of one plugin differ in.
protocol WalkRule: SendableMetatype {
  /// What a double step adds.
  static var double: Int { get }
}

enum FirstRule: WalkRule { static let double = 2 }
/// One line was changed.
enum SecondRule: WalkRule { static let double = 3 }

/// A plugin with all that a recording has to hold: effects, dates, ids, random numbers, secrets.
struct WalkPlugin<Rule: WalkRule>: Plugin {
  static var name: String { "Walk" }
  static var version: String { "1.0.0" }

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Walk<Rule>.self, name: "Walk") { _ in Walk() }
  }
}

struct Walk<Rule: WalkRule>: Feature {
  struct State: Codable, Sendable, Hashable {
    var count = 0
    var stamps: [String] = []
    var password = Secret("")
    var length = 0
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case stepTapped, doubleTapped, stampTapped, laterTapped, openTapped, checkTapped
      case passwordChanged(Secret<String>)
    }
    /// Not `Codable`: it is coded by its cases.
    enum Internal: Sendable, Hashable { case later(by: Int, why: String) }
    enum Delegate: Codable, Sendable, Hashable { case opened }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(\.withRandomNumberGenerator) var random

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.stepTapped): state.count += 1
    case .view(.doubleTapped): state.count += Rule.double
    case .view(.stampTapped):
      let number = random { Int.random(in: 0..<1_000_000, using: &$0) }
      state.stamps.append("\(date.now) \(uuid()) \(number)")
    case .view(.laterTapped): return .send(.internal(.later(by: 10, why: "it was asked for")))
    case .view(.openTapped): return .send(.delegate(.opened))
    case .view(.passwordChanged(let password)): state.password = password
    case .view(.checkTapped): state.length = state.password.revealed.count
    case .internal(.later(let count, _)): state.count += count
    case .delegate: break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Walk") { screen in
      screen.text("At \(state.count).")
      screen.button("Step", id: "step", action: .stepTapped)
      screen.button("Double", id: "double", action: .doubleTapped)
      screen.button("Stamp", id: "stamp", action: .stampTapped)
      screen.button("Later", id: "later", action: .laterTapped)
      screen.button("Open", id: "open", action: .openTapped)
      screen.button("Check", id: "check", action: .checkTapped)
      screen.secretField("Password", id: "password", isSet: !state.password.revealed.isEmpty) {
        .passwordChanged($0)
      }
    }
  }
}
