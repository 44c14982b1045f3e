import Foundation
import TestSupport
import Testing

@Suite("appcore run, from a script's file or the command line")
struct ScriptFileTests {
  private static let counter = "Tests/Fixtures/manifests/mocks/counter.yaml"

  private func run(_ script: String, _ options: [String] = []) async throws -> ProgramResult {
    let folder = try TemporaryFolder()
    let file = try folder.write("app.script", script)
    return try await Program.appcore(["run", Self.counter, "--script", file.path] + options)
  }

  @Test("A script's file is run to its end, comments and blank lines included")
  func file() async throws {
    let result = try await run(
      "# adds two\n@add\n\n@add\n:expect The count is 2.\n:expect-path /counter")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("The count is 2."))
  }

  @Test("The first refused line is reported as FILE:LINE: error, and ends the script with 65")
  func refusal() async throws {
    let result = try await run("@add\n:expect The count is 7.\n@add\n")
    #expect(result.status == 65)
    #expect(
      result.errors.hasSuffix(
        "app.script:2: error: the screen does not show 'The count is 7.' [not-shown]\n"))
    #expect(!result.output.contains("The count is 2."))
  }

  @Test("A path that differs is reported with what it is")
  func path() async throws {
    let result = try await run(":expect-path /elsewhere\n")
    #expect(result.status == 65)
    #expect(result.errors.contains("expected the path '/elsewhere', and it is '/counter'"))
  }

  @Test("A byte order mark, carriage returns and a missing last newline do not matter")
  func windows() async throws {
    let result = try await run("\u{feff}@add\r\n:expect The count is 1.")
    #expect(result.status == 0, "\(result.errors)")
    let piped = try await Program.appcore(
      ["run", Self.counter], input: "\u{feff}@add\r\n:expect The count is 1.")
    #expect(piped.status == 0, "\(piped.errors)")
  }

  @Test("Lines on the command line are a script too")
  func arguments() async throws {
    let good = try await Program.appcore(
      ["run", Self.counter, "-c", "@add\n@add", "-c", ":expect The count is 2."])
    #expect(good.status == 0, "\(good.errors)")
    let bad = try await Program.appcore(["run", Self.counter, "-c", "@add", "-c", "@ad"])
    #expect(bad.status == 65)
    #expect(bad.errors.hasPrefix("-c:2: error: no control has the identifier '@ad'"))
  }

  @Test("A value of several lines in a script, and one that is not ended")
  func text() async throws {
    let result = try await Program.appcore(
      ["run", Self.counter, "-c", "@add <<END\n:quit\nEND"])
    #expect(result.status == 65)
    #expect(result.errors.contains("-c:3: error: "))
    let open = try await Program.appcore(["run", Self.counter, "-c", "@add <<END\n:quit"])
    #expect(open.status == 65)
    #expect(open.errors.contains("'END'"))
  }

  @Test("A script that is not there ends with 66, two sources of lines with 64")
  func missing() async throws {
    let missing = try await Program.appcore(["run", Self.counter, "--script", "/nowhere/x.script"])
    #expect(missing.status == 66)
    #expect(missing.errors.contains("can't read '/nowhere/x.script': No such file or directory"))
    let both = try await Program.appcore(["run", Self.counter, "--script", "a", "-c", "b"])
    #expect(both.status == 64)
  }

  @Test("A script prints the same every time, and in order, however much it is")
  func deterministic() async throws {
    let script = String(repeating: "@add\n:path\n", count: 2000)
    let first = try await run(script)
    #expect(first.status == 0)
    #expect(first.output.components(separatedBy: "\n/counter\n").count == 2001)
    #expect(first.output.contains("The count is 2000."))
    #expect(try await run(script).output == first.output)
  }
}
