@_spi(Host) internal import AppCheck
@_spi(Host) import AppCore
@_spi(Host) internal import AppCoreHost
import Foundation
internal import Navigation
internal import Sessions
import TestSupport
import Testing

/// A plugin whose features take secrets from the manifest and from links, and make some.
private struct VaultPlugin: Plugin {
  static let name = "Vault"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Vault.self) { _ in Vault() }
    registry.feature(Door.self) { _ in Door() }
  }
}

private struct Vault: Feature {
  struct Arguments: Codable, Sendable, Hashable { var password: Secret<String> }
  struct State: Codable, Sendable, Hashable {
    var password: Secret<String>
    var token = Secret("")
    var pin = Secret("")
    /// What a feature should not do: secrets in plain texts.
    var log: [String] = []
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case makeTapped, blabTapped, pinChanged(Secret<String>), noteChanged(String)
    }
    case view(View)
  }

  @Dependency(\.uuid) var uuid

  func initialState(_ arguments: Arguments) -> State { State(password: arguments.password) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.makeTapped): state.token = Secret("\(uuid())")
    case .view(.blabTapped):
      state.log.append("https://ada:\(state.password.revealed)@host, 1 of 21")
    case .view(.pinChanged(let pin)):
      state.pin = pin
      state.log.append("pin \(pin.revealed)")
    case .view(.noteChanged(let note)): state.log.append(note)
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Vault") { screen in
      screen.button("Make", id: "make", action: .makeTapped)
      screen.button("Blab", id: "blab", action: .blabTapped)
      screen.secretField("Pin", id: "pin", isSet: false) { .pinChanged($0) }
      screen.field("Note", id: "note", text: "") { .noteChanged($0) }
    }
  }
}

private struct Door: Feature {
  struct State: Codable, Sendable, Hashable { var draught = 0.0 }
  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable { case openTapped, measureTapped }
    enum Delegate: Codable, Sendable, Hashable { case opened }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.openTapped): return .send(.delegate(.opened))
    case .view(.measureTapped):
      state.draught = .nan
      return .none
    case .delegate: return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Door") { screen in
      screen.button("Open", id: "open", action: .openTapped)
      screen.button("Measure", id: "measure", action: .measureTapped)
    }
  }
}

