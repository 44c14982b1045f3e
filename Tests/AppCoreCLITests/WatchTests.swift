import Foundation
import Testing

/// Apps that run while their plugin's sources are saved.
@Suite("appcore run --watch")
struct WatchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "app.yaml",
      """
      appcore: 1
      name: shop
      plugins: [{ path: ./Shop }]
      start: cart
      nodes:
        cart: { feature: Shop.Cart }

      """)
    try save(Self.sources("One"))
  }

  static func sources(_ word: String) -> String {
    """
    import AppCore

    struct ShopPlugin: Plugin {
      static let name = "Shop"
      static let version = "1.0.0"
      init(configuration: NoConfiguration) {}
      static func register(in registry: inout PluginRegistry<Self>) {
        registry.feature(Cart.self) { _ in Cart() }
      }
    }

    struct Cart: Feature {
      struct State: Codable, Sendable { var count = 0 }
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case addTapped }
        case view(View)
      }
      func initialState(_ arguments: NoArguments) -> State { State() }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        state.count += 1
        return .none
      }
      func screen(_ state: State) -> Screen<Action> {
        Screen("Cart") { screen in
          screen.text("\(word): \\(state.count)")
          screen.button("Add", id: "add", action: .addTapped)
        }
      }
    }

    @c(appcore_plugin_Shop)
    public func shop() -> UnsafeMutableRawPointer { export(ShopPlugin.self) }

    """
  }

  /// Saves as most editors do: another file takes the name.
  private func save(_ text: String) throws {
    let draft = try folder.write("Shop/.Shop.swift.draft", text)
    #expect(
      rename(draft.path, folder.url.appendingPathComponent("Shop/Shop.swift").path) == 0)
  }

  /// The program, with pipes to talk to it.
  private final class Conversation {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    init(_ folder: URL, _ options: [String]) throws {
      process.executableURL = buildFolder.appendingPathComponent("appcore")
      process.arguments = ["run", "app.yaml", "--watch"] + options
      process.currentDirectoryURL = folder
      process.environment = ProcessInfo.processInfo.environment
        .merging([
          "NO_COLOR": "1", "XDG_CACHE_HOME": folder.appendingPathComponent("cache").path,
        ]) { $1 }
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// The next line of output; `nil` at its end.
    func line() -> String? {
      while true {
        if let end = rest.firstIndex(of: 0x0a) {
          defer { rest = rest[(end + 1)...] }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        rest += more
      }
    }

    /// Reads up to a line that holds a text.
    func line(with text: String) throws -> String {
      while let line = line() { if line.contains(text) { return line } }
      throw Missing(text: text)
    }

    func end() -> Int32 {
      try? input.fileHandleForWriting.close()
      while line() != nil {}
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  struct Missing: Error { let text: String }

  @Test("In JSON a save prints a screen with a notice, and the state goes on")
  func json() throws {
    let app = try Conversation(folder.url, ["--json"])
    _ = try app.line(with: "One: 0")
    app.say("@add")
    _ = try app.line(with: "One: 1")
    try save(Self.sources("Two"))
    let screen = try #require(app.line())
    #expect(screen.contains(#""text":"Two: 1""#), "\(screen)")
    #expect(screen.contains(#""notices":[{"style":"plain","text":"'Shop' was replaced; "#))
    // Wrong sources: the former build goes on, and the place is told.
    try save(Self.sources("Three").replacingOccurrences(of: "count += 1", with: "cunt += 1"))
    let refused = try #require(app.line())
    #expect(refused.contains(#""text":"Two: 1""#), "\(refused)")
    #expect(refused.contains("Shop.swift:20:11: value of type 'Cart.State' has no member 'cunt'"))
    #expect(refused.contains("[plugin-not-compiled]"))
    app.say("@add")
    _ = try app.line(with: "Two: 2")
    #expect(app.end() == 0)
  }

  @Test(
    "In a pipe the screen is printed again, and files that are cut and written count once whole")
  func pipe() throws {
    let app = try Conversation(folder.url, [])
    _ = try app.line(with: "One: 0")
    let text = Self.sources("Two")
    let file = try FileHandle(
      forWritingTo: folder.url.appendingPathComponent("Shop/Shop.swift"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(text.utf8.prefix(200)))
    try file.synchronize()
    // Longer than changes rest: half of the file would be built here if it were not held open.
    Thread.sleep(forTimeInterval: 0.5)
    try file.write(contentsOf: Data(text.utf8.dropFirst(200)))
    try file.close()
    let notice = try app.line(with: "Shop")
    #expect(notice.contains("'Shop' was replaced"), "\(notice)")
    _ = try app.line(with: "Two: 0")
    #expect(app.end() == 0)
  }

  @Test("On a terminal the screen changes in its place, and the line that is typed stays")
  func terminal() throws {
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", folder.url.appendingPathComponent("app.yaml").path, "--watch"], columns: 100,
      environment: ["XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path])
    try terminal.wait { $0.text.contains("One: 0") && $0.line.hasSuffix(">") }
    terminal.type("half a line")
    try terminal.wait(forLine: "> half a line")
    try save(Self.sources("Two"))
    try terminal.wait {
      $0.text.contains("Two: 0") && $0.text.contains("'Shop' was replaced")
        && !$0.text.contains("One: 0") && $0.line == "> half a line"
    }
    terminal.type("\u{15}@add\r")
    try terminal.wait(for: "Two: 1")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }
}
