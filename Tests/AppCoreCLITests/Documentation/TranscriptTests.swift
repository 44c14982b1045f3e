import Foundation
import TestSupport
import Testing

/// What the program does, as text: the stories in `Tests/Transcripts`.
@Suite("Transcripts")
struct TranscriptTests {
  /// The transcripts in a folder of `Tests/Transcripts`; those in none of the special ones for `nil`.
  private static func transcripts(in folder: String? = nil) -> [String] {
    CodeBlock.transcripts.filter { file in
      let special = ["long", "policy"].first { file.hasPrefix("Tests/Transcripts/\($0)/") }
      return special == folder
    }
  }

  @Test("Commands print what the transcript says", arguments: transcripts())
  func commands(_ transcript: String) async throws {
    try await expectOutput(of: TranscriptRunner(file: transcript, showsEndings: true))
  }

  @Test("So do those that compile whole packages", .long, arguments: transcripts(in: "long"))
  func longCommands(_ transcript: String) async throws {
    let runner = TranscriptRunner(file: transcript, showsEndings: true, timeout: 900)
    try await expectOutput(of: runner)
  }

  @Test(
    "So do those that see a policy of their own",
    .enabled("this system allows no mount namespaces", { await PolicyNamespace.isAllowed() }),
    arguments: transcripts(in: "policy"))
  func commandsWithPolicy(_ transcript: String) async throws {
    try await expectOutput(of: TranscriptRunner(file: transcript, showsEndings: true))
  }
}

/// Runs a file's commands and reports what differs; with `RECORD=1`, writes what was printed.
func expectOutput(of runner: TranscriptRunner) async throws {
  let file = packageFolder.appendingPathComponent(runner.file)
  let text = try String(contentsOf: file, encoding: .utf8)
  let (failures, recorded) = try await runner.run(text)
  let records = ProcessInfo.processInfo.environment["RECORD"] == "1"
  for failure in failures where !(records && failure.isRecordable) { Issue.record("\(failure)") }
  if records, recorded != text {
    try recorded.write(to: file, atomically: true, encoding: .utf8)
  }
}
