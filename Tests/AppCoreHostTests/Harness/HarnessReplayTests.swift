@_spi(Host) internal import AppCoreHost
import AppCoreHostTesting
import Foundation
internal import Sessions
import TestSupport
import Testing

/// Recordings that tests take as their steps.
@Suite("AppHarness.replay")
struct HarnessReplayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func recording(_ lines: String...) async throws -> String {
    let file = folder.path + "/a.recording"
    let app = try await WalkApp.begun(file: file)
    for line in lines { _ = await app.type(line) }
    _ = await app.end(within: .seconds(1))
    return file
  }

  private func harness<Rule: WalkRule>(_ rule: Rule.Type) async throws -> AppHarness {
    try await AppHarness(text: WalkApp.manifest, plugins: [WalkPlugin<Rule>.self])
  }

  /// The message with which a replay fails the test that it is in.
  private func failure<Rule: WalkRule>(of file: String, _ rule: Rule.Type) async -> String {
    var text = "no error"
    await withKnownIssue {
      do {
        try await harness(rule).replay(file)
      } catch {
        text = "\(error)"
      }
    }
    return text
  }

  @Test("The lines are typed, and the screen is the one of the present build")
  func lines() async throws {
    let file = try await recording("@step", "@open", "@double", ":back", "@double")
    let same = try await harness(FirstRule.self)
    #expect(try await same.replay(file).text.contains("At 3."))
    let other = try await harness(SecondRule.self)
    #expect(try await other.replay(file).text.contains("At 4."))
    #expect(await other.path == "/walk")
  }

  @Test("A command that was refused is not repeated")
  func refusedCommand() async throws {
    let file = folder.path + "/a.recording"
    let app = try await WalkApp.begun(file: file)
    for line in ["@step", ":back", "@step", ":dismiss"] { _ = await app.send(line: line) }
    _ = await app.end(within: .seconds(1))
    let again = try await harness(FirstRule.self)
    #expect(try await again.replay(file).text.contains("At 2."))
    let shown = App(try WalkApp.loaded(FirstRule.self))
    let recording = try Recording(path: file)
    try await shown.begin(replaying: recording)
    await shown.converse()
    #expect(
      await shown.script(of: recording).filter { $0.hasPrefix("@") || $0 == ":back" } == [
        "@step", "@step",
      ])
  }

  @Test("The lines that led to a crash are typed last")
  func crash() async throws {
    let file = try await recording("@step", "@step")
    var lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    lines.insert(#"{"crash":{"plugin":"Walk","lines":"@open\n@double"}}"#, at: lines.count - 2)
    try folder.write("a.recording", lines.map { $0 + "\n" }.joined())
    let app = try await harness(FirstRule.self)
    #expect(try await app.replay(file).text.contains("At 2."))
    #expect(await app.path == "/walk/walk")
  }

  @Test("An app that is elsewhere than the recording fails the test")
  func path() async throws {
    let file = try await recording("@step", "@open", "@step")
    let manifest = WalkApp.manifest.replacing("push: walk", with: "do: ignore")
    var text = "no error"
    await withKnownIssue {
      do {
        try await AppHarness(text: manifest, plugins: [WalkPlugin<FirstRule>.self]).replay(file)
      } catch {
        text = "\(error)"
      }
    }
    #expect(text.hasSuffix("the recording is at 'walk/walk', and the app at 'walk'"), "\(text)")
  }

  @Test("What a test can't repeat is refused: a cut, an edit, a secret, a missing beginning")
  func refused() async throws {
    var file = try await recording("@step", "@double")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try folder.write("a.recording", String(text.dropLast(30)))
    #expect(await failure(of: file, FirstRule.self).contains("can be read up to line"))
    try folder.write("a.recording", text.replacing("doubleTapped", with: "stepTapped"))
    #expect(await failure(of: file, FirstRule.self).contains("line 4 of the recording"))
    #expect(
      await failure(of: folder.path + "/none", FirstRule.self).contains("can't be read"))

    file = try await recording("@password hunter2")
    #expect(await failure(of: file, FirstRule.self).contains("it held a secret or"))
    file = try await recording("@step", ":rewind", ":continue")
    #expect(await failure(of: file, FirstRule.self).contains("continued from an earlier step"))

    let app = try await WalkApp.begun(historyLimit: 8_000)
    for _ in 1...200 { _ = await app.type("@step") }
    let late = folder.path + "/late.recording"
    _ = await app.type(":record \(late)")
    _ = await app.end(within: .seconds(1))
    #expect(await failure(of: late, FirstRule.self).contains("needs one that begins with the app"))
  }
}
