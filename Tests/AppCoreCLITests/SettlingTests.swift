import Foundation
import TestSupport
import Testing

/// Scripts of an app whose work takes 0.7 s on the real clock; what has to settle has a minute.
@Suite("appcore run, while effects are at work")
struct SettlingTests {
  private static let slow = "Tests/Fixtures/manifests/mocks/slow.yaml"
  private static let mark = "still working"

  private func run(_ lines: [String], _ options: [String] = []) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", Self.slow] + options, input: ([":wait 60"] + lines).map { $0 + "\n" }.joined())
  }

  @Test("A screen is printed once it has settled, and says nothing of waiting")
  func settles() async throws {
    let result = try await run(["@start"])
    #expect(result.status == 0)
    #expect(result.output.contains("Done 1 times"))
    #expect(!result.output.contains("Working"))
    #expect(!result.output.contains(Self.mark))
  }

  @Test("':wait' sets how long the lines after it wait; what has not settled then is marked so")
  func limit() async throws {
    let result = try await run([":wait 0.05", "@start", ":wait 60", ":expect Done 1 times"])
    #expect(result.status == 0, "\(result.errors)")
    let screens = result.output.components(separatedBy: "── Work ")
    try #require(screens.count == 7)
    #expect(!screens[3].contains(Self.mark))
    #expect(screens[4].contains("Working …") && screens[4].contains(Self.mark))
    for screen in screens[5...] {
      #expect(screen.contains("Done 1 times") && !screen.contains(Self.mark))
    }
  }

  @Test("In JSON the mark is a field")
  func json() async throws {
    let result = try await run([":wait 0.05", "@start", ":wait 60"], ["--json"])
    let settled = try result.output.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])["settled"] as? Bool
    }
    #expect(settled == [true, true, true, false, true])
  }

  @Test("A secret is in no screen, state, log, explanation or message")
  func secrets() async throws {
    let lines = ["@password hunter2", ":state", ":log", "@start", ":explain", ":path --full"]
    for options in [[], ["--json"], ["--plain"], ["--verbose"]] {
      let result = try await run(lines, options)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("<secret>"))
      #expect(!(result.output + result.errors).contains("hunter2"))
    }
    let refused = try await run(["Password hunter2"])
    #expect(refused.status == 65)
    #expect(!refused.errors.contains("hunter2"))
  }

  @Test("The log tells lines, actions by origin and instance, and what came of them")
  func log() async throws {
    let result = try await run(["@start", "@leave", ":log"])
    #expect(result.status == 0, "\(result.errors)")
    for text in [
      "line 2: Start", ".view(.startTapped)", ".internal(.finished)", ".delegate(.left)",
      "→ emitted 'left'", "✗ refused: the stack already holds a 'work'",
    ] { #expect(result.output.contains(text), "\(text)") }
  }

  @Test("A refused line stands in the log once, as it was typed, without what may be a secret")
  func refusedLines() async throws {
    let result = try await run(
      ["@job", ":back", ":tab none", "@pasword hunter2", ":expect nothing", ":log", ":explain"],
      ["--json"])
    #expect(result.status == 0, "\(result.errors)")
    let log = try #require(
      result.output.split(separator: "\n").first { $0.contains("\"command\":\"log\"") })
    for text in [
      "line 2: @job", "line 3: :back", "line 4: :tab none", "line 5: @pasword <secret>",
      "line 6: :expect nothing",
    ] { #expect(log.components(separatedBy: "\"\(text)\"").count == 2, "\(text) in \(log)") }
    for code in ["no-such-control", "at-root", "no-such-tab", "not-shown"] {
      #expect(log.contains("\"code\":\"\(code)\""), "\(code) in \(log)")
    }
    #expect(log.components(separatedBy: "at-root").count == 2, "\(log)")
    #expect(log.components(separatedBy: "\"origin\":\"line\"").count == 7, "\(log)")
    #expect(!result.output.contains("hunter2"))
  }

  @Test("A code is explained in the shell as by the command, and an unknown one is refused")
  func code() async throws {
    let told = try await Program.appcore(["explain", "max-depth"])
    #expect(told.status == 0)
    let lines = told.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    for word in ["max-depth", "[max-depth]"] {
      let result = try await run([":explain \(word)"])
      #expect(result.output.contains(lines.joined(separator: "\n") + "\n──"), "\(result.output)")
    }
    let refused = try await run([":explain max-dept"])
    #expect(refused.status == 65)
    #expect(
      refused.errors.contains(
        "there is no code 'max-dept'; did you mean 'max-depth'? [no-such-code]"),
      "\(refused.errors)")
  }

  @Test("A dropped action is explained with the lines and actions that led to it")
  func explain() async throws {
    let result = try await run(["@start", "@leave", ":explain"], ["--json"])
    let line = try #require(
      result.output.split(separator: "\n").first { $0.contains("\"command\":\"explain\"") })
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let value = try #require(object["value"] as? [String: Any])
    #expect(value["code"] as? String == "max-depth")
    #expect(value["remedy"] as? String != nil)
    let chain = try #require(value["chain"] as? [[String: Any]])
    #expect(chain.compactMap { $0["origin"] as? String } == ["line", "screen", "delegate"])
    #expect(chain.first?["text"] as? String == "line 3: Leave")
    let quiet = try await run([":explain"])
    #expect(quiet.output.contains("Nothing was refused or dropped lately."))
  }

  @Test("With JSON a refused line is explained after it")
  func explainRefusal() async throws {
    let result = try await run(["@nothing", ":explain"], ["--json"])
    #expect(result.output.contains("\"code\":\"no-such-control\""))
    #expect(result.output.components(separatedBy: "no-such-control").count >= 3)
  }

  @Test("The state is a tree that marks what the last line changed")
  func state() async throws {
    let result = try await run(["@start", ":state"])
    #expect(result.output.contains("* done: 1   ← was 0"))
    let json = try await run(["@start", ":state"], ["--json"])
    #expect(json.output.contains("\"changed\":[\"/done\"]"))
  }
}
