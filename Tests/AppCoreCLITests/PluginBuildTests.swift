import Foundation
import TestSupport
import Testing

/// Plugins' folders, compiled by the real compiler against the SDK of this build.
@Suite("appcore plugin build", .ownThread)
struct PluginBuildTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs in the test's folder.
  private func appcore(_ arguments: String..., input: String = "") async throws -> ProgramResult {
    try await appcore(arguments, input: input)
  }

  private func appcore(_ arguments: [String], input: String = "") async throws -> ProgramResult {
    try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, arguments, input: input,
      environment: ["XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path],
      folder: folder.url)
  }

  /// A plugin of one feature whose screen says something.
  private func write(
    _ text: String, name: String = "Lamps", registering: String = "", more: String = ""
  ) throws {
    try folder.write(
      "Lamps/Sources/Lamps/Lamps.swift",
      """
      import AppCore

      struct LampsPlugin: Plugin {
        static let name = "\(name)"
        static let version = "1.0.0"
        init(configuration: NoConfiguration) {}
        static func register(in registry: inout PluginRegistry<Self>) {
          \(registering)
          registry.feature(Lamp.self) { _ in Lamp() }
        }
      }

      struct Lamp: Feature {
        struct State: Codable, Sendable {}
        enum Action: FeatureAction {
          enum View: Codable, Sendable { case tapped }
          case view(View)
        }
        func initialState(_ arguments: NoArguments) -> State { State() }
        func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
        func screen(_ state: State) -> Screen<Action> { Screen("Lamp") { $0.text("\(text)") } }
        \(more)
      }

      @c(appcore_plugin_Lamps)
      public func lamps() -> UnsafeMutableRawPointer { export(LampsPlugin.self) }

      """)
    try folder.write(
      "lamps.yaml",
      """
      appcore: 1
      name: lamps
      plugins: [{ path: Lamps/ }]
      start: lamp
      nodes:
        lamp: { feature: Lamps.Lamp }

      """)
  }

  @Test("It compiles what has changed, passes warnings on, and prints where the library is")
  func builds() async throws {
    try write("on", more: "func unused() { let x = 1 }")
    let first = try await appcore("plugin", "build", "Lamps")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "Lamps/.build/appcore/debug/libLamps.so\n")
    #expect(first.errors.contains("Lamps/Sources/Lamps/Lamps.swift:22:"), "\(first.errors)")
    #expect(first.errors.contains("warning: "))
    #expect(first.errors.hasSuffix("Lamps: compiled\n"))
    let again = try await appcore("plugin", "build", "Lamps/")
    #expect(again.status == 0)
    #expect(again.output == first.output)
    #expect(again.errors == "Lamps: nothing has changed\n")
    #expect(
      try await appcore("run", "lamps.yaml", "-c", ":path").output.contains("\non\n"))
  }

  @Test("On a terminal the compiler's words keep its colours, and nothing else of what they hold")
  func coloured() throws {
    try write("on", more: "func unused() { let x = \"\u{202e}gnp\" }")
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      ["plugin", "build", folder.url.appendingPathComponent("Lamps").path],
      environment: ["NO_COLOR": ""])
    #expect(terminal.finish() == 0)
    #expect(terminal.received.contains("\u{1b}["), "\(terminal.received)")
    #expect(terminal.received.contains("warning: "))
    #expect(!terminal.received.contains("␛"))
    #expect(!terminal.received.unicodeScalars.contains("\u{202e}"))
  }

  @Test("Compiler errors are reported in the compiler's own words, with status 65")
  func refused() async throws {
    try write("on", more: "var broken: Int { missing }")
    let result = try await appcore("plugin", "build", "Lamps")
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    let error = "Lamps/Sources/Lamps/Lamps.swift:22:21: error: cannot find 'missing' in scope"
    #expect(result.errors.hasPrefix(error + "\n"), "\(result.errors)")
    #expect(!result.errors.contains(folder.url.path))
  }

  @Test("Sources that other users can change are not compiled, unless that is allowed")
  func writable() async throws {
    try write("on")
    let source = folder.url.appendingPathComponent("Lamps/Sources/Lamps/Lamps.swift").path
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: source)
    for arguments in [["plugin", "build", "Lamps"], ["build", "lamps.yaml"]] {
      let refused = try await appcore(arguments)
      #expect(refused.status == 65, "\(arguments)")
      #expect(refused.errors.contains("plugin-writable"), "\(refused.errors)")
      #expect(
        !FileManager.default.fileExists(
          atPath: folder.url.appendingPathComponent("Lamps/.build").path))
      let built = try await appcore(arguments + ["--allow-writable"])
      #expect(built.status == 0, "\(built.errors)")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("Lamps/.build"))
    }
  }

  @Test("In a manifest a folder is built when it is stale, and a failure stands at its place")
  func manifest() async throws {
    func run() async throws -> ProgramResult {
      try await appcore("run", "lamps.yaml", "-c", ":path")
    }
    try write("on")
    #expect(try await run().output.contains("\non\n"))
    try write("off")
    #expect(try await run().output.contains("\noff\n"))
    try write("off", more: "var broken: Int { missing }")
    let text = """
      lamps.yaml:3:11: error: can't load plugin 'Lamps': \
      Lamps/Sources/Lamps/Lamps.swift:22:21: cannot find 'missing' in scope [plugin-unavailable]
      plugins: [{ path: Lamps/ }]
                ^
        code: plugin-not-compiled
        help: correct the sources; `appcore plugin build Lamps` shows all that the compiler says

      """
    let failed = try await run()
    #expect(failed.status == 69)
    #expect(failed.errors == text)
    let check = try await appcore("check", "lamps.yaml")
    #expect(check.status == 69)
    #expect(check.output == text)
    let json = try await appcore("check", "lamps.yaml", "--format", "json").output
    #expect(json.contains(#""stage": "built""#))
    #expect(json.contains(#""code": "plugin-not-compiled""#))
    try write("on again")
    #expect(try await run().output.contains("\non again\n"))
  }

  @Test("A folder is inspected by what is built of it")
  func inspected() async throws {
    try write("on")
    let result = try await appcore("inspect", "Lamps", "--scan")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("Lamps/.build/appcore/debug/libLamps.so"))
    #expect(result.output.contains("Lamp"))
    try write("on", more: "var broken: Int { missing }")
    let broken = try await appcore("inspect", "Lamps/")
    #expect(broken.status == 69)
    #expect(broken.output.contains("cannot find 'missing' in scope"), "\(broken.output)")
  }

  @Test("A plugin that calls itself otherwise than its entry is reported at once")
  func otherName() async throws {
    try write("on", name: "Lamp")
    let result = try await appcore("plugin", "build", "Lamps")
    #expect(result.status == 65)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == """
        Lamps/.build/appcore/debug/libLamps.so: error: plugin not registered: its entry is named \
        'Lamps', but it calls itself 'Lamp'; name the function 'appcore_plugin_Lamp' \
        [plugin-registration]
          help: correct the plugin, or the `version` in the manifest

        """)
  }

  @Test("A plugin that traps when it is asked for its features is reported at once")
  func traps() async throws {
    try write("on", registering: #"if getenv("HOME") != nil { fatalError("no lamps") }"#)
    let source = folder.url.appendingPathComponent("Lamps/Sources/Lamps/Lamps.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    try Data(("import Glibc\n" + text).utf8).write(to: source)
    let result = try await appcore("plugin", "build", "Lamps")
    #expect(result.status == 65)
    #expect(result.errors.contains("it ended the scanning process with signal"))
    #expect(result.errors.contains("Fatal error: no lamps"))
  }

  @Test("A folder that is not a plugin's is refused with its status")
  func statuses() async throws {
    #expect(try await appcore("plugin", "build", "nowhere").status == 66)
    #expect(try await appcore("plugin", "build").status == 65)
    try write("on")
    let other = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, ["plugin", "build", "Lamps"],
      environment: ["PATH": "/nowhere"], folder: folder.url)
    #expect(other.status == 69)
    #expect(other.errors.contains("there is no 'swiftc' on the PATH [plugin-no-compiler]"))
    #expect(try await appcore("plugin", "build", "Lamps", "-c", "fast").status == 64)
  }

  @Test("A byte that is changed in what was built is refused before any of its code runs")
  func damaged() async throws {
    try write("on")
    let path = "Lamps/.build/appcore/debug/libLamps.so"
    #expect(try await appcore("plugin", "build", "Lamps").status == 0)
    let file = folder.url.appendingPathComponent(path)
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 0x10
    try bytes.write(to: folder.url.appendingPathComponent("libLamps.so"))
    try folder.write(
      "file.yaml",
      """
      appcore: 1
      plugins: [Lamps]
      start: lamp
      nodes: { lamp: { feature: Lamps.Lamp } }

      """)
    let check = try await appcore("check", "file.yaml")
    #expect(check.status == 69)
    #expect(
      check.output.contains(
        "./libLamps.so: its bytes are not those that it was built with [plugin-unavailable]"))
  }
}
