import Foundation
import TestSupport
import Testing

/// The table of `docs/sessions.md`, held against the tests.
@Suite("The page on sessions")
struct SessionsPageTests {
  @Test("Each row of the table is a test")
  func rows() throws {
    let page = try String(
      contentsOf: packageFolder.appendingPathComponent("docs/sessions.md"), encoding: .utf8)
    let names = page.matches(
      of: /^\| [^|]+ \| [^|]+ \| ([A-Z'][^|]+) \|$/.anchorsMatchLineEndings()
    )
    .map { String($0.1) }
    #expect(names.count > 8)
    let folder = packageFolder.appendingPathComponent("Tests/AppCoreCLITests/Sessions")
    var tests = ""
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      tests += try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }
    tests.replace(/@Test\(\s+/, with: "@Test(")
    // What a script prints is a transcript; a row names its sentence.
    let transcript = try String(
      contentsOf: packageFolder.appendingPathComponent("Tests/Transcripts/run/supervised.md"),
      encoding: .utf8)
    for name in names {
      #expect(
        tests.contains("@Test(\"\(name)\"") || transcript.contains("\n\(name).\n"), "\(name)")
    }
  }
}
