import AppCore
import AppCoreHost
import AppCoreTesting
import Foundation
import Testing

/// Shared values in apps of real plugins.
@Suite("Shared values in an app")
struct SharedValueAppTests {
  let bench: Workbench

  init() async throws {
    bench = try Workbench()
    for library in try await Self.libraries.value {
      try library.bytes.write(to: URL(filePath: bench.folder + "/plugins/" + library.name))
    }
    try bench.write(
      """
      appcore: 1
      name: pair
      plugins: [Left, Right]
      start: home
      nodes:
        home: { tabs: [one, two, three] }
        one: { feature: Left.Counter }
        two: { feature: Left.Counter }
        three: { feature: Right.Counter }
      """, to: "app.yaml")
  }

  /// The plugins, compiled once for all tests.
  private static let libraries = Task {
    let bench = try Workbench()
    for name in ["Left", "Right"] { try await compile(name, in: bench) }
    return try ["libLeft.so", "libRight.so"].map { name in
      (name: name, bytes: try Data(contentsOf: URL(filePath: bench.folder + "/plugins/" + name)))
    }
  }

  /// Compiles a plugin that counts in a shared value.
  private static func compile(
    _ name: String, extra: String = "", in bench: Workbench
  ) async throws {
    let source = """
      import AppCore

      struct Counter: Feature {
        struct State: Codable, Sendable {
          @Shared(.inMemory("count")) var count = 0
          @Shared(.setting("size")) var size = 1
          \(extra)
        }
        enum Action: FeatureAction {
          enum View: Codable, Sendable { case addTapped, laterTapped, growTapped }
          case view(View)
        }
        func initialState(_ arguments: NoArguments) -> State { State() }
        func reduce(into state: inout State, action: Action) -> Effect<Action> {
          switch action {
          case .view(.addTapped): state.$count.withLock { $0 += 1 }
          case .view(.laterTapped):
            return .run { _ in
              // A key that is used in an effect is the plugin's as well.
              @Shared(.inMemory("count")) var count = 0
              $count.withLock { $0 += 10 }
            }
          case .view(.growTapped): state.$size.withLock { $0 += 1 }
          }
          return .none
        }
        func screen(_ state: State) -> Screen<Action> {
          Screen("Counter") { screen in
            screen.text("\\(state.count) of size \\(state.size)")
            screen.button("Add", id: "add", action: .addTapped)
            screen.button("Later", id: "later", action: .laterTapped)
            screen.button("Grow", id: "grow", action: .growTapped)
          }
        }
      }

      struct \(name): Plugin {
        static let name = "\(name)"
        static let version = "1.0.0"
        init(configuration: NoConfiguration) {}
        static func register(in registry: inout PluginRegistry<Self>) {
          registry.feature(Counter.self) { _ in Counter() }
        }
      }

      @c(appcore_plugin_\(name))
      public func plugin() -> UnsafeMutableRawPointer { export(\(name).self) }
      """
    try bench.write(source, to: "\(name).swift")
    let output = try await bench.shell(
      "swiftc -swift-version 6 -emit-library -module-name \(name) \(name).swift"
        + " -o plugins/lib\(name).so -I $BUILD/Modules -L $BUILD -lAppCore")
    #expect(output == "")
  }

  private func begin() async throws -> App {
    var dependencies = DependencyValues()
    dependencies.sharedStorage = SharedStorage()
    let app = App(
      try LoadedApp.load(bench.folder + "/app.yaml", options: bench.options),
      dependencies: dependencies)
    try await app.begin()
    await app.converse()
    return app
  }

  private func shown(_ app: App, on tab: String) async -> String {
    await app.send(line: ":tab \(tab)").lines.first { $0.contains("of size") } ?? ""
  }

  @Test("The instances of a plugin share a value; another plugin's value is another one")
  func twoPlugins() async throws {
    let app = try await begin()
    _ = await app.send(line: "@add")
    #expect(await shown(app, on: "two") == "1 of size 1")
    _ = await app.send(line: "@later")
    #expect(await shown(app, on: "one") == "11 of size 1")
    #expect(await shown(app, on: "three") == "0 of size 1")
    _ = await app.send(line: "@grow")
    #expect(await shown(app, on: "three") == "0 of size 2")
    #expect(await shown(app, on: "one") == "11 of size 1")
    await app.end()
  }

  @Test("Another build of a plugin continues with the values")
  func reload() async throws {
    let app = try await begin()
    _ = await app.send(line: "@add")
    #expect(await shown(app, on: "two") == "1 of size 1")
    try await Self.compile("Left", extra: "var added: Int?", in: bench)
    #expect(await app.reload("Left") == .reloaded(version: "1.0.0", instances: 2))
    #expect(await shown(app, on: "two") == "1 of size 1")
    _ = await app.send(line: "@add")
    #expect(await shown(app, on: "one") == "2 of size 1")
    #expect(await shown(app, on: "three") == "0 of size 1")
    await app.end()
  }

  @Test("Settings are in the app's file, by plugin, when the app has ended")
  func settings() async throws {
    let script = "@grow\n:tab three\n@grow\n@grow\n"
    var outcome = try await run(script)
    #expect(outcome.status == 0, "\(outcome)")
    let file = bench.folder + "/config/appcore/pair.json"
    #expect(
      try String(contentsOfFile: file, encoding: .utf8)
        == """
        {
          "Left": {
            "size": 2
          },
          "Right": {
            "size": 3
          }
        }

        """)
    outcome = try await run(":tab three\n")
    #expect(outcome.output.contains("0 of size 3"), "\(outcome)")
    try "{".write(toFile: file, atomically: true, encoding: .utf8)
    outcome = try await run("@grow\n")
    #expect(outcome.output.contains("0 of size 2"), "\(outcome)")
    #expect(
      outcome.errors.contains("'$DIR/config/appcore/pair.json' is damaged: line 1"), "\(outcome)")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
  }

  private func run(_ script: String) async throws -> Workbench.Outcome {
    try await bench.run(
      "appcore", ["run", bench.folder + "/app.yaml", "--plugin-path", bench.folder + "/plugins"],
      input: script,
      environment: [
        "XDG_CONFIG_HOME": bench.folder + "/config", "XDG_STATE_HOME": bench.folder + "/state",
      ])
  }
}
