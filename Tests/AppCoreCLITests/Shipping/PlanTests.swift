import Foundation
import Glibc
import TestSupport
import Testing

/// What a transcript can say of plans is in `Tests/Transcripts/program/plan.md`.
@Suite("appcore plan", .ownThread)
struct PlanTests {
  let app: BundleFolder

  init() throws { app = try BundleFolder() }

  @Test("With a session the new build reads its states, in a process that may crash", .long)
  func session() async throws {
    let names = ["old", "same", "list", "crash", "trap"]
    for (index, name) in names.enumerated() {
      try FileManager.default.createDirectory(
        at: app.folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      let made = try await app.appcore("new", "tally", "--into", name)
      #expect(made.status == 0, "\(made.errors)")
      let source = name + "/tally/Plugins/Tally/Sources/Tally/"
      let version = try app.text(source + "TallyPlugin.swift")
      try app.write(
        source + "TallyPlugin.swift", version.replacing("0.1.0", with: "\(index + 1).0.0"))
      var counter = try app.text(source + "Counter.swift")
      switch name {
      case "list":
        counter.replace("var isWaiting = false", with: "var isWaiting: [String] = []")
        counter.replace("state.isWaiting = true", with: "state.isWaiting = [\"\"]")
        counter.replace("state.isWaiting = false", with: "state.isWaiting = []")
        counter.replace("state.isWaiting ?", with: "!state.isWaiting.isEmpty ?")
        counter.replace("!state.isWaiting,", with: "state.isWaiting.isEmpty,")
      case "crash":
        counter.replace(
          "  func initialState",
          with: """
              static func migrate(_ old: Value, from version: String) throws -> Value {
                fatalError("no")
              }

              func initialState
            """)
      case "trap":
        counter += """

          extension Counter.State {
            init(from decoder: any Decoder) throws { fatalError("no") }
          }

          """
      default: break
      }
      try app.write(source + "Counter.swift", counter)
    }
    for (name, status, words) in [
      (
        "same", 75, "counter: unknown: its state has the same shape as in 1.0.0, but whether 2.0.0 "
      ),
      ("trap", 75, "counter: unknown: whether 5.0.0 can read the state that 1.0.0 has written "),
      ("list", 75, "counter: unknown: whether 3.0.0 can read the state that 1.0.0 has written "),
    ] {
      let plan = try await app.appcore("plan", "old/tally", name + "/tally")
      #expect(plan.status == status, "\(name): \(plan.output)\(plan.errors)")
      #expect(plan.output.contains(words), "\(name): \(plan.output)\(plan.errors)")
    }
    let session = app.folder.path + "/tally.session"
    let terminal = try TypedTerminal(
      ["run", app.folder.path + "/old/tally/app.yaml", "--session", session],
      environment: ["XDG_CACHE_HOME": app.folder.path + "/cache"])
    try terminal.wait("the first prompt") { $0.line == ">" }
    kill(terminal.child, SIGTERM)
    #expect(terminal.finish() == 128 + SIGTERM)
    for (name, status, words) in [
      ("same", 0, "counter: migrated from 1.0.0"),
      ("list", 65, "counter: made anew: its state can't"),
      ("crash", 75, "counter: unknown: the process that was to restore it ended with "),
    ] {
      let plan = try await app.appcore(
        "plan", "old/tally", name + "/tally", "--session", session)
      #expect(plan.status == status, "\(name): \(plan.output)\(plan.errors)")
      #expect(plan.output.contains(words), "\(name): \(plan.output)\(plan.errors)")
      let check = try await app.appcore("check", name + "/tally/app.yaml", "--session", session)
      #expect(check.status == status, "\(name): \(check.output)\(check.errors)")
      #expect(check.output.contains(words.replacing(":", with: " ", maxReplacements: 1)))
    }
  }
}