@Suite("Secrets and recordings")
struct RecordedSecretsTests {
  private let folder: TemporaryFolder
  /// The recording or the session.
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.path + "/a.file"
  }

  private static let manifest = """
    appcore: 1
    name: vault
    title: Vault
    vars:
      password: { default: hunter2 }
      address: { default: "https://ada:x-other42@host" }
    plugins: [Vault]
    start: door
    nodes:
      door: { feature: Vault.Door }
      hall: { feature: Vault.Door }
      vault: { feature: Vault.Vault, with: { password: "x-{$vars.password}" } }
    routes:
      - { from: door, action: opened, push: hall }
      - { from: hall, action: opened, push: vault }
    links:
      - path: "v/{password}"
        open: [{ push: vault, with: { password: $.password } }]
        needs: hall
    """

  private func loaded() throws -> LoadedApp {
    var options = AppOptions()
    options.linkedPlugins = [LoadedPlugin(VaultPlugin.self)]
    options.settings = ["password": "other42"]
    return try LoadedApp.load(text: Self.manifest, path: "vault.yaml", options: options)
  }

  /// Records an app that carries out lines, none of which it may refuse.
  private func record(_ lines: String...) async throws {
    var timeline = TimelineOptions()
    timeline.file = try RecordingFile(path: file)
    let app = App(try loaded(), profiler: nil, timeline: timeline)
    try await app.begin()
    await app.converse()
    for line in lines {
      let reply = await app.send(line: line)
      #expect(reply.reason == nil, "\(line): \(String(describing: reply.reason))")
    }
    _ = await app.end(within: .seconds(1))
  }

  @Test("No default, value or address is written that becomes a secret, nor what one is made of")
  func none() async throws {
    try await record(":open v/link77", "@open", "@make")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    for secret in ["hunter2", "other42", "link77"] { #expect(!text.contains(secret), "\(secret)") }
    let recording = try Recording(path: file)
    #expect(recording.header.manifest.text.isEmpty)
    #expect(recording.header.variables.isEmpty)
    let makings = recording.numbers.compactMap { recording.step($0) }
      .filter { $0.text.contains("makeTapped") }
    #expect(makings.count == 1)
    #expect(makings.allSatisfy { $0.readings.isEmpty && $0.hasSecret })
    let outcome = try await App(try loaded()).check(file)
    #expect(outcome.problem == nil)
    #expect(outcome.divergence == nil)
  }

  @Test(
    "A literal that one of several receivers takes as a secret is one, as it is read for that one")
  func secretOfOneReceiver() throws {
    let features = [("Gauge", Schema.double), ("Safe", .secret)].map { name, schema in
      FeatureInfo(name: "Lab.\(name)", inputs: [CaseSchema(name: "shown", payload: schema)])
    }
    let bench = FeatureInfo(
      name: "Lab.Bench", delegates: [CaseSchema(name: "weighed", payload: nil)])
    let info = PluginInfo(
      name: "Lab", version: "1.0.0", configuration: .object([]), features: [bench] + features)
    var options = AppOptions()
    options.linkedPlugins = [PluginInterface(info).mock]
    let app = try LoadedApp.load(
      text: """
        appcore: 1
        plugins: [Lab]
        start: bench
        nodes:
          bench: { feature: Lab.Bench }
          gauge: { feature: Lab.Gauge }
          safe: { feature: Lab.Safe }
        routes:
          - { from: bench, action: weighed, do: [{ push: gauge }, { notify: current, as: shown, with: 1.10 }] }
        links:
          - { path: safe, open: [safe] }
        """, path: "lab.yaml", options: options)
    #expect(app.givenSecrets.contains("1.10"))
  }

  @Test("A number that is none is no secret, so that a replay compares the state that has it")
  func notANumber() async throws {
    try await record("@measure", "@measure")
    let reader = try RecordingReader(path: file)
    while reader.next() != nil { #expect(reader.moment.redacted.isEmpty) }
    #expect(reader.moment.instances.values.contains { "\($0.state)".contains("nan") })
  }

  @Test("A secret that a feature copies into a text is removed there, but not each of its digits")
  func copies() async throws {
    try await record(
      "@open", ":open v/link77", "@blab", "@pin 1", "@pin long42pin", "@note = \"my long42pin is\"",
      "@note = \"1 and 21\"")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    for secret in ["hunter2", "other42", "link77", "long42pin"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains("https://ada:<secret>@host, 1 of 21"))
    #expect(text.contains("1 and 21"))
    #expect(text.contains("my <secret> is"))
    let outcome = try await App(try loaded()).check(file)
    #expect(outcome.problem == nil)
    #expect(outcome.divergence == nil)
    #expect(outcome.unverified >= 4)
  }

  @Test("Neither a kept session nor what a command prints has a secret, or a copy of one")
  func session() async throws {
    let session = AppSession(nil, file: file)
    let app = App(try loaded(), profiler: nil, timeline: TimelineOptions())
    try await app.begin(session)
    await app.converse()
    func kept() throws -> String {
      session.file?.flush()
      return String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
    }
    var printed: [String] = []
    _ = await app.send(line: ":open v/link77")
    #expect(!(try kept()).contains("link77"))
    for line in [
      "@open", "@blab", "@pin = long42pin", "@pin = another42", "@note = \"my long42pin is\"",
    ] {
      let reply = await app.send(line: line)
      #expect(reply.reason == nil, "\(line): \(String(describing: reply.reason))")
      for command in [":state", ":timeline", ":diff", ":log", ":explain", ":path"] {
        printed += await app.send(line: command).output
      }
    }
    let text = try kept()
    for secret in ["hunter2", "other42", "link77", "long42pin", "another42"] {
      #expect(!text.contains(secret), "\(secret)")
      let line = printed.first { $0.contains(secret) }
      #expect(line == nil, "\(secret)")
    }
    #expect(text.contains("https://ada:<secret>@host, 1 of 21"))
    #expect(printed.contains { $0.contains("my <secret> is") })
    _ = await app.end(within: .seconds(1))
  }

  @Test("A manifest that gives no secret is written in full")
  func open() throws {
    let header = try WalkApp.loaded(FirstRule.self).recordingHeader(begun: 1)
    #expect(header.manifest.text == WalkApp.manifest)
  }
}
