import Foundation
import TestSupport
import Testing

@Suite("appcore run, from a pipe")
struct ScriptTests {
  private static let environment = ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status"]

  private func run(_ lines: [String], _ options: [String] = []) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", "manifests/packages.yaml"] + options,
      input: lines.map { $0 + "\n" }.joined(), environment: Self.environment)
  }

  @Test("A script filters, walks, answers the dialog and goes back, without prompt or banner")
  func walk() async throws {
    let result = try await run([
      "# a comment and a blank line print nothing", "", "@filter libgcc", "@libgcc-s1",
      "@depends.libc6", "@homepage", "@yes", ":path", ":back", ":expect GCC support library",
      ":quit",
    ])
    #expect(result.status == 0)
    #expect(!result.output.contains("> "))
    #expect(result.output.contains("https://www.gnu.org/software/libc/libc.html"))
    #expect(result.output.contains("\n/list/detail;name=libgcc-s1/detail;name=libc6\n"))
  }

  @Test("One screen is printed at first, and one after each line that is not blank or a comment")
  func screenCount() async throws {
    let result = try await run([":path", "", "# nothing", ":path"])
    let screens = result.output.components(separatedBy: "5 installed of 6 known").count - 1
    #expect(screens == 3)
  }

  @Test("A code may be in the brackets of messages", arguments: ["stale", "crash"])
  func explain(code: String) async throws {
    let results = try await [
      run([":explain \(code)"], ["--json"]), run([":explain [\(code)]"], ["--json"]),
    ]
    #expect(results[0].output == results[1].output)
    #expect(results[1].output.contains(#""code":"\#(code)""#))
  }

  @Test("The first refused line ends the script with its number and status 65")
  func refusedLine() async throws {
    let result = try await run([":path", "@nothing", ":path"])
    #expect(result.status == 65)
    #expect(result.errors.contains("line 2: "))
    #expect(result.errors.contains("[no-such-control]"))
    #expect(result.output.components(separatedBy: "\n/list\n").count == 2)
  }

  @Test("With JSON each screen is one object on one line, and a refusal does not end the session")
  func json() async throws {
    let result = try await run(["@nothing", "@libc6", "@homepage", "@no", ":quit"], ["--json"])
    #expect(result.status == 0)
    let objects = try result.output.split(separator: "\n").map {
      try #require(
        JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.count == 5)
    #expect(objects[0]["screen"] as? Int == 1)
    #expect(objects[0]["path"] as? [String] == ["list"])
    let error = try #require(objects[1]["error"] as? [String: Any])
    #expect(error["code"] as? String == "no-such-control")
    #expect(objects[2]["path"] as? [String] == ["list", "detail"])
    #expect(objects[2]["depth"] as? Int == 2)
    #expect(objects[3]["modal"] as? Bool == true)
    #expect(objects[4]["modal"] as? Bool == false)
  }

  @Test("A list is paged and searched in a pipe too")
  func paging() async throws {
    let status = try TemporaryFolder()
    let packages = (1...45).map { number in
      "Package: p\(number)\nStatus: install ok installed\nVersion: 1\nArchitecture: all\n\n"
    }
    let file = try status.write("status", packages.joined())
    let result = try await Program.appcore(
      ["run", "manifests/packages.yaml", "--set", "status=\(file.path)"],
      input: ":next\n:page 3\n:prev\n:find p9\n")
    #expect(result.status == 0)
    for footer in ["rows 1–20 of 45", "rows 21–40 of 45", "rows 41–45 of 45"] {
      #expect(result.output.contains(footer))
    }
  }

  @Test("A missing or malformed database is a screen that says what and where")
  func badDatabase() async throws {
    let folder = try TemporaryFolder()
    let bad = try folder.write("bad", "Package: a\nnonsense\n")
    for (path, expected) in [("/nowhere/status", "/nowhere/status"), (bad.path, ":2")] {
      let result = try await Program.appcore(
        ["run", "manifests/packages.yaml", "--set", "status=\(path)"], input: ":path\n")
      #expect(result.status == 0)
      #expect(result.output.contains(expected))
      #expect(result.output.contains("Try again"))
    }
  }

  @Test("A reader that goes away ends the app without a stack trace")
  func brokenPipe() async throws {
    let appcore = buildFolder.appendingPathComponent("appcore").path
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        "yes :path | '\(appcore)' run manifests/packages.yaml | head -n 1; echo ${PIPESTATUS[1]}",
      ],
      environment: Self.environment)
    #expect(result.output.hasSuffix("\n141\n"))
    #expect(!result.errors.contains("Crash"))
  }
}
