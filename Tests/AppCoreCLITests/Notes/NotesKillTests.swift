import Foundation
import TestSupport
import Testing

/// What the screen says is saved survives `kill -9`.
@Suite("The notes app, killed", .ownThread)
struct NotesKillTests {
  /// What is known of one run after its end.
  private struct Run: Sendable {
    let user: String
    /// The last text that its screen said to be saved.
    let confirmed: String?
    /// The texts that it left on the disk.
    let left: [String]
  }

  @Test("After a kill at any moment, every text that was said to be saved is there")
  func killed() async throws {
    let program = try NotesProgram()
    let runs = try (0..<(runsAllTests ? 200 : 24)).map { try Self.run($0, program) }
    for run in runs {
      #expect(run.left.count <= 1)
      guard let confirmed = run.confirmed else { continue }
      // A later round may have been saved without being confirmed any more; no earlier one is there.
      let left = run.left.first ?? ""
      #expect(
        Self.round(left) >= Self.round(confirmed), "'\(confirmed)' was saved, '\(left)' is there")
    }
    // Both those that save by themselves and those that are told to have come to be confirmed.
    for kind in [0, 1] {
      #expect(runs.enumerated().count { $0 % 2 == kind && $1.confirmed != nil } > runs.count / 8)
    }
    // What was killed opens again with all of that, and nothing is damaged.
    for (user, runs) in Dictionary(grouping: runs, by: \.user) {
      let lines =
        ["@name \(user)", "@login"] + runs.flatMap(\.left).map { ":expect \($0)" }
        + [":expect Files"]
      let shown = try await Program.appcore(
        program.arguments(), input: lines.map { $0 + "\n" }.joined())
      #expect(shown.errors.contains("line \(lines.count): the screen does not show 'Files'"))
    }
  }

  /// Runs the program, lets it save several times, and kills it at some moment of that.
  private static func run(_ number: Int, _ program: NotesProgram) throws -> Run {
    let user = "user \(number % 20)"
    // By itself, as soon as it is changed, or when it is told to.
    let isAutomatic = number % 2 == 1
    let dialogue = try NotesDialogue(program, saveAfter: isAutomatic ? 0 : 3600)
    try dialogue.write("@name \(user)", "@login", "@new")
    for _ in 0..<4 { _ = try dialogue.expectScreen() }
    var last: String?
    let rounds = Int.random(in: 1...5)
    for round in 1...rounds {
      let text = "run \(number) round \(round)"
      try dialogue.write("@text \(text)", isAutomatic ? ":path" : "@save")
      // The last round is interrupted.
      guard round < rounds else { break }
      while last != text {
        last = confirmed(try dialogue.expectScreen()) ?? last
        if last != text { try dialogue.write(":path") }
      }
    }
    usleep(UInt32.random(in: 0..<6000))
    dialogue.kill()
    // What was printed before it died was confirmed, too.
    while let screen = try? dialogue.screen() { last = confirmed(screen) ?? last }
    return Run(
      user: user, confirmed: last,
      left: try program.texts(of: user).filter { $0.hasPrefix("run \(number) ") })
  }

  /// The text of the editor, where its screen says that all of it is saved.
  private static func confirmed(_ screen: [String: Any]) -> String? {
    let elements = screen["elements"] as? [[String: Any]] ?? []
    guard elements.contains(where: { $0["text"] as? String == "Saved" }) else { return nil }
    return elements.first { $0["id"] as? String == "text" }?["value"] as? String
  }

  /// The number that ends a text; 0 where it is none, as of one that was cut.
  private static func round(_ text: String) -> Int {
    text.split(separator: " ").last.flatMap { Int($0) } ?? 0
  }
}
