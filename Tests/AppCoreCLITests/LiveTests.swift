import Foundation
import TestSupport
import Testing

/// An app whose screen changes once a second, as scripts and programs see it.
@Suite("appcore run, as time passes")
struct LiveTests {
  private static let countdown = "Tests/Fixtures/manifests/mocks/countdown.yaml"

  private func run(_ lines: [String], _ options: [String] = []) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", Self.countdown] + options, input: lines.map { $0 + "\n" }.joined())
  }

  private func objects(_ result: ProgramResult) throws -> [[String: Any]] {
    try result.output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// The seconds that a screen says are left.
  private func left(_ screen: [String: Any]) -> Int? {
    let elements = screen["elements"] as? [[String: Any]] ?? []
    return elements.compactMap { $0["text"] as? String }.first { $0.hasSuffix(" s left") }
      .flatMap { Int($0.prefix { $0.isNumber }) }
  }

  @Test("Without '--live' nothing is printed unasked, and ':sleep' lets time pass")
  func sleep() async throws {
    let screens = try await objects(run([":sleep 1.5", ":sleep 0"], ["--json"]))
    #expect(screens.count == 3)
    #expect(left(screens[0]) == 60)
    let after = try #require(left(screens[1]))
    #expect(after < 60)
    #expect(screens.allSatisfy { $0["cause"] == nil })
  }

  @Test(
    "With '--live' each change is a screen, with what caused it, and a line's answer says which")
  func live() async throws {
    let result = try await run([":sleep 2.5", "@nothing", "@stop"], ["--json", "--live"])
    #expect(result.status == 0, "\(result.errors)")
    let all = try objects(result)
    let screens = all.filter { $0["screen"] != nil }
    let causes = screens.map { $0["cause"] as? [String: Any] ?? [:] }
    #expect(causes.first?["origin"] as? String == "start")
    let unasked = zip(screens, causes).filter { $1["origin"] as? String == "effect" }
    #expect(unasked.count >= 2)
    #expect(unasked.prefix(2).map { left($0.0) } == [59, 58])
    #expect(
      unasked.allSatisfy {
        $0.1["action"] as? String == ".internal(.ticked)" && $0.1["node"] as? String == "countdown"
      })
    // Numbered in order, and nothing twice.
    #expect(screens.compactMap { $0["screen"] as? Int } == Array(1...screens.count))
    #expect(Set(unasked.compactMap { left($0.0) }).count == unasked.count)
    let refusal = try #require(all.first { $0["error"] != nil })
    #expect(refusal["line"] as? Int == 2)
    #expect(causes.last?["line"] as? Int == 3)
  }

  @Test("'--live' goes with '--json'")
  func usage() async throws {
    let result = try await run([], ["--live"])
    #expect(result.status == 64)
    #expect(result.errors.contains("'--live' goes with '--json'"))
  }

  @Test("':expect … within' passes as soon as the text shows, and else fails with the screen")
  func expect() async throws {
    let passed = try await run([":expect 58 s left within 60", ":expect 58 s left"])
    #expect(passed.status == 0, "\(passed.errors)")
    let failed = try await run([":expect no such text within 0.2"])
    #expect(failed.status == 65)
    #expect(failed.errors.contains("line 1: the screen does not show 'no such text'"))
    // The first screen, and the one as it was then.
    #expect(failed.output.components(separatedBy: "── Countdown").count == 3)
  }

  @Test(
    "A program follows the live screen, and types when it shows what it waits for",
    .enabled(if: python != nil))
  func client() async throws {
    let result = try await Program.run(
      Self.python ?? "",
      [
        "examples/follow.py", Self.countdown, "--until", "58 s left", "--then", "@stop",
        "--set", "seconds=60",
      ],
      environment: [
        "PATH": buildFolder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      ])
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.first == "Countdown ['60 s left'] <- start")
    #expect(lines.contains("Countdown ['58 s left'] <- .internal(.ticked)"))
    #expect(lines.last?.hasSuffix("<- line") == true, "\(result.output)")
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("examples/follow.py"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
  }

  static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/root/.pyenv/shims/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
