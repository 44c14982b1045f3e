import Foundation
import TestSupport
import Testing

/// What the program does, as text: the stories in `Tests/Transcripts`.
@Suite("Transcripts")
struct TranscriptTests {
  @Test("Commands print what the transcript says", arguments: CodeBlock.transcripts)
  func commands(_ transcript: String) async throws {
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
