import Foundation
import TestSupport
import Testing

/// The runner of transcripts, whose failures are what a developer reads first.
@Suite("The runner of transcripts")
struct TranscriptRunnerTests {
  /// Runs a console block's lines, and returns the failures and the block as it would be recorded.
  private func run(
    _ lines: String, before: String = "", showsEndings: Bool = true, timeout: Int = 60
  ) async throws -> (failures: [TranscriptRunner.Failure], recorded: String) {
    let runner = TranscriptRunner(file: "story.md", showsEndings: showsEndings, timeout: timeout)
    let prefix = "# Story\n\n" + before + "```console\n"
    let (failures, text) = try await runner.run(prefix + lines + "\n```\n")
    return (failures, String(text.dropFirst(prefix.count).dropLast(5)))
  }

  @Test(
    "What is as expected passes and stays as it is",
    arguments: [
      "$ printf 'one\\ntwo\\n'\none\ntwo",
      "$ printf 'took %s ms\\n' 12\ntook [..] ms",
      "$ printf 'between %s and %s\\n' 1 2\nbetween [..] and [..]",
      "$ seq 9\n1\n...\n9",
      "$ seq 9\n...",
      "$ true\n...",
      "$ cat <<END\n> a\n>   b\n>\n> END\na\n  b\n",
      "$ echo a \\\n> b\na b",
      "$ echo $FOLDER; cd / ; echo $CHECKOUT/Tests $APPCORE_BUILD\n$FOLDER\n$CHECKOUT/Tests $APPCORE_BUILD",
      "$ exit 65\n[exit 65]",
      "$ echo out; echo err >&2; exit 1\nout\nerr\n[exit 1]",
      "$ kill -9 $$\n[signal 9]",
      "$ printf 'a\\0b\\xff\\xc3(\\033[1m\\n'\na\\x00b\\xff\\xc3(\\x1b[1m",
      "$ echo first > file\n$ cat file\nfirst",
    ])
  func passes(_ lines: String) async throws {
    let (failures, recorded) = try await run(lines)
    #expect(failures.isEmpty, "\(failures)")
    #expect(recorded == lines)
  }

  @Test("A difference is shown with its lines, and recording keeps the patterns that match")
  func difference() async throws {
    let lines = "$ printf 'a 12 ms\\nb\\nc\\n'\na [..] ms\nx\nc\nd"
    let (failures, recorded) = try await run(lines)
    #expect(failures.map(\.isRecordable) == [true])
    #expect(
      "\(failures[0])"
        == """
        story.md:4: prints something else; RECORD=1 writes what it prints
         a [..] ms
        -x
        +b
         c
        -d
        """)
    #expect(recorded == "$ printf 'a 12 ms\\nb\\nc\\n'\na [..] ms\nb\nc")
  }

  @Test("What a new command prints is recorded with its ending")
  func new() async throws {
    let (failures, recorded) = try await run("$ echo a; exit 3\n$ echo b")
    #expect(failures.map(\.isRecordable) == [true, true])
    #expect(recorded == "$ echo a; exit 3\na\n[exit 3]\n$ echo b\nb")
  }

  @Test("A command that fails otherwise than before is never recorded")
  func otherEnding() async throws {
    for (lines, reason) in [
      ("$ echo b; exit 3\na", "ends with 3"), ("$ echo b\na\n[exit 3]", "ends with 0"),
      ("$ echo b; exit 4\na\n[exit 3]", "ends with 4"), ("$ kill -11 $$\na", "signal 11"),
      ("$ kill -11 $$", "signal 11"), ("$ nothing-like-this", "not installed"),
    ] {
      let (failures, recorded) = try await run(lines)
      #expect(failures.map(\.isRecordable) == [false], "\(lines)")
      #expect(failures.first?.text.contains(reason) == true, "\(failures)")
      #expect(recorded == lines)
    }
    // A document shows no endings, and a crash is a failure there too.
    #expect(try await run("$ echo a; exit 3\na", showsEndings: false).failures.isEmpty)
    let crash = try await run("$ kill -11 $$", showsEndings: false).failures
    #expect(crash.map(\.isRecordable) == [false])
  }

  @Test("A command that hangs is killed, and what it printed is shown")
  func hang() async throws {
    let (failures, recorded) = try await run("$ echo begins; sleep 600", timeout: 1)
    #expect(failures.map(\.isRecordable) == [false])
    #expect(failures.first?.text.contains("did not end within 1 s") == true, "\(failures)")
    #expect(failures.first?.text.contains("+begins") == true, "\(failures)")
    #expect(recorded == "$ echo begins; sleep 600")
  }

  @Test("A transcript without commands, with lines before the first, or without its tool fails")
  func empty() async throws {
    let runner = TranscriptRunner(file: "story.md", showsEndings: true)
    #expect(try await runner.run("# Story\n").failures.map(\.text) == ["has no command"])
    #expect(
      try await run("printed\n$ echo printed\nprinted").failures.map(\.text)
        == ["a console block begins with '$ '"])
    #expect(
      try await run("$ true", before: "Needs: bash, no-such-tool.\n\n").failures.map(\.text)
        == ["needs 'no-such-tool', which is not installed"])
    #expect(try await run("$ true", before: "Needs: bash.\n\n").failures.isEmpty)
  }

  @Test("Files of a transcript are written before the commands after them")
  func files() async throws {
    let (failures, _) = try await run(
      "$ cat app/a.yaml\n# app/a.yaml\nx: 1", before: "```yaml\n# app/a.yaml\nx: 1\n```\n\n")
    #expect(failures.isEmpty, "\(failures)")
  }
}
