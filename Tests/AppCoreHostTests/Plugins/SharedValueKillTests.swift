internal import AppCheck
import Foundation
import TestSupport
import Testing

/// An app that is killed while it saves a shared value.
@Suite("Shared values in an app that is killed")
struct SharedValueKillTests {
  private let bench: Workbench
  private var file: String { bench.folder + "/ledger.json" }

  init() async throws {
    bench = try Workbench()
    try bench.write(
      """
      import AppCore

      struct Book: Feature {
        struct State: Codable, Sendable {
          @Shared(.file("\(bench.folder)/ledger.json")) var entries: [Int] = []
          var confirmed = 0
        }
        enum Action: FeatureAction {
          enum View: Codable, Sendable { case addTapped }
          enum Internal: Sendable { case saved(Int) }
          case view(View)
          case `internal`(Internal)
        }
        func initialState(_ arguments: NoArguments) -> State { State() }
        func reduce(into state: inout State, action: Action) -> Effect<Action> {
          switch action {
          case .view(.addTapped):
            let number = state.$entries.withLock { entries in
              entries.append(entries.count + 1)
              return entries.count
            }
            return .run { [entries = state.$entries] send in
              try await entries.save()
              await send(.internal(.saved(number)))
            }
          case .internal(.saved(let number)):
            state.confirmed = number
            return .none
          }
        }
        func screen(_ state: State) -> Screen<Action> {
          Screen("Book") { screen in
            screen.text("confirmed \\(state.confirmed).")
            screen.button("Add", id: "add", action: .addTapped)
          }
        }
      }

      struct Ledger: Plugin {
        static let name = "Ledger"
        static let version = "1.0.0"
        init(configuration: NoConfiguration) {}
        static func register(in registry: inout PluginRegistry<Self>) {
          registry.feature(Book.self) { _ in Book() }
        }
      }

      @c(appcore_plugin_Ledger)
      public func plugin() -> UnsafeMutableRawPointer { export(Ledger.self) }
      """, to: "Ledger.swift")
    let output = try await bench.shell(
      "swiftc -swift-version 6 -emit-library -module-name Ledger Ledger.swift"
        + " -o plugins/libLedger.so -I $BUILD/Modules -L $BUILD -lAppCore")
    #expect(output == "")
    try bench.write(
      """
      appcore: 1
      plugins: [Ledger]
      start: home
      nodes:
        home: { feature: Ledger.Book }
      """, to: "app.yaml")
    try bench.write(String(repeating: "@add\n", count: 500), to: "script")
  }

  @Test("Nothing is lost that was confirmed, and the file is always whole")
  func kills() async throws {
    var highest = 0
    for round in 1...8 {
      let wanted = highest + round * 3
      let output = bench.folder + "/output-\(round)"
      _ = FileManager.default.createFile(atPath: output, contents: nil)
      let process = try ChildProcess(
        Project.build + "/appcore",
        ["run", bench.folder + "/app.yaml", "--plugin-path", bench.folder + "/plugins"],
        environment: bench.options.environment.merging(["HOME": bench.folder]) { $1 },
        input: FileHandle(forReadingFrom: URL(fileURLWithPath: bench.folder + "/script")),
        output: FileHandle(forWritingTo: URL(fileURLWithPath: output)))
      while process.isRunning, try confirmed(output) < wanted {
        try await Task.sleep(for: .milliseconds(1))
      }
      process.send(SIGKILL)
      _ = await process.end()
      highest = max(highest, try confirmed(output))
      #expect(highest >= wanted)
      let entries = try JSONDecoder().decode(
        [Int].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
      #expect(entries.count >= highest)
      #expect(entries == Array(1...entries.count))
    }
  }

  /// The highest number that a screen has confirmed.
  private func confirmed(_ output: String) throws -> Int {
    let text = try String(contentsOfFile: output, encoding: .utf8)
    return text.matches(of: /confirmed (\d+)\./).compactMap { Int($0.1) }.max() ?? 0
  }
}
